"""ROUGE-1, ROUGE-2 and ROUGE-L as exact fractions.

Lin 2004, *ROUGE: A Package for Automatic Evaluation of Summaries*. On ASCII texts the values are
those of the ``rouge-score`` package without stemming; see `words` for every other script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assay.scoring.levels.words import words


class Rouge(NamedTuple):
    """How much two texts share, by one measure."""

    precision: Fraction
    """Share of the candidate that stands in the reference."""
    recall: Fraction
    """Share of the reference that stands in the candidate."""

    @property
    def f1(self) -> Fraction:
        """The harmonic mean of both; 0 where both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else Fraction(0)


@dataclass(frozen=True)
class Scores:
    """The three measures."""

    rouge1: Rouge
    """Single words."""
    rouge2: Rouge
    """Pairs of adjacent words."""
    rouge_l: Rouge
    """The longest common subsequence of words."""


def rouge(reference: str, candidate: str) -> Scores:
    """How much a candidate shares with a reference."""
    one, other = words(reference), words(candidate)
    return Scores(rouge_n(one, other, 1), rouge_n(one, other, 2), rouge_l(one, other))


def rouge_n(reference: Sequence[str], candidate: Sequence[str], n: int) -> Rouge:
    """Shared runs of `n` words; a run counts as often as both have it."""
    ours, theirs = _runs(reference, n), _runs(candidate, n)
    shared = sum(min(count, theirs[run]) for run, count in ours.items() if run in theirs)
    return _rouge(shared, max(ours.total(), 1), max(theirs.total(), 1))


def _runs(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def rouge_l(reference: Sequence[str], candidate: Sequence[str]) -> Rouge:
    """The longest common subsequence against the length of either."""
    if not reference or not candidate:
        return Rouge(Fraction(0), Fraction(0))
    return _rouge(common_subsequence(reference, candidate), len(reference), len(candidate))


def _rouge(shared: int, reference: int, candidate: int) -> Rouge:
    return Rouge(Fraction(shared, candidate), Fraction(shared, reference))


def common_subsequence(one: Sequence[object], other: Sequence[object]) -> int:
    """Length of the longest common subsequence.

    One row of the usual table is one integer, a bit a column (Hyyrö 2004): a bit is 0 where the
    length grows.
    """
    places: dict[object, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    full = (1 << len(one)) - 1
    row = full
    for item in other:
        hit = row & places.get(item, 0)
        row = (row + hit | row - hit) & full
    return len(one) - row.bit_count()
