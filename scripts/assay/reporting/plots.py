"""Rows for ``dvc plots``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from assay.models.result import Result, Tally
from assay.reporting.numbers import exact

PLACES = Decimal("0.000001")
"""Rates are rounded to this: differences below it are no news in a review."""

_COUNTS = ("expected", "passed", "failed", "not_evaluated", "errored", "excluded", "unmatched")
_RATES = ("pass_rate", "wilson_low", "wilson_high")


def rates_csv(results: Iterable[Result]) -> str:
    """One row for each suite and run: its rate, interval and counts, sorted.

    A rate that does not exist is an empty cell. Text that a spreadsheet would take for a formula
    begins with an apostrophe.
    """
    rows = [
        [r.context.suite, r.subject.run, *_numbers(r.overall), _flag(r.exploratory)]
        for r in _sorted(results)
    ]
    return _csv(["suite", "run", *_RATES, *_COUNTS, "exploratory"], rows)


def slices_csv(results: Iterable[Result]) -> str:
    """One row for each suite, slice and run, sorted; cells as in `rates_csv`."""
    rows = [
        [r.context.suite, name, r.subject.run, *_numbers(r.by_slice[name]), _flag(r.exploratory)]
        for r in _sorted(results)
        for name in sorted(r.by_slice)
    ]
    rows.sort(key=lambda row: row[:3])
    return _csv(["suite", "slice", "run", *_RATES, *_COUNTS, "exploratory"], rows)


def _sorted(results: Iterable[Result]) -> list[Result]:
    return sorted(results, key=lambda r: (r.context.suite, r.subject.run, r.exploratory, r.id))


def _rounded(rate: float | None) -> Decimal | None:
    return None if rate is None else exact(rate).quantize(PLACES, ROUND_HALF_EVEN).normalize()


def _numbers(tally: Tally) -> list[str]:
    rates = [_rounded(getattr(tally, name)) for name in _RATES]
    cells = ["" if rate is None else f"{rate:f}" for rate in rates]
    return cells + [str(getattr(tally, name)) for name in _COUNTS]


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
    return stream.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
