"""Whether the gate could judge a suite today: coverage against its floor, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from assay.models.compiled import EffectiveTruth
from assay.reporting.numbers import percent, trimmed


@dataclass(frozen=True)
class Readiness:
    """Coverage of one suite."""

    suite: str
    """Name of the suite."""
    gating: int
    """Cases that gate."""
    cases: int
    """Cases that are not retired."""
    floor: Decimal | None
    """Coverage (0 to 1) under which the gate refuses; none where no floor is set."""
    reasons: tuple[tuple[str, int], ...]
    """Why cases do not gate, with how many, the most frequent first."""

    @property
    def coverage(self) -> Fraction | None:
        """Gating cases over cases that are not retired."""
        return Fraction(self.gating, self.cases) if self.cases else None

    @property
    def ready(self) -> bool:
        """Something gates, and the coverage is not under the floor."""
        coverage = self.coverage
        if not self.gating or coverage is None:
            return False
        return self.floor is None or coverage >= Fraction(self.floor)

    @property
    def words(self) -> str:
        """``yes (89.4 %, floor 85)``; where not ready, the most frequent reason as well."""
        coverage = self.coverage
        if coverage is None:
            return "no (no cases)"
        share = percent(Decimal(coverage.numerator) / Decimal(coverage.denominator))
        text = f"{share} %"
        if self.floor is not None:
            text += f", floor {trimmed(self.floor * 100)}"
        if self.ready:
            return f"yes ({text})"
        if self.reasons:
            text += f"; {self.reasons[0][0]}: {self.reasons[0][1]:,}"
        return f"no ({text})"


def readiness(
    truths: Sequence[EffectiveTruth], floors: Mapping[str, Decimal], suites: Sequence[str] = ()
) -> list[Readiness]:
    """Coverage of every suite that has truth, in the order of `suites`, then by name."""
    order = {suite: position for position, suite in enumerate(suites)}
    names = sorted({t.suite for t in truths}, key=lambda s: (order.get(s, len(order)), s))
    return [
        _suite(name, [t for t in truths if t.suite == name], floors.get(name)) for name in names
    ]


def _suite(name: str, truths: Sequence[EffectiveTruth], floor: Decimal | None) -> Readiness:
    kept = [t for t in truths if t.record is None or t.record.status != "retired"]
    reasons = Counter(
        reason for t in kept for reason in (("not scored",) if t.exclusions else t.not_gating)
    )
    ordered = tuple(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
    return Readiness(name, sum(t.gates for t in kept), len(kept), floor, ordered)
