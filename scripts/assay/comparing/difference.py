"""B against A on the same cases: how large the difference is, and what may be said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from assay.comparing.pairs import Pair
from assay.models.comparison import Answer, Interval, PairedDifference, Pairs, TrialDifference
from assay.statistics.bootstrap import Bootstrap, cluster_bootstrap
from assay.statistics.multiple import holm
from assay.statistics.paired import FEWEST, Table, mcnemar_exact, paired_error, score_interval
from assay.statistics.power import smallest_visible_gap
from assay.statistics.trials import mean, pass_at_k, pass_hat_k

ALPHA = Decimal("0.05")
"""Level of a test where nothing else is asked for."""

Row = tuple[str, Fraction, Fraction]
"""Cluster of a pair, value in A, value in B."""


def passes(
    pairs: Iterable[Pair], *, alpha: Decimal = ALPHA, label_errors: Decimal | None = None
) -> PairedDifference:
    """Pass rates compared; trials are averaged within a case first.

    Where every case passed in all of its trials or in none, pairs are counted and McNemar's exact
    test decides; where cases share clusters, the bootstrap over clusters must agree with it.
    Otherwise the bootstrap over the per-case means decides.
    """
    chosen = list(pairs)
    rows = [(p.cluster, Fraction(*p.a.share), Fraction(*p.b.share)) for p in chosen]
    return _difference(rows, _table(rows), alpha, label_errors, gaps=True)


def scores(pairs: Iterable[Pair], *, alpha: Decimal = ALPHA) -> PairedDifference | None:
    """Graded scores compared, over the pairs that have one on both sides; none where none has."""
    rows: list[Row] = []
    for p in pairs:
        if p.a.score is not None and p.b.score is not None:
            rows.append((p.cluster, p.a.score, p.b.score))
    return _difference(rows, None, alpha, None, gaps=False) if rows else None


def by_slice(
    pairs: Sequence[Pair], *, alpha: Decimal = ALPHA, label_errors: Decimal | None = None
) -> dict[str, PairedDifference]:
    """The same for each slice, by name, with p after Holm over all slices.

    A slice whose p cannot be had counts as p = 1, so that it takes its share of the level.
    """
    groups: dict[str, list[Pair]] = {}
    for p in pairs:
        groups.setdefault(p.slice, []).append(p)
    names = sorted(groups)
    found = [passes(groups[name], alpha=alpha, label_errors=label_errors) for name in names]
    return dict(zip(names, with_holm(found, alpha), strict=True))


def with_holm(found: Sequence[PairedDifference], alpha: Decimal) -> list[PairedDifference]:
    """The same differences, told as one family of tests: adjusted p, and the answer by it.

    For a gate the family is the suite as a whole and its slices.
    """
    adjusted = holm([1.0 if item.p is None else item.p for item in found])
    return [
        item.model_copy(
            update={
                "adjusted": None if item.p is None else p,
                "answer": _answer(
                    item.difference,
                    None if item.p is None else p,
                    alpha,
                    enough=item.smallest_gap is not None,
                ),
            }
        )
        for item, p in zip(found, adjusted, strict=True)
    ]


def trial_rates(pairs: Iterable[Pair]) -> tuple[TrialDifference, ...]:
    """pass^k and pass@k of both sides over the same pairs; empty where a side has single trials."""
    counts = [(p.a.share, p.b.share) for p in pairs]
    most = max((min(a[1], b[1]) for a, b in counts), default=0)
    if most < 2:
        return ()
    found: list[TrialDifference] = []
    for k in range(1, most + 1):
        able = [(a, b) for a, b in counts if min(a[1], b[1]) >= k]
        rates = [
            rate(side, k).rate
            for rate in (pass_hat_k, pass_at_k)
            for side in ([a for a, _ in able], [b for _, b in able])
        ]
        a_hat, b_hat, a_at, b_at = (float(rate or 0) for rate in rates)
        found.append(
            TrialDifference(
                k=k,
                cases=len(able),
                a_pass_hat_k=a_hat,
                b_pass_hat_k=b_hat,
                a_pass_at_k=a_at,
                b_pass_at_k=b_at,
            )
        )
    return tuple(found)


def _table(rows: Sequence[Row]) -> Table | None:
    """Counted pairs; none where a case passed in some of its trials only."""
    counts = {(a, b): 0 for a in (0, 1) for b in (0, 1)}
    for _, a, b in rows:
        if a.denominator != 1 or b.denominator != 1:
            return None
        counts[int(a), int(b)] += 1
    return Table(counts[1, 1], counts[1, 0], counts[0, 1], counts[0, 0])


def _difference(
    rows: Sequence[Row],
    table: Table | None,
    alpha: Decimal,
    label_errors: Decimal | None,
    *,
    gaps: bool,
) -> PairedDifference:
    differences = [(cluster, b - a) for cluster, a, b in rows]
    clusters = len({cluster for cluster, _ in differences})
    independent = clusters == len(rows)
    drawn = None if table is not None and independent else cluster_bootstrap(differences)
    counted = None if table is None else float(mcnemar_exact(table.lost, table.gained))
    a = mean([(value.numerator, value.denominator) for _, value, _ in rows])
    b = mean([(value.numerator, value.denominator) for _, _, value in rows])
    change = None if a is None or b is None else b - a
    p = _p(counted, drawn) if rows else None
    low, high, how = _interval(table, drawn)
    gap = smallest_visible_gap(len(rows)) if gaps else None
    noisy = (
        smallest_visible_gap(len(rows), label_errors=label_errors)
        if gaps and label_errors is not None
        else None
    )
    # Scores have no share of discordant pairs: there the test alone says what can be seen.
    enough = gap is not None if gaps else clusters >= FEWEST
    return PairedDifference(
        cases=len(rows),
        clusters=clusters,
        pairs=None
        if table is None
        else Pairs(both=table.both, lost=table.lost, gained=table.gained, neither=table.neither),
        a=None if a is None else float(a),
        b=None if b is None else float(b),
        difference=None if change is None else float(change),
        exact=None if change is None else str(change),
        low=low,
        high=high,
        interval=how,
        standard_error=paired_error(differences),
        mcnemar=counted if rows else None,
        bootstrap=None if drawn is None else drawn.p,
        p=p,
        answer=_answer(change, p, alpha, enough=enough),
        smallest_gap=gap,
        smallest_gap_with_errors=noisy,
    )


def _p(counted: float | None, drawn: Bootstrap | None) -> float | None:
    if drawn is None:
        return counted
    if drawn.p is None or counted is None:
        return drawn.p
    return max(drawn.p, counted)


def _interval(
    table: Table | None, drawn: Bootstrap | None
) -> tuple[float | None, float | None, Interval | None]:
    if drawn is not None:
        return drawn.low, drawn.high, None if drawn.method == "none" else drawn.method
    if table is None or not table.pairs:
        return None, None, None
    low, high = score_interval(table)
    return low, high, "score"


def _answer(
    change: Fraction | float | None, p: float | None, alpha: Decimal, *, enough: bool
) -> Answer:
    if change is None or p is None:
        return "cannot_tell"
    if change and Fraction(p) < Fraction(alpha):
        return "better" if change > 0 else "worse"
    return "no_difference_shown" if enough else "cannot_tell"
