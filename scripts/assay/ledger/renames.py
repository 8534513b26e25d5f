"""The rename map at load: a record as if it had been written with today's tool names.

Nothing is guessed. An expectation on a split tool whose arguments do not tell the halves apart
is listed, and the record is not scored until a person has decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.files.locate import escape
from assay.ledger.toolnames import ToolNames
from assay.models.truth import RequiredTool, TruthRecord


@dataclass(frozen=True)
class OpenName:
    """A name in a record that could not be mapped to one tool."""

    pointer: str
    """JSON pointer into the record."""
    message: str
    """What is open."""


@dataclass(frozen=True)
class MappedRecord:
    """A record with canonical names."""

    record: TruthRecord
    """The record."""
    undecided: tuple[OpenName, ...] = ()
    """Why it cannot be scored; empty when every name could be mapped."""
    ambiguous: tuple[OpenName, ...] = ()
    """Bare names that fit tools of several servers: errors of the label."""
    unknown: tuple[OpenName, ...] = ()
    """Names that the catalogue does not have."""


@dataclass
class _Mapper:
    names: ToolNames
    undecided: list[OpenName] = field(default_factory=list)
    ambiguous: list[OpenName] = field(default_factory=list)
    unknown: list[OpenName] = field(default_factory=list)

    def key(self, name: str, pointer: str) -> str | None:
        """The one entry a name fits; else None, with the reason noted."""
        keys = self.names.canonical(name)
        if len(keys) == 1:
            return keys[0]
        if keys:
            message = f"`{name}` fits several servers: {', '.join(keys)}."
            self.ambiguous.append(OpenName(pointer, message))
        else:
            message = f"`{name}` is not in the tool catalogue."
            self.unknown.append(OpenName(pointer, message))
        return None

    def split_of(self, key: str | None) -> str | None:
        """The names a split tool went to, in words; None for any other tool."""
        tool = self.names.entries.get(key) if key else None
        if tool is None or not tool.split_into:
            return None
        return ", ".join(sorted(half.tool for half in tool.split_into))

    def required(self, entry: str | RequiredTool, pointer: str) -> str | RequiredTool:
        name = entry if isinstance(entry, str) else entry.tool
        key = self.key(name, pointer)
        if key is None:
            return entry
        halves = self.split_of(key)
        if halves is None:
            return key if isinstance(entry, str) else entry.model_copy(update={"tool": key})
        if not isinstance(entry, str):
            chosen = self.names.choose(self.names.entries[key], entry.args)
            if chosen is not None:
                return entry.model_copy(update={"tool": chosen[0], "args": chosen[1]})
        message = f"`{name}` was split into {halves}; the arguments do not tell which is meant."
        self.undecided.append(OpenName(pointer, message))
        return entry

    def forbidden(self, names: tuple[str, ...]) -> tuple[str, ...]:
        mapped: list[str] = []
        for index, name in enumerate(names):
            key = self.key(name, f"/forbidden_tools/{index}")
            # A split tool is forbidden in all its halves, an unknown one under its own name.
            mapped += self.names.label(name) if key is not None else (name,)
        return tuple(dict.fromkeys(mapped))

    def max_calls(self, limits: dict[str, int]) -> dict[str, int]:
        mapped: dict[str, int] = {}
        for name, limit in limits.items():
            pointer = f"/max_calls/{escape(name)}"
            key = self.key(name, pointer)
            halves = self.split_of(key)
            if halves is not None and limit > 0:
                message = f"`{name}` was split into {halves}; how often may each be called?"
                self.undecided.append(OpenName(pointer, message))
            for target in self.names.label(name) if key is not None else (name,):
                mapped[target] = min(limit, mapped.get(target, limit))
        return mapped


def map_record(record: TruthRecord, names: ToolNames) -> MappedRecord:
    """The record with canonical names, and what stays open."""
    mapper = _Mapper(names)
    required = tuple(
        mapper.required(entry, f"/required_tools/{index}")
        for index, entry in enumerate(record.required_tools)
    )
    forbidden = mapper.forbidden(record.forbidden_tools)
    max_calls = mapper.max_calls(record.max_calls)
    update: dict[str, object] = {}
    if required != record.required_tools:
        update["required_tools"] = required
    if forbidden != record.forbidden_tools:
        update["forbidden_tools"] = forbidden
    if max_calls != record.max_calls:
        update["max_calls"] = max_calls
    return MappedRecord(
        record.model_copy(update=update) if update else record,
        tuple(mapper.undecided),
        tuple(mapper.ambiguous),
        tuple(mapper.unknown),
    )
