"""The cases that both sides have a verdict on, and what became of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.comparing.sides import NONE, Side, SideCase
from assay.models.comparison import LeftOut
from assay.statistics.paired import Pair


@dataclass(frozen=True)
class CasePair:
    """A case on both sides."""

    a: SideCase
    """The first side."""
    b: SideCase
    """The second side."""

    @property
    def case_id(self) -> str:
        """The case."""
        return self.a.case_id

    @property
    def slice(self) -> str:
        """Its slice, as the second side has it; tables need to name it only once."""
        return self.b.slice if self.b.slice != NONE else self.a.slice

    @property
    def cluster(self) -> str:
        """Its template or anchor, as the second side has it; tables need to name it only once."""
        return self.b.cluster if self.b.cluster != self.case_id else self.a.cluster

    @property
    def single(self) -> bool:
        """Whether each side has one verdict on it."""
        return self.a.evaluated == self.b.evaluated == 1

    def passed(self) -> Pair | None:
        """Shares of passed trials, where both sides have a verdict."""
        a, b = self.a.share, self.b.share
        return None if a is None or b is None else Pair(self.cluster, a, b)

    def scored(self) -> Pair | None:
        """Means of graded scores, where both sides have some."""
        if not self.a.scores or not self.b.scores:
            return None
        means = [sum(s.scores, Fraction(0)) / len(s.scores) for s in (self.a, self.b)]
        return Pair(self.cluster, means[0], means[1])


@dataclass(frozen=True)
class Pairing:
    """Every case of either side, told apart."""

    pairs: tuple[CasePair, ...]
    """Cases with a verdict on both sides, by id."""
    scored: tuple[CasePair, ...]
    """Cases with an entry on both sides, verdict or not: graded scores are taken from these."""
    left_out: tuple[LeftOut, ...]
    """The others, by id."""


def pair(a: Side, b: Side, *, unchanged: bool = False, same_revision: bool = False) -> Pairing:
    """Pair two sides.

    Args:
        a: the first side.
        b: the second side.
        unchanged: only cases whose label has the same content on both sides.
        same_revision: of these only cases with the same revision of the record: it names the text
            of the case that it was written for, so that the case is the same too.
    """
    pairs: list[CasePair] = []
    entries: list[CasePair] = []
    left_out: list[LeftOut] = []
    for case_id in sorted({*a.known, *b.known}):
        standings = a.standing(case_id), b.standing(case_id)
        other = False
        if case_id in a.cases and case_id in b.cases:
            both = CasePair(a.cases[case_id], b.cases[case_id])
            other = unchanged and not _same_label(both, same_revision)
            if not other:
                entries.append(both)
                if standings == ("evaluated", "evaluated"):
                    pairs.append(both)
                    continue
        left_out.append(LeftOut(case_id=case_id, a=standings[0], b=standings[1], other_label=other))
    return Pairing(tuple(pairs), tuple(entries), tuple(left_out))


def _same_label(pair: CasePair, same_revision: bool) -> bool:
    if pair.a.content_hash is None or pair.a.content_hash != pair.b.content_hash:
        return False
    return not same_revision or pair.a.revision == pair.b.revision


def bounds(a: Side, b: Side, pairing: Pairing) -> tuple[Fraction, Fraction] | None:
    """The difference if every missing verdict had gone against the second side, and for it.

    Missing is what was expected of both sides and has no verdict on one of them: trials that were
    not evaluated or errored, and cases without an entry. Excluded cases are not missing.

    Returns:
        None where nothing is missing.
    """
    missing: list[tuple[Fraction | None, Fraction | None]] = []
    for item in pairing.left_out:
        if item.other_label or "excluded" in (item.a, item.b) or "absent" in (item.a, item.b):
            continue
        missing.append((_share(a, item.case_id), _share(b, item.case_id)))
    if not missing:
        return None
    known = sum((_difference(pair) for pair in pairing.pairs), Fraction(0))
    zero, one = Fraction(0), Fraction(1)
    worst = known + sum(
        ((zero if y is None else y) - (one if x is None else x) for x, y in missing), zero
    )
    best = known + sum(
        ((one if y is None else y) - (zero if x is None else x) for x, y in missing), zero
    )
    count = len(missing) + len(pairing.pairs)
    return worst / count, best / count


def _share(side: Side, case_id: str) -> Fraction | None:
    case = side.cases.get(case_id)
    return case.share if case else None


def _difference(both: CasePair) -> Fraction:
    found = both.passed()
    assert found is not None
    return found.b - found.a


def by_slice(pairs: Sequence[CasePair]) -> dict[str, list[CasePair]]:
    """Slice to its pairs, by name."""
    grouped: dict[str, list[CasePair]] = {}
    for both in pairs:
        grouped.setdefault(both.slice, []).append(both)
    return {name: grouped[name] for name in sorted(grouped)}
