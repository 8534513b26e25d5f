"""Owners files in which a later line undoes the protection of truth."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from assay.ledger.owners.lookup import owners_of, takeovers
from assay.ledger.owners.syntax import parse_owners
from tests.situations.given import folder

pytestmark = pytest.mark.data


def required(path: str) -> str | None:
    return "@labels" if path.startswith(("truth/", "holdout/")) else None


@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5"])
def test_the_last_match_wins(number: str) -> None:
    given = folder("40")
    wanted: dict[str, Any] = json.loads((given / "expected.json").read_text())[number]
    text = parse_owners((given / f"CODEOWNERS_{number}").read_bytes(), "github")
    check = wanted.pop("check")
    for path, owners in wanted.items():
        assert list(owners_of(text, path)) == owners, path
    paths = (given / "paths.txt").read_text().split()
    lost = takeovers(text, paths, required)
    assert bool(lost) == (check != "ok")
    named = re.search(r"line ([0-9]+)", check)
    if named:
        lines = {item.line.number for item in lost if item.line}
        lines |= {problem.line for problem in text.problems}
        assert lines == {int(named[1])}
    if "no pattern" in check:
        assert "has no pattern" in text.problems[0].message
