"""Who owns a path: the last line that matches, and nobody of the lines before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assay.ledger.owners.patterns import matcher
from assay.ledger.owners.syntax import Line, OwnersText


@dataclass(frozen=True)
class Takeover:
    """Paths that somebody else owns than must."""

    line: Line | None
    """The line that decides; None where no line matches."""
    team: str
    """Who must own them, with ``@``."""
    paths: tuple[str, ...]
    """The paths, in order."""


def last_lines(owners: OwnersText, path: str) -> dict[str, Line]:
    """The line that decides in each section; one section without a name on GitHub.

    A section in which no line matches, or from which the path is taken out, is absent.
    """
    found: dict[str, Line] = {}
    excluded: set[str] = set()
    for line in reversed(owners.lines):
        if line.section in found and not line.excludes:
            continue
        if matcher(line.pattern, owners.kind)(path):
            if line.excludes:
                excluded.add(line.section)
            else:
                found[line.section] = line
        if owners.kind == "github" and found:
            break
    return {section: line for section, line in found.items() if section not in excluded}


def owners_of(owners: OwnersText, path: str) -> tuple[str, ...]:
    """Everybody who owns a path, section by section in the order of the file."""
    lines = last_lines(owners, path)
    return tuple(
        owner for section in owners.sections if section in lines for owner in lines[section].owners
    )


def takeovers(
    owners: OwnersText, paths: Iterable[str], required: Callable[[str], str | None]
) -> tuple[Takeover, ...]:
    """Paths that are not owned by the team that must own them, by line and team.

    On GitLab it is enough that one section that must approve has the team.

    Args:
        owners: the file.
        paths: what is looked at.
        required: path to the team, with ``@``; None where anybody may own it.
    """
    lost: dict[tuple[int, str], tuple[Line | None, list[str]]] = {}
    for path in paths:
        team = required(path)
        if team is None:
            continue
        lines = last_lines(owners, path)
        if any(_owns(line, team) for line in _required(owners, lines)):
            continue
        line = max(lines.values(), key=lambda found: found.number, default=None)
        key = (line.number if line else 0, team)
        lost.setdefault(key, (line, []))[1].append(path)
    return tuple(
        Takeover(line, team, tuple(sorted(found)))
        for (_, team), (line, found) in sorted(lost.items())
    )


def _required(owners: OwnersText, lines: Mapping[str, Line]) -> Iterable[Line]:
    return (line for section, line in lines.items() if owners.sections[section].required)


def _owns(line: Line, team: str) -> bool:
    return team.casefold() in (owner.casefold() for owner in line.owners)


def doubled(owners: OwnersText) -> tuple[tuple[Line, Line], ...]:
    """Lines that a later one with the same pattern replaces: the earlier and the later one."""
    found: list[tuple[Line, Line]] = []
    last: dict[tuple[str, str], Line] = {}
    for line in reversed(owners.lines):
        later = last.setdefault((line.section, line.pattern), line)
        if later is not line:
            found.append((line, later))
    return tuple(sorted(found, key=lambda pair: pair[0].number))
