"""More cases in a ``suite.yaml`` that somebody has written: nothing else of it changes."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.files.yamls import parse_yaml
from assay.ledger.suite_text import extended
from assay.models.case import CaseAttributes, Suite

HEAD = (
    "# Ours.\nsuite: shop\ntitle:   'A shop'  # two blanks\nowner: ana\n"
    "canary: 00000000-0000-4000-8000-000000000001\nlicence: CC0-1.0\n"
)
NEW = {"b": CaseAttributes(slice="late", template="t")}


@pytest.mark.parametrize(
    "cases",
    [
        "cases: {}\n",
        "cases:\n  a: {slice: early, template: t} # kept\n",
        "cases:\n  # first\n\n    a:\n      slice: early\n",
        "cases:\n  a: {slice: early}\nlanguage: de # behind\n",
        "",
    ],
)
def test_one_entry_more_and_nothing_else(cases: str) -> None:
    text = HEAD + cases
    before = parse_yaml(text, name="s").require(Suite)
    longer = extended(text, NEW, name="s")
    after = parse_yaml(longer, name="s").require(Suite)
    assert after == before.model_copy(update={"cases": {**before.cases, **NEW}})
    kept = [line for line in text.splitlines() if line != "cases: {}"]
    assert [line for line in longer.splitlines() if line in kept] == kept
    assert extended(longer, NEW, name="s") == longer


def test_cases_on_one_line_cannot_be_extended() -> None:
    with pytest.raises(InputError, match="cannot be inserted"):
        extended(HEAD + "cases: {a: {slice: early}}\n", NEW, name="s")
