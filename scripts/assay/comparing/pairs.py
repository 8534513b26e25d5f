"""Which cases of two sides are compared with each other, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.comparing.sides import NO_SLICE, Side, SideCase
from assay.models.comparison import Changed, OneSided, Pairing

_NOT_SCORABLE = ("excluded", "absent")


@dataclass(frozen=True)
class Pair:
    """One case with a verdict on both sides."""

    a: SideCase
    """The case in A."""
    b: SideCase
    """The case in B."""

    @property
    def case_id(self) -> str:
        """The case."""
        return self.a.case_id

    @property
    def cluster(self) -> str:
        """Its cluster: what A says, or else B."""
        return self.a.cluster if self.a.cluster != self.case_id else self.b.cluster

    @property
    def slice(self) -> str:
        """Its slice: what A says, or else B."""
        return self.a.slice if self.a.slice != NO_SLICE else self.b.slice

    @property
    def changed(self) -> Literal["truth", "case", "unknown"] | None:
        """What is not the same on both sides; none where it is proved that nothing is."""
        hashes = (self.a.content_hash, self.b.content_hash)
        digests = (self.a.case_digest, self.b.case_digest)
        if None not in hashes and hashes[0] != hashes[1]:
            return "truth"
        if None not in digests and digests[0] != digests[1]:
            return "case"
        return "unknown" if None in (*hashes, *digests) else None


@dataclass(frozen=True)
class Paired:
    """The cases of two sides, put together."""

    pairs: tuple[Pair, ...]
    """Cases that are compared, by id."""
    pairing: Pairing
    """How every case was dealt with."""


def pair(a: Side, b: Side, *, unchanged: bool = False) -> Paired:
    """Put the cases of two sides together.

    Args:
        a: the first side.
        b: the second side.
        unchanged: only cases whose record and whose content are the same on both sides, proved by
            hash. Where the sides were scored on equal cases as a whole (``context.cases``), the
            digest of the single case need not be known.
    """
    same_cases = (
        a.context is not None and b.context is not None and (a.context.cases == b.context.cases)
    )
    names = sorted({*a.names, *b.names})
    pairs: list[Pair] = []
    only_a: list[OneSided] = []
    only_b: list[OneSided] = []
    unevaluated: list[OneSided] = []
    neither: list[OneSided] = []
    changed: list[Changed] = []
    for name in names:
        here, there = a.why(name), b.why(name)
        if here is None and there is None:
            both = Pair(a.cases[name], b.cases[name])
            what = _changed(both, same_cases) if unchanged else None
            if what is None:
                pairs.append(both)
            else:
                changed.append(Changed(case_id=name, what=what))
            continue
        entry = OneSided(case_id=name, a=here, b=there)
        if here in _NOT_SCORABLE and there in _NOT_SCORABLE:
            neither.append(entry)
        elif there in _NOT_SCORABLE:
            only_a.append(entry)
        elif here in _NOT_SCORABLE:
            only_b.append(entry)
        else:
            unevaluated.append(entry)
    pairing = Pairing(
        cases=len(names),
        pairs=len(pairs),
        only_a=tuple(only_a),
        only_b=tuple(only_b),
        unevaluated=tuple(unevaluated),
        neither=tuple(neither),
        changed=tuple(changed),
    )
    return Paired(tuple(pairs), pairing)


def _changed(both: Pair, same_cases: bool) -> Literal["truth", "case", "unknown"] | None:
    if not same_cases:
        return both.changed
    hashes = (both.a.content_hash, both.b.content_hash)
    if None in hashes:
        return "unknown"
    return None if hashes[0] == hashes[1] else "truth"
