"""Wrong labels: what they do to a rate, and what can be said of it all the same.

With a the true rate, Se the share of right answers that the label passes and Sp the share of
wrong ones that it fails, a measured rate is ``a Se + (1 - a) (1 - Sp)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.statistics.intervals import wilson


@dataclass(frozen=True)
class ErrorRate:
    """The share e of wrong labels, from an audit of labels that were drawn by chance."""

    value: Fraction
    """Overturned divided by audited."""
    low: float
    """Lower end of its 95 % Wilson interval."""
    high: float
    """Upper end of it."""

    @property
    def ceiling(self) -> tuple[float, float]:
        """What a perfect agent may reach, 1 - e: lowest and highest that the audit allows."""
        return 1 - self.high, 1 - self.low


def error_rate(overturned: int, audited: int) -> ErrorRate:
    """The share of wrong labels; only a random stratum estimates it, never a mined queue.

    Raises:
        ValueError: nothing was audited, or more was overturned than that.
    """
    if not 0 <= overturned <= audited or audited == 0:
        raise ValueError("overturned is between 0 and audited, and audited is above 0")
    value = Fraction(overturned, audited)
    low, high = wilson(value, audited)
    assert low is not None
    assert high is not None
    return ErrorRate(value, low, high)


def measured(true: Fraction, sensitivity: Fraction, specificity: Fraction) -> Fraction:
    """The rate that labels of this quality show for a true rate."""
    return true * sensitivity + (1 - true) * (1 - specificity)


def slope(sensitivity: Fraction, specificity: Fraction) -> Fraction:
    """By how much a measured gap is smaller than the true one: Se + Sp - 1."""
    return sensitivity + specificity - 1


def slope_of_labels(errors: Fraction, labels: int | None = None) -> Fraction:
    """The slope where a share of the labels is wrong.

    Open answers: 1 - e, for a wrong label then passes nobody. With q closed labels and errors
    spread evenly: (1 - e) - e / (q - 1).

    Args:
        errors: share of wrong labels.
        labels: how many closed labels there are; none for open answers.

    Raises:
        ValueError: fewer than two closed labels.
    """
    if labels is None:
        return 1 - errors
    if labels < 2:
        raise ValueError("closed labels are two or more")
    return (1 - errors) - errors / (labels - 1)


@dataclass(frozen=True)
class Corrected:
    """A rate with the effect of wrong labels taken out."""

    value: Fraction
    """The rate, kept between 0 and 1."""
    low: float
    """Lower end of its interval."""
    high: float
    """Upper end of it."""


def rogan_gladen(
    rate: Fraction, low: float, high: float, sensitivity: Fraction, specificity: Fraction
) -> Corrected | None:
    """The true rate behind a measured one: ``(p + Sp - 1) / (Se + Sp - 1)``.

    The interval is corrected at its ends, and is thus wider by the factor of 1 / slope (Rogan and
    Gladen 1978). What lies outside 0 and 1 is brought back to the edge.

    Returns:
        None where the labels say nothing: a slope of 0 or below.
    """
    by = slope(sensitivity, specificity)
    if by <= 0:
        return None
    shift = float(specificity - 1)

    def end(value: float) -> float:
        return min(1.0, max(0.0, (value + shift) / float(by)))

    value = min(Fraction(1), max(Fraction(0), (rate + specificity - 1) / by))
    return Corrected(value, end(low), end(high))
