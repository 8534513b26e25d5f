from __future__ import annotations

import csv
import io

from assay.reporting import plots
from tests.reporting import examples as e


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_rates() -> None:
    text = plots.rates_csv(e.printed_results())
    assert "\r" not in text
    table = rows(text)
    assert [(row["suite"], row["run"]) for row in table] == sorted(
        (r.context.suite, r.subject.run) for r in e.printed_results()
    )
    (hasty,) = (row for row in table if (row["suite"], row["run"]) == ("refunds", "hasty"))
    assert hasty["pass_rate"] == "0.525424"
    assert (hasty["failed"], hasty["excluded"], hasty["expected"]) == ("56", "14", "132")
    assert plots.rates_csv(e.printed_results()[::-1]) == text


def test_slices() -> None:
    table = rows(plots.slices_csv(e.refund_results()))
    assert [(row["slice"], row["run"]) for row in table] == sorted(
        (row["slice"], row["run"]) for row in table
    )
    assert {row["slice"] for row in table} == {"faulty item", "question"}


def test_no_rate_is_an_empty_cell() -> None:
    (row,) = rows(plots.rates_csv([e.result("a", "refunds", e.tally(excluded=2))]))
    assert row["pass_rate"] == ""
    assert row["excluded"] == "2"


def test_cells_are_no_formulas() -> None:
    (row,) = rows(plots.rates_csv([e.result("=1+1", "refunds", e.tally(1, 1))]))
    assert row["run"] == "'=1+1"
