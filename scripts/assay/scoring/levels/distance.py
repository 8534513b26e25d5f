"""How many steps of a sequence must be put in, left out or replaced to make it another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction


def levenshtein(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Levenshtein 1966; one column of the usual table is a pair of integers (Myers 1999)."""
    if not one or not other:
        return len(one) + len(other)
    places: dict[Hashable, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    full = (1 << len(one)) - 1
    last = 1 << (len(one) - 1)
    up, down = full, 0
    score = len(one)
    for item in other:
        here = places.get(item, 0)
        straight = (((here & up) + up) ^ up) | here | down
        grows = down | ~(straight | up) & full
        shrinks = up & straight
        if grows & last:
            score += 1
        elif shrinks & last:
            score -= 1
        grows = (grows << 1 | 1) & full
        shrinks = (shrinks << 1) & full
        up = shrinks | ~(straight | grows) & full
        down = grows & straight
    return score


def sequence_similarity(expected: Sequence[Hashable], observed: Sequence[Hashable]) -> Fraction:
    """1 − distance / length of the longer one; 1 where both are empty."""
    longest = max(len(expected), len(observed))
    return 1 - Fraction(levenshtein(expected, observed), longest) if longest else Fraction(1)
