"""Whether what was scored here is what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.ledger.results import same_numbers
from assay.models.result import Result

State = Literal["reproduced", "other_numbers", "other_result", "unpublished"]

_SHOWN = 6


@dataclass(frozen=True)
class Publication:
    """How one result stands to what was published."""

    state: State
    """`reproduced`: the id is published with these numbers. `other_numbers`: with others.
    `other_result`: only another result of the run was published. `unpublished`: none was."""
    id: str = ""
    """Id of the published result; empty where there is none."""
    day: str = ""
    """The day that it was judged at."""


def publications(results: Sequence[Result], published: Sequence[Result]) -> dict[str, Publication]:
    """Id of a result to how it stands to what was published.

    Args:
        results: what was scored here.
        published: everything that was published.
    """
    by_id = {result.id: result for result in published}
    newest: dict[tuple[str, str], Result] = {}
    for result in sorted(published, key=lambda item: (item.today, item.id)):
        newest[result.context.suite, result.subject.run] = result
    return {
        result.id: _one(result, by_id.get(result.id), newest.get(_key(result)))
        for result in results
    }


def _key(result: Result) -> tuple[str, str]:
    return result.context.suite, result.subject.run


def _one(result: Result, same: Result | None, other: Result | None) -> Publication:
    if same is not None:
        state: State = "reproduced" if same_numbers(same, result) else "other_numbers"
        return Publication(state, same.id, same.today)
    if other is not None:
        return Publication("other_result", other.id, other.today)
    return Publication("unpublished")


def overall(found: Mapping[str, Publication]) -> bool | None:
    """Whether everything is as published; none where nothing was published."""
    states = {publication.state for publication in found.values()}
    if not states - {"unpublished"}:
        return None
    return states == {"reproduced"}


def sentences(results: Sequence[Result], found: Mapping[str, Publication]) -> list[str]:
    """What must be said of single results where not all of them are the published ones."""
    if overall(found) is not False or len(results) < 1:
        return []
    lines = []
    named = sorted(results, key=lambda item: (item.context.suite, item.subject.run, item.id))
    same = [r for r in named if found[r.id].state == "reproduced"]
    if same:
        lines.append(f"= the published ones, reproduced: {_names(same)}")
    lines += [
        f"{_name(r)} is published with other numbers: assay trace {r.id}"
        for r in named
        if found[r.id].state == "other_numbers"
    ]
    lines += [
        f"{_name(r)} is not the published one, {found[r.id].id} of {found[r.id].day}:"
        f" assay trace {found[r.id].id}"
        for r in named
        if found[r.id].state == "other_result"
    ]
    none = [r for r in named if found[r.id].state == "unpublished"]
    if none:
        lines.append(f"never published: {_names(none)}")
    return lines


def _name(result: Result) -> str:
    return f"{result.subject.run} on {result.context.suite} ({result.id})"


def _names(results: Sequence[Result]) -> str:
    more = f" and {len(results) - _SHOWN} more" if len(results) > _SHOWN else ""
    return ", ".join(map(_name, results[:_SHOWN])) + more
