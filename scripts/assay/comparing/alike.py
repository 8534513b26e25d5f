"""Are two sides alike? Every part of their contexts that differs, and what to do about it.

A number says nothing without what it was made against. Two results are compared when truth,
cases, policies, scorer, weights, split, store, cassettes and recorded verdicts agree. The day,
the set of cases that was scored, and what was excluded never refuse: both denominators are shown
and the cases in both are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.comparing.sides import Side
from assay.files.canonical import canonical_json
from assay.models.comparison import ContextPart, Remedy, Unlike
from assay.models.result import Context

SIMPLE: Final[tuple[ContextPart, ...]] = (
    "truth",
    "cases",
    "policies",
    "scorer",
    "weights",
    "split",
    "store",
    "cassettes",
    "verdicts",
)
"""Parts that are compared value by value, in this order."""

REMEDIES: Final[Mapping[ContextPart, tuple[Remedy, ...]]] = {
    "exploratory": ("score_reviewed",),
    "known": ("score_traces",),
    "suite": (),
    "truth": ("on_unchanged", "regrade"),
    "cases": ("on_unchanged", "regrade"),
    "policies": ("on_unchanged", "regrade"),
    "scorer": ("regrade",),
    "weights": ("regrade",),
    "split": ("on_unchanged", "regrade"),
    "store": ("run_again",),
    "cassettes": ("run_again",),
    "verdicts": ("regrade",),
    "rename_map": ("regrade",),
}
"""What makes two sides comparable though a part differs. Truth, cases, policies and split are told
apart case by case, by hash; another scorer or another map may judge any case otherwise, and what
the agent saw of another store cannot be graded away."""

Meaning = Callable[[str], Sequence[str]]
"""Name of a tool, as it was used, to what it means."""


@dataclass(frozen=True)
class Renames:
    """What is needed to tell whether two rename maps differ where it matters."""

    used: Iterable[str]
    """Names of tools that either run calls or either side's records name, as they were spelled."""
    a: Meaning
    """Meaning of a name under A's map: ``ToolNames.canonical``, or `by_table`."""
    b: Meaning
    """Meaning of a name under B's map."""


def by_table(renames: Mapping[str, str]) -> Meaning:
    """The meaning of a name by a plain map, as ``build/context/<suite>.json`` keeps it."""
    return lambda name: (renames.get(name, name),)


@dataclass(frozen=True)
class Likeness:
    """Whether two sides may be compared."""

    unlike: tuple[Unlike, ...]
    """Every part that differs, in a fixed order."""

    @property
    def alike(self) -> bool:
        """Whether nothing differs."""
        return not self.unlike

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What makes the two comparable, the best first: what every differing part allows."""
        if not self.unlike:
            return ()
        first, *rest = (part.remedies for part in self.unlike)
        return tuple(remedy for remedy in first if all(remedy in other for other in rest))


def likeness(a: Side, b: Side, renames: Renames | None = None) -> Likeness:
    """Compare the contexts of two sides.

    Two plain tables are alike: nothing is known of either, and the comparison says so. So are
    lines without their results, unless a case in them was scored against two records. A table
    against a result is not: what is not known is not taken to be the same.

    Args:
        a: the first side.
        b: the second side.
        renames: both maps and the names that were used, needed only where the digests of the
            maps differ; without it such maps are taken to differ where it matters.
    """
    found: list[Unlike] = []
    if _exploratory(a) or _exploratory(b):
        found.append(_unlike("exploratory", "", _drafts(a), _drafts(b)))
    mine, theirs = a.context, b.context
    if mine is None or theirs is None:
        if (mine is None) != (theirs is None):
            found.append(_unlike("known", "", _known(mine), _known(theirs)))
        else:
            found += _records(a, b)
        return Likeness(tuple(found))
    if mine.suite != theirs.suite:
        found.append(_unlike("suite", "", mine.suite, theirs.suite))
    for part in SIMPLE:
        found += _part(part, getattr(mine, part), getattr(theirs, part))
    if mine.rename_map != theirs.rename_map:
        found += _renames(mine, theirs, renames)
    return Likeness(tuple(found))


def _exploratory(side: Side) -> bool:
    return side.result is not None and side.result.exploratory


def _drafts(side: Side) -> str:
    return "drafts scored" if _exploratory(side) else "reviewed records only"


def _known(context: Context | None) -> str | None:
    return None if context is None else context.truth


def _records(a: Side, b: Side) -> list[Unlike]:
    """The first case that was scored against two records, where lines alone say so."""
    for name in sorted(a.cases.keys() & b.cases.keys()):
        mine, theirs = a.cases[name].content_hash, b.cases[name].content_hash
        if mine is not None and theirs is not None and mine != theirs:
            return [_unlike("truth", name, mine, theirs)]
    return []


def _part(part: ContextPart, mine: object, theirs: object) -> list[Unlike]:
    if mine == theirs:
        return []
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        return [
            _unlike(part, name, _text(mine.get(name)), _text(theirs.get(name)))
            for name in sorted({*mine, *theirs})
            if mine.get(name) != theirs.get(name)
        ]
    return [_unlike(part, "", _text(mine), _text(theirs))]


def _renames(mine: Context, theirs: Context, renames: Renames | None) -> list[Unlike]:
    if renames is None:
        return [_unlike("rename_map", "", mine.rename_map, theirs.rename_map)]
    found = []
    for name in sorted(set(renames.used)):
        here, there = tuple(renames.a(name)), tuple(renames.b(name))
        if here != there:
            found.append(_unlike("rename_map", name, " | ".join(here), " | ".join(there)))
    return found


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return canonical_json(value)  # type: ignore[arg-type]


def _unlike(part: ContextPart, name: str, a: str | None, b: str | None) -> Unlike:
    return Unlike(part=part, name=name, a=a, b=b, remedies=REMEDIES[part])
