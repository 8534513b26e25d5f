"""What wrong labels do to a measured pass rate, and what can be said of the true one.

A label is wrong in one of two ways: it fails a right answer, or it passes a wrong one. With the
sensitivity Se (right answers that it passes) and the specificity Sp (wrong answers that it
fails), a true rate a is seen as ``a Se + (1 - a)(1 - Sp)``. The slope ``Se + Sp - 1`` is how much
of a true gap is left to be seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from assay.statistics.intervals import wilson_count

Number = int | Decimal | Fraction
"""A number that is exact."""


def observed_rate(true_rate: Number, sensitivity: Number, specificity: Number) -> Fraction:
    """The pass rate that is seen where `true_rate` is true: ``a Se + (1 - a)(1 - Sp)``."""
    a, se, sp = _share(true_rate), _share(sensitivity), _share(specificity)
    return a * se + (1 - a) * (1 - sp)


def slope(sensitivity: Number, specificity: Number) -> Fraction:
    """How much of a true gap is seen: ``Se + Sp - 1``; nothing at 0, the reverse below."""
    return _share(sensitivity) + _share(specificity) - 1


def slope_open(error_rate: Number) -> Fraction:
    """The slope for open answers: a wrong label passes nobody, so Sp is 1 and it is ``1 - e``."""
    return 1 - _share(error_rate)


def slope_closed(error_rate: Number, labels: int) -> Fraction:
    """The slope for one of `labels` closed answers, errors falling evenly on the others.

    ``(1 - e) - e / (q - 1)``: who is wrong is still passed by a label that is wrong likewise.

    Raises:
        ValueError: fewer than two labels.
    """
    if labels < 2:
        raise ValueError("a closed answer has two labels or more")
    e = _share(error_rate)
    return 1 - e - e / (labels - 1)


@dataclass(frozen=True)
class TrueRate:
    """A pass rate with the effect of wrong labels taken out."""

    rate: Fraction
    """The best guess, between 0 and 1."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end of its interval."""


def rogan_gladen(
    observed: Number,
    interval: tuple[float, float],
    sensitivity: Number,
    specificity: Number,
) -> TrueRate | None:
    """The true pass rate behind an observed one (Rogan, Gladen 1978).

    ``(p + Sp - 1) / (Se + Sp - 1)``; the interval goes the same way and so is widened by the
    factor 1 / slope. It takes Se and Sp as known: their own uncertainty is not in it.

    Returns:
        None where the slope is not above 0: the labels then say nothing.
    """
    left = slope(sensitivity, specificity)
    if left <= 0:
        return None
    shift = _share(specificity) - 1
    rate = (_share(observed) + shift) / left
    ends = [(end + float(shift)) / float(left) for end in interval]
    low, high = (min(1.0, max(0.0, end)) for end in ends)
    return TrueRate(min(Fraction(1), max(Fraction(0), rate)), low, high)


@dataclass(frozen=True)
class ErrorRate:
    """The share of wrong labels, from an audit of cases that were drawn at random."""

    overturned: int
    """Labels that the audit overturned."""
    audited: int
    """Labels that it looked at."""
    rate: Fraction
    """Overturned over audited."""
    low: float
    """Lower end of the 95 % Wilson interval."""
    high: float
    """Upper end of it."""

    @property
    def ceiling(self) -> tuple[float, float]:
        """Lowest and highest pass rate that a perfect agent can expect: 1 - e, as an interval."""
        return 1 - self.high, 1 - self.low


def error_rate(overturned: int, audited: int) -> ErrorRate | None:
    """The share of wrong labels from the random stratum of an audit; none of nothing.

    Only a random stratum estimates it: a queue that was mined for suspects gives the enrichment,
    which is another number.

    Raises:
        ValueError: more labels overturned than audited, or fewer than none.
    """
    low, high = wilson_count(overturned, audited)
    if low is None or high is None:
        return None
    return ErrorRate(overturned, audited, Fraction(overturned, audited), low, high)


def enrichment(mined: tuple[int, int], drawn: tuple[int, int]) -> Fraction | None:
    """How much more often a mined label is overturned than a random one; both as (part, whole).

    Returns:
        None where either was not audited, or no random label was overturned.
    """
    if not mined[1] or not drawn[1] or not drawn[0]:
        return None
    return Fraction(mined[0], mined[1]) / Fraction(drawn[0], drawn[1])


def _share(value: Number) -> Fraction:
    exact = Fraction(value)
    if not 0 <= exact <= 1:
        raise ValueError(f"{value} is not between 0 and 1")
    return exact
