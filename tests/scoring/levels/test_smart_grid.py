"""The tables of docs/levels.md, counted again over real runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.intake.support import shared_data
from tests.scoring.levels.smart_grid import (
    agreement_rows,
    judged_runs,
    level_rows,
    repeats,
    tag_rows,
)

PAGE = Path(__file__).parents[3] / "docs/levels.md"

pytestmark = pytest.mark.data


def test_the_tables_of_the_page_are_what_is_counted() -> None:
    runs = judged_runs(shared_data("runs", "smart-grid"))
    assert Counter(run.architecture for run in runs) == {"direct": 75, "plan-execute": 75}
    page = PAGE.read_text(encoding="utf-8")
    for row in (*level_rows(runs), *agreement_rows(runs), *tag_rows(runs)):
        assert row in page.splitlines(), row
    same, different = repeats(runs)
    words = " ".join(page.split())
    assert f"in {same} scenarios all five trials of *plan-execute*" in words
    assert f"different answers in {different} of the {same}." in words
    for run in runs:
        score = run.levels.score
        assert score is None or 0 <= score <= 1
