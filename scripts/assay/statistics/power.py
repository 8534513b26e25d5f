"""How many cases show a gap between two agents, and which gap a set of cases can show.

Two agents that answer the same cases are compared over the cases on which they disagree. With
a share psi of such cases, a true gap of d is found with the power 1 - b at the level a when

    n >= (z[a/2] sqrt(psi) + z[b] sqrt(psi - d^2))^2 / d^2

(Miller, *Adding Error Bars to Evals*, arXiv 2411.00640, and the classic sample size for
McNemar's test). The formula is solved for d on a grid of a tenth of a point.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

LEVEL = Decimal("0.05")
"""Level of a two-sided test, where nothing else is asked for."""

Z_LEVEL = Decimal("1.959963984540054")
"""Upper quantile of the normal distribution at 0.025: two sides, level 0.05."""

Z_POWER = Decimal("0.8416212335729143")
"""Upper quantile of the normal distribution at 0.2: 80 % power."""

DISCORDANT = Decimal("0.10")
"""Share of cases on which two agents disagree, where nothing better is known."""

FEWEST_PAIRS = 6
"""With fewer disagreements not even a unanimous outcome is significant at `LEVEL` (5 to 0:
p = 0.0625)."""

_EXACT = Context(prec=40)
_GRID = Decimal("0.001")


def fewest_pairs(alpha: Decimal = LEVEL) -> int:
    """So many disagreements, all to one side, are significant: the smallest m, 2^(1 - m) < alpha.

    Raises:
        ValueError: the level is not above 0.
    """
    if alpha <= 0:
        raise ValueError("a level is above 0")
    number = 1
    while Fraction(2, 2**number) >= Fraction(alpha):
        number += 1
    return number


def _quantile(alpha: Decimal) -> Decimal:
    if alpha == LEVEL:
        return Z_LEVEL
    from statistics import NormalDist

    return Decimal(f"{NormalDist().inv_cdf(1 - float(alpha) / 2):.12f}")


def needed_cases(
    gap: Decimal,
    discordant: Decimal = DISCORDANT,
    *,
    label_errors: Decimal = Decimal(0),
    alpha: Decimal = LEVEL,
) -> Decimal:
    """How many cases show a true gap (0 to 1), by the formula above.

    Args:
        gap: the true gap.
        discordant: share of the cases on which the agents disagree.
        label_errors: share of wrong labels among open answers; it shrinks every gap by as much.
        alpha: level of the test.

    Raises:
        ValueError: the gap that can be seen is not above 0.
    """
    seen = gap * (1 - label_errors)
    if seen <= 0:
        raise ValueError("a gap is above 0")
    square = _EXACT.multiply(seen, seen)
    rest = max(Decimal(0), discordant - square)
    root = _EXACT.add(
        _EXACT.multiply(_quantile(alpha), _EXACT.sqrt(discordant)),
        _EXACT.multiply(Z_POWER, _EXACT.sqrt(rest)),
    )
    return _EXACT.divide(_EXACT.multiply(root, root), square)


def smallest_visible_gap(
    cases: int,
    *,
    discordant: Decimal = DISCORDANT,
    label_errors: Decimal = Decimal(0),
    alpha: Decimal = LEVEL,
) -> Decimal | None:
    """The smallest true gap that `cases` can show, in points (percent), rounded up to 0.1.

    Args:
        cases: number of cases that both agents were evaluated on.
        discordant: share of the cases on which the agents disagree.
        label_errors: share of wrong labels among open answers; it shrinks every gap by as much.
        alpha: level of the test.

    Returns:
        None where so few pairs disagree that no gap is significant.
    """
    if int(discordant * cases) < fewest_pairs(alpha) or label_errors >= 1:
        return None
    for step in range(1, 1001):
        gap = step * _GRID
        if needed_cases(gap, discordant, label_errors=label_errors, alpha=alpha) <= cases:
            return gap * 100
    return None
