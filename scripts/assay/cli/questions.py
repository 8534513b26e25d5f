"""The questions that `new` and `revise` ask on a terminal, each with a good default."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import click

from assay.cli.record_flags import json_or_text, required
from assay.errors import AssayError, UsageError
from assay.ledger.days import is_day, later
from assay.ledger.editing import field_names, nearest
from assay.ledger.repository import Repository
from assay.models.base import JsonValue
from assay.models.truth import Change, Status


def _lines(text: str) -> list[str]:
    """Lines until an empty one."""
    click.echo(f"{text} (an empty line ends it)", err=True)
    lines: list[str] = []
    while True:
        line = click.prompt("  ", default="", show_default=False, prompt_suffix="", err=True)
        if not line.strip():
            return lines
        lines.append(line.strip())


def _some_lines(text: str) -> list[str]:
    """Lines until an empty one; asked again until there is one: no answer is lost for another."""
    while not (lines := _lines(text)):
        click.echo("  This one is needed.", err=True)
    return lines


def _checked(text: str, check: Callable[[str], JsonValue]) -> list[JsonValue]:
    """Lines until an empty one; one that cannot be read is refused at once and asked again."""
    click.echo(f"{text} (an empty line ends it)", err=True)
    kept: list[JsonValue] = []
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
    turns = tuple(_some_lines("What does the user say? One line a turn"))
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
    changes["rationale"] = list(_some_lines("Why is that right?"))
    return changes


def ask_revision(repository: Repository, case: str) -> dict[str, JsonValue]:
    """What the next revision changes."""
    latest = repository.revisions[case][-1].record
    click.echo(f"{case}, revision {latest.revision}, {latest.status}", err=True)
    change = _choice("Why a new revision", get_args(Change), "correction")
    status = {"dispute": "disputed", "retire": "retired"}.get(change, latest.status)
    changes: dict[str, JsonValue] = {
        "change": change,
        "status": _choice("Status", get_args(Status), status),
    }
    changes["rationale"] = list(_some_lines("What was wrong, and how is that known?"))
    for line in _lines(f"Fields to change, FIELD=JSON ({', '.join(field_names()[4:20])} …)"):
        field, mark, text = line.partition("=")
        if not mark:
            raise UsageError(f"`{line}` assigns nothing.", hint="FIELD=JSON")
        changes[field.strip()] = json_or_text(text.strip())
    return changes
