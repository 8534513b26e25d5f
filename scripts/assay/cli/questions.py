"""The questions that `new` and `revise` ask on a terminal, each with a good default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from assay.cli.record_flags import json_or_text, required
from assay.errors import AssayError, UsageError
from assay.ledger.days import is_day, later
from assay.ledger.editing import field_names, likely_of, nearest
from assay.ledger.lifecycle import next_changes, next_statuses
from assay.ledger.repository import Repository
from assay.models.base import JsonValue

T = TypeVar("T")


def _lines(text: str) -> list[str]:
    """Lines until an empty one."""
    click.echo(f"{text} (an empty line ends it)", err=True)
    lines: list[str] = []
    while True:
        line = click.prompt("  ", default="", show_default=False, prompt_suffix="", err=True)
        if not line.strip():
            return lines
        lines.append(line.strip())


def some_lines(text: str) -> list[str]:
    """Lines until an empty one; asked again until there is one: no answer is lost for another."""
    while not (lines := _lines(text)):
        click.echo("  This one is needed.", err=True)
    return lines


def ask_until(today: str) -> str:
    """Until when a label is renewed: a day, or a span from today."""
    return _answer("Until", "6m", lambda text: later(today, text))


def ask_numbers(text: str, default: Sequence[int]) -> tuple[int, ...]:
    """Numbers with commas between them."""

    def check(given: str) -> str:
        if not all(part.strip().isdigit() for part in given.split(",")):
            raise UsageError(f"`{given}` is no list of numbers.")
        return given

    given = _answer(text, ", ".join(map(str, default)), check)
    return tuple(int(part) for part in given.split(","))


def ask_handles(text: str, default: Sequence[str]) -> tuple[str, ...]:
    """Handles with commas between them."""
    given = _answer(text, ", ".join(default), str)
    return tuple(part.strip() for part in given.split(",") if part.strip())


def _checked(text: str, check: Callable[[str], T]) -> list[T]:
    """Lines until an empty one; one that cannot be read is refused at once and asked again."""
    click.echo(f"{text} (an empty line ends it)", err=True)
    kept: list[T] = []
    while True:
        line = click.prompt("  ", default="", show_default=False, prompt_suffix="", err=True)
        if not line.strip():
            return kept
        try:
            kept.append(check(line.strip()))
        except AssayError as error:
            hint = f" {error.hint}" if error.hint else ""
            click.echo(f"  Not taken: {error.message}{hint}", err=True)


def _answer(text: str, default: str, check: Callable[[str], str]) -> str:
    """An answer that can be read; asked again until it is."""
    while True:
        given = str(click.prompt(text, default=default, err=True))
        try:
            return check(given)
        except AssayError as error:
            click.echo(f"  Not taken: {error.message}", err=True)


def _choice(text: str, options: tuple[str, ...], default: str) -> str:
    return str(click.prompt(text, type=click.Choice(options), default=default, err=True))


def ask_case(
    repository: Repository, case: str, suite: str | None
) -> tuple[str, tuple[str, ...], str, str]:
    """Suite, turns, slice and template of a new case."""
    suites = tuple(repository.suites)
    if not suites:
        raise UsageError("There is no suite.", hint="write cases/<suite>/suite.yaml first")
    chosen = suite or _choice("Suite", suites, suites[0])
    if chosen not in repository.suites:
        raise UsageError(f"No suite is called `{chosen}`.", hint=f"known: {', '.join(suites)}")
    turns = tuple(some_lines("What does the user say? One line a turn"))
    slices = sorted({entry.slice for entry in repository.suites[chosen].suite.cases.values()})
    slice_ = click.prompt(
        f"Slice ({', '.join(slices)})", default=slices[0] if slices else "main", err=True
    )
    template = click.prompt("Template", default=case, err=True)
    return chosen, turns, str(slice_), str(template)


def ask_first(repository: Repository, case: str) -> dict[str, JsonValue]:
    """Fields of a first record: what is asked for, and why it is right."""
    today = repository.params.model.today
    changes: dict[str, JsonValue] = {}
    versions = tuple(repository.policies_in_force(today).values())
    if versions:
        changes["policy_version"] = _choice("Policy that governs it", versions, versions[0])
    policy = changes.get("policy_version", "refunds-v7")

    def clause(text: str) -> JsonValue:
        if "#" not in text:
            raise UsageError(f"`{text}` names no clause.", hint=f"Write {policy}#3.2.")
        return text

    def tool(text: str) -> JsonValue:
        name, _, _ = text.partition(" ")
        if known and not repository.names.canonical(name):
            raise UsageError(f"No tool is called `{name}`.", hint=nearest(name, known))
        return required(text)

    def a_day(text: str) -> str:
        if not is_day(text):
            raise UsageError(f"`{text}` is no day; write it as YYYY-MM-DD.")
        return text

    known = repository.names.canonical_names()
    for field, text, check in (
        ("clauses", f"Clauses that make it right, such as {policy}#3.2", clause),
        (
            "required_tools",
            f"Tools that must be called, with arguments that matter as JSON ({', '.join(known)})",
            tool,
        ),
        ("forbidden_tools", "Tools that must not be called", lambda text: tool(text) and text),
        ("acceptable_answers", "Whole answers that are right, where nothing else is", str),
    ):
        given = _checked(text, check)
        if given:
            changes[field] = given
    facts = _lines("Facts that the answer must state, a line each: $40.00 | 40 dollars")
    if facts:
        changes["facts"] = [
            {
                "id": f"fact-{index}",
                "any_of": [part.strip() for part in fact.split("|") if part.strip()],
            }
            for index, fact in enumerate(facts, 1)
        ]
    day = _answer("The day it holds for", today, a_day)
    changes["as_of"] = day
    changes["expires"] = _answer("Expires on, or after", "6m", lambda text: later(day, text))
    changes["rationale"] = list(some_lines("Why is that right?"))
    return changes


def ask_revision(repository: Repository, case: str) -> dict[str, JsonValue]:
    """What the next revision changes; status and change are those that its life allows."""
    stored = repository.revisions[case][-1]
    latest = stored.record
    changes: dict[str, JsonValue] = {}
    shown = ", ".join(field_names()[4:20])
    for pair in _checked(f"Fields to change, FIELD=JSON ({shown} …)", _assignment):
        field, value = pair
        changes[field] = value
    changes["rationale"] = list(some_lines("What was wrong, and how is that known?"))
    statuses = tuple(status for status in next_statuses(latest) if status != "retired")
    default = latest.status if latest.status in statuses else statuses[0]
    changes["status"] = _choice("Status", statuses, default)
    status = next(item for item in statuses if item == changes["status"])
    # What fits is asked last, when it is known what changes.
    likely = likely_of(repository, case, changes)
    changes["change"] = _choice("Why a new revision", next_changes(latest, status), likely)
    return changes


def _assignment(line: str) -> tuple[str, JsonValue]:
    field, mark, text = line.partition("=")
    if not mark:
        raise UsageError(f"`{line}` assigns nothing.", hint="FIELD=JSON")
    if field.strip() not in field_names():
        raise UsageError(
            f"A record has no field `{field.strip()}`.", hint=nearest(field.strip(), field_names())
        )
    return field.strip(), json_or_text(text.strip())
