"""``docs/rules.md`` is what the rules say."""

from __future__ import annotations

from pathlib import Path

from assay.checks.explaining import rules_markdown
from assay.checks.runner import rules

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules.md"


def test_fresh(bless: bool) -> None:
    if bless:
        RULES.write_text(rules_markdown(), encoding="utf-8", newline="\n")
    assert RULES.read_text(encoding="utf-8") == rules_markdown(), "pytest tests/rules --bless"


def test_every_rule_stands_there_once() -> None:
    text = rules_markdown()
    for code in rules():
        assert text.count(f"\n### {code}\n") == 1
