"""The questions that are asked on a terminal: no wrong answer costs the right ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from assay.cli import questions
from assay.errors import UsageError
from assay.ledger.days import later


class _Names:
    def canonical_names(self) -> tuple[str, ...]:
        return ("book_desk", "find_desk")

    def canonical(self, name: str) -> tuple[str, ...]:
        return (name,) if name in self.canonical_names() else ()


class _Repository:
    names = _Names()
    params = SimpleNamespace(model=SimpleNamespace(today="2026-11-30"))

    def policies_in_force(self, today: str) -> dict[str, str]:
        return {"desks": "desks-v1"}


def _ask(answers: list[str]) -> tuple[dict[str, Any], str]:
    import click

    taken: dict[str, Any] = {}

    @click.command()
    def command() -> None:
        taken.update(questions.ask_first(_Repository(), "desk-1"))  # type: ignore[arg-type]

    done = CliRunner().invoke(command, input="\n".join(answers) + "\n", catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return taken, done.output


def test_a_wrong_answer_is_asked_again() -> None:
    taken, shown = _ask(
        [
            "",  # policy
            "3.2", "desks-v1#3.2", "",
            "book_dsk", 'book_desk {"desk": 7', 'book_desk {"desk": 7}', "find_desk", "",
            "", "",
            "desk 7 | seventh desk", "",
            "yesterday", "2026-11-20",
            "soon", "6m",
            "", "Clause 3.2 gives everybody one desk.", "",
        ]
    )  # fmt: skip
    assert taken == {
        "policy_version": "desks-v1",
        "clauses": ["desks-v1#3.2"],
        "required_tools": [{"tool": "book_desk", "args": {"desk": 7}}, "find_desk"],
        "facts": [{"id": "fact-1", "any_of": ["desk 7", "seventh desk"]}],
        "as_of": "2026-11-20",
        "expires": "2027-05-20",
        "rationale": ["Clause 3.2 gives everybody one desk."],
    }
    assert "did you mean book_desk?" in shown
    assert shown.count("Not taken") == 5


@pytest.mark.parametrize(
    ("day", "span"), [("foo", "6m"), ("9999-12-01", "6m"), ("9999-12-31", "9w")]
)
def test_a_span_that_leads_nowhere_is_refused(day: str, span: str) -> None:
    with pytest.raises(UsageError):
        later(day, span)
