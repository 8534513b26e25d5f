"""One tool, one name: the map from every spelling of a tool to its canonical name.

The catalogue keeps old names and says where they went; the map is derived from it. Chains are
followed, old names always map, whatever the day. ``server/tool``, ``server.tool``,
``mcp__server__tool`` and ``tool`` with its server given apart are one tool. The canonical name
is the bare one where only one server offers it, else ``server/tool``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from assay.files.canonical import canonical_json, digest
from assay.models.base import JsonValue
from assay.models.catalog import Tool, ToolCatalog

MCP_PREFIX = "mcp__"


@dataclass(frozen=True)
class ResolvedCall:
    """What an observed call is, after the map."""

    names: tuple[str, ...]
    """Canonical names that the call may be: one normally; several when a bare name fits
    several servers or a split cannot be decided; an unknown name stands for itself."""
    args: dict[str, JsonValue]
    """Arguments; those that told the halves of a split apart are dropped."""
    known: bool
    """Whether the catalogue has the tool."""
    note: str = ""
    """What the map did, in words; empty when it did nothing."""


@dataclass(frozen=True)
class ToolNames:
    """The map, derived from a catalogue. Immutable; safe to share."""

    tools: tuple[Tool, ...]
    """All entries of the catalogue."""
    prefixes: tuple[str, ...] = ()
    """Further prefixes that are removed from a name before it is looked up."""
    _cache: dict[tuple[str, str | None], tuple[str, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @classmethod
    def from_catalog(cls, catalog: ToolCatalog) -> ToolNames:
        """The map of a catalogue. Faults in it are in `faults`; they never raise."""
        return cls(catalog.tools, catalog.server_prefixes)

    # -- the catalogue ------------------------------------------------------------------

    @cached_property
    def _by_bare(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for key, entry in self.entries.items():
            found.setdefault(entry.name, []).append(key)
        return {name: tuple(keys) for name, keys in found.items()}

    @cached_property
    def entries(self) -> dict[str, Tool]:
        """Canonical key to entry: the bare name, or ``server/name`` where it is not unique."""
        servers: dict[str, set[str | None]] = {}
        for tool in self.tools:
            servers.setdefault(tool.name, set()).add(tool.server)
        entries: dict[str, Tool] = {}
        for tool in self.tools:
            entries.setdefault(self._key(tool, len(servers[tool.name]) > 1), tool)
        return entries

    @staticmethod
    def _key(tool: Tool, qualified: bool) -> str:
        return f"{tool.server}/{tool.name}" if qualified and tool.server else tool.name

    @cached_property
    def _servers(self) -> frozenset[str]:
        return frozenset(tool.server for tool in self.tools if tool.server)

    @cached_property
    def forward(self) -> dict[str, str]:
        """Key of a renamed or alias entry to the key that replaces it, chains followed."""
        forward: dict[str, str] = {}
        for key, entry in self.entries.items():
            target = entry.renamed_to or entry.alias_of
            if target is None:
                continue
            seen = {key}
            here = self.target(target, entry)
            while here is not None and here not in seen:
                seen.add(here)
                following = self.entries[here].renamed_to or self.entries[here].alias_of
                if following is None:
                    forward[key] = here
                    break
                here = self.target(following, self.entries[here])
        return forward

    def target(self, name: str, source: Tool) -> str | None:
        """The one entry that `source` points to by `name`; its own server goes first."""
        keys = self.lookup(name, None)
        if len(keys) > 1 and source.server:
            own = [key for key in keys if self.entries[key].server == source.server]
            keys = tuple(own) if len(own) == 1 else keys
        return keys[0] if len(keys) == 1 else None

    @cached_property
    def renames(self) -> dict[str, str]:
        """Every old or alias name to what replaced it; the halves of a split joined by `` | ``."""
        result = dict(self.forward)
        for key, entry in self.entries.items():
            if entry.split_into:
                result[key] = " | ".join(sorted(half.tool for half in entry.split_into))
        return {key: result[key] for key in sorted(result)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything in the catalogue that can change what a name means."""
        rows: list[JsonValue] = []
        for key in sorted(self.entries):
            entry = self.entries[key]
            rows.append(
                {
                    "key": key,
                    "server": entry.server,
                    "to": self.forward.get(key),
                    "split": [{"tool": half.tool, "when": half.when} for half in entry.split_into],
                }
            )
        return digest({"tools": rows, "prefixes": sorted(self.prefixes)})

    # -- looking names up -------------------------------------------------------------------

    def lookup(self, name: str, server: str | None) -> tuple[str, ...]:
        """Keys of the entries that a spelling fits, before renames."""
        for spelt, at in self._spellings(name, server):
            keys = self._by_bare.get(spelt, ())
            if at is not None and at in self._servers:
                # A server that the catalogue does not know is one client's alias for one that
                # it does; else a forbidden tool could be called past the check.
                keys = tuple(key for key in keys if self.entries[key].server in (at, None))
            if keys:
                return keys
        return ()

    def _spellings(self, name: str, server: str | None) -> Iterable[tuple[str, str | None]]:
        """Bare name and server that a spelling may mean, the most literal first."""
        yield name, server
        if name.startswith(MCP_PREFIX):
            rest = name.removeprefix(MCP_PREFIX)
            at = rest.find("__")
            while at > 0:
                yield rest[at + 2 :], rest[:at]
                at = rest.find("__", at + 1)
        for mark in ("/", "."):
            at = name.find(mark)
            while at > 0:
                if name[:at] in self._servers:
                    yield name[at + 1 :], name[:at]
                at = name.find(mark, at + 1)
        for prefix in self.prefixes:
            if name.startswith(prefix) and len(name) > len(prefix):
                yield name[len(prefix) :], server

    def canonical(self, name: str, server: str | None = None) -> tuple[str, ...]:
        """Keys of the entries that a spelling fits, renames and aliases followed.

        A split entry stays itself: only its arguments tell which half is meant.
        """
        cached = self._cache.get((name, server))
        if cached is None:
            keys = self.lookup(name, server)
            cached = tuple(dict.fromkeys(self.forward.get(key, key) for key in keys))
            self._cache[name, server] = cached
        return cached

    def tool(self, canonical: str) -> Tool | None:
        """The catalogue's entry for a canonical name."""
        return self.entries.get(canonical)

    def canonical_names(self) -> tuple[str, ...]:
        """Every canonical name that is in use, sorted: neither renamed nor split nor alias."""
        return tuple(
            sorted(
                key
                for key, entry in self.entries.items()
                if key not in self.forward and not entry.split_into
            )
        )

    def label(self, name: str) -> tuple[str, ...]:
        """Canonical names that a name in a label stands for; the halves of a split.

        An unknown name stands for itself. Several names, where the tool is not split, mean
        that the name fits several servers.
        """
        names: list[str] = []
        for key in self.canonical(name, None):
            entry = self.entries[key]
            if entry.split_into:
                names += [self.half_of(half.tool, entry) for half in entry.split_into]
            else:
                names.append(key)
        return tuple(dict.fromkeys(names)) or (name,)

    def half_of(self, name: str, source: Tool) -> str:
        """Canonical name of one half of a split tool."""
        target = self.target(name, source)
        return self.forward.get(target, target) if target else name

    def call(self, name: str, server: str | None, args: Mapping[str, JsonValue]) -> ResolvedCall:
        """What an observed call is."""
        keys = self.canonical(name, server)
        if not keys:
            return ResolvedCall((self._unknown(name, server),), dict(args), known=False)
        if len(keys) > 1:
            return ResolvedCall(
                keys, dict(args), known=True, note=f"`{name}` fits {' and '.join(keys)}"
            )
        entry = self.entries[keys[0]]
        if not entry.split_into:
            note = "" if keys[0] == name else f"`{name}` is `{keys[0]}`"
            return ResolvedCall(keys, dict(args), known=True, note=note)
        chosen = self.choose(entry, args)
        if chosen is None:
            names = tuple(sorted(self.half_of(half.tool, entry) for half in entry.split_into))
            return ResolvedCall(
                names,
                dict(args),
                known=True,
                note=f"`{name}` was split and the arguments do not tell which tool is meant",
            )
        target, rest = chosen
        return ResolvedCall((target,), rest, known=True, note=f"`{name}` is `{target}`")

    def choose(
        self, entry: Tool, args: Mapping[str, JsonValue]
    ) -> tuple[str, dict[str, JsonValue]] | None:
        """The half of a split that the arguments select, and the arguments that are left."""
        fitting = [
            half
            for half in entry.split_into
            if all(
                key in args and canonical_json(args[key]) == canonical_json(value)
                for key, value in half.when.items()
            )
        ]
        if len(fitting) != 1:
            return None
        half = fitting[0]
        rest = {key: value for key, value in args.items() if key not in half.when}
        return self.half_of(half.tool, entry), rest

    @staticmethod
    def _unknown(name: str, server: str | None) -> str:
        """An unknown tool stands for itself; the ways to name its server are still one."""
        if name.startswith(MCP_PREFIX):
            head, mark, tail = name.removeprefix(MCP_PREFIX).partition("__")
            if head and mark and tail:
                return f"{head}/{tail}"
        return f"{server}/{name}" if server else name
