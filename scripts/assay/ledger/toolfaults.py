"""Faults of the tool catalogue: cycles, missing targets, names used again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.ledger.toolnames import ToolNames
from assay.models.catalog import Tool


@dataclass(frozen=True)
class MapFault:
    """Something that is wrong with the catalogue itself."""

    tool: str
    """Name of the entry."""
    message: str
    """What is wrong."""
    hint: str
    """What to write instead."""


def catalog_faults(names: ToolNames) -> tuple[MapFault, ...]:
    """Everything that is wrong with the catalogue, in the order of its entries."""
    faults: list[MapFault] = []
    seen: set[tuple[str | None, str]] = set()
    for tool in names.tools:
        if (tool.server, tool.name) in seen:
            faults.append(
                MapFault(
                    tool.name,
                    f"`{tool.name}` stands here twice.",
                    "a name is never used again; give the new tool another one",
                )
            )
        elif any(
            name == tool.name and (server is None) != (tool.server is None) for server, name in seen
        ):
            faults.append(_half_named(tool))
        seen.add((tool.server, tool.name))
        faults += _way_faults(tool)
        faults += _target_faults(names, tool)
    for key, entry in names.entries.items():
        walk = _walk(names, key)
        if len(set(walk)) < len(walk):
            faults.append(
                MapFault(
                    entry.name,
                    f"Following `{key}` never ends: {' -> '.join(walk)}.",
                    "let the last one of them have no renamed_to",
                )
            )
    return tuple(faults)


def _half_named(tool: Tool) -> MapFault:
    return MapFault(
        tool.name,
        f"`{tool.name}` stands here with and without a server; the bare name fits both.",
        "name the server of each of them",
    )


def _way_faults(tool: Tool) -> Iterable[MapFault]:
    ways = [
        way
        for way, given in (
            ("renamed_to", tool.renamed_to),
            ("alias_of", tool.alias_of),
            ("split_into", tool.split_into),
        )
        if given
    ]
    if len(ways) > 1:
        yield MapFault(tool.name, f"`{tool.name}` has {' and '.join(ways)}.", "keep one of them")
    if ways and not tool.reason:
        yield MapFault(tool.name, f"`{tool.name}` has {ways[0]} and no reason.", "add `reason`")


def _target_faults(names: ToolNames, tool: Tool) -> Iterable[MapFault]:
    targets = [name for name in (tool.renamed_to, tool.alias_of) if name]
    targets += [half.tool for half in tool.split_into]
    for target in targets:
        keys = names.lookup(target, None)
        if not keys:
            yield MapFault(
                tool.name,
                f"`{tool.name}` points to `{target}`, which the catalogue does not have.",
                f"add an entry for `{target}`",
            )
        elif names.target(target, tool) is None:
            yield MapFault(
                tool.name,
                f"`{tool.name}` points to `{target}`, which {len(keys)} servers offer.",
                f"write one of {', '.join(keys)}",
            )


def _walk(names: ToolNames, key: str) -> list[str]:
    """Keys met when following renames from `key`; the last one repeats where they go round."""
    walk = [key]
    while True:
        entry = names.entries[walk[-1]]
        following = entry.renamed_to or entry.alias_of
        target = names.target(following, entry) if following else None
        if target is None:
            return walk
        walk.append(target)
        if target in walk[:-1]:
            return walk
