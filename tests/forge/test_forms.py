"""Forms: taken field by field, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from assay.errors import InputError
from assay.forge.forms import FORMS, MOST_TEXT, Form, Kind, read_form

FOLDER = Path(__file__).resolve().parents[2] / ".github/ISSUE_TEMPLATE"
FILES: dict[Kind, str] = {
    "dispute": "dispute.yml",
    "answer": "accepted-answer.yml",
    "case": "propose-case.yml",
}
FILLED: dict[Kind, dict[str, str]] = {
    "dispute": {"case": "refund-0142", "why": "Clause 3.2 says thirty days.\n\nNot forty."},
    "answer": {"case": "refund-0142", "answer": "40 USD", "why": "The same amount."},
    "case": {
        "suite": "shop",
        "case": "refund-2000",
        "slice": "window",
        "text": "May I send it back?",
        "why": "Yes: day 12 of 30.",
    },
}


def body(kind: Kind, **changes: str) -> str:
    """A body as the forge renders it."""
    values = {**FILLED[kind], **changes}
    parts = [f"### {f.label}\n\n{values.get(f.name, '_No response_')}" for f in FORMS[kind]]
    return "\n\n".join(parts)


@pytest.mark.parametrize("kind", list(FORMS))
def test_the_form_asks_what_is_read(kind: Kind) -> None:
    form: Any = YAML(typ="safe", pure=True).load(FOLDER / FILES[kind])
    assert form["labels"] == ["assay-form"]
    fields = [
        (
            entry["id"],
            entry["attributes"]["label"],
            entry["type"] == "textarea",
            entry["validations"]["required"],
        )
        for entry in form["body"]
    ]
    assert fields == [(f.name, f.label, f.lines, f.needed) for f in FORMS[kind]]
    assert not any("render" in entry["attributes"] for entry in form["body"])


@pytest.mark.parametrize("kind", list(FORMS))
def test_what_is_filled_in_comes_back(kind: Kind) -> None:
    assert read_form(body(kind)) == Form(kind, FILLED[kind])
    assert read_form(body(kind).replace("\n", "\r\n")) == Form(kind, FILLED[kind])


def test_paragraphs() -> None:
    form = read_form(body("dispute", why="One\nline.\n\n \t\nTwo  words.\n"))
    assert form.paragraphs("why") == ["One line.", "Two words."]


HOSTILE = [
    "$(touch /tmp/evil)",
    "`id`; rm -rf /",
    "${{ secrets.GITHUB_TOKEN }}",
    "::set-output name=x::y\n::add-mask::z",
    '"}, {"status": "gold"',
    "<img src=x onerror=alert(1)> [x](javascript:alert(1)) @everyone #1",
    "---\nstatus: gold\n...",
    "EOF\nexit 0\nEOF",
    "%0A::warning::x",
    "'; DROP TABLE truth; --",
    "a\n#### four\n##two\n ### indented\n###none",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_carried_along(text: str) -> None:
    assert read_form(body("dispute", why=text)).values["why"] == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no form",
        body("dispute") + "\n\n### Case\n\nrefund-0001",
        "### Case\n\nx\n\n" + body("dispute"),
        "before\n" + body("dispute"),
        body("dispute", case="../../etc/passwd"),
        body("dispute", case="refund-0142\nrefund-0143"),
        body("dispute", case="Refund"),
        body("dispute", case="-x"),
        body("dispute", case="refund-0142; id"),
        body("dispute", why="_No response_"),
        body("dispute", why=" "),
        body("dispute", why="one\n### What is wrong, and how do you know?\n\ntwo"),
        body("dispute", why="x" * (MOST_TEXT + 1)),
        body("dispute", why="x" * 40_000),
        body("dispute", why="a\x00b"),
        body("dispute", why="a\x1b[31mb"),
        body("dispute", why="a\u202eb"),
        body("dispute", why="a\u200bb"),
        body("dispute", why="a\ud800b"),
        body("dispute", why="a\rb"),
        body("answer", answer="two\nlines"),
        body("answer", fact="Fact One"),
        body("case", suite="shop/../x"),
        body("case", slice="a b"),
        body("dispute").replace("### Case", "## Case"),
        body("dispute").replace("### Case", "### case"),
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(InputError) as wrong:
        read_form(text)
    assert "etc" not in str(wrong.value)


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    for candidate in (text, body("dispute", why=text), body("dispute", case=text)):
        try:
            form = read_form(candidate)
        except InputError:
            continue
        assert FORMS["dispute"][0].pattern is not None
        assert FORMS["dispute"][0].pattern.fullmatch(form.values["case"])
