"""The questions that `new` and `revise` ask on a terminal, each with a good default."""

from __future__ import annotations

from typing import get_args

import click

from assay.errors import UsageError
from assay.ledger.days import later
from assay.ledger.editing import field_names
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
    turns = tuple(_lines("What does the user say? One line a turn"))
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
    tools = ", ".join(repository.names.canonical_names()[:12])
    for field, text in (
        ("required_tools", f"Tools that must be called ({tools})"),
        ("forbidden_tools", "Tools that must not be called"),
        ("acceptable_answers", "Whole answers that are right"),
    ):
        given = _lines(text)
        if given:
            changes[field] = list(given)
    facts = _lines("Facts that the answer must state")
    if facts:
        changes["facts"] = [
            {"id": f"fact-{index}", "any_of": [fact]} for index, fact in enumerate(facts, 1)
        ]
    changes["as_of"] = str(click.prompt("The day it holds for", default=today, err=True))
    span = str(click.prompt("Expires on, or after", default="6m", err=True))
    changes["expires"] = later(str(changes["as_of"]), span)
    changes["rationale"] = list(_lines("Why is that right?"))
    return changes


def ask_revision(repository: Repository, case: str) -> dict[str, JsonValue]:
    """What the next revision changes."""
    from assay.cli.record_flags import json_or_text

    latest = repository.revisions[case][-1].record
    click.echo(f"{case}, revision {latest.revision}, {latest.status}", err=True)
    changes: dict[str, JsonValue] = {
        "change": _choice("Why a new revision", get_args(Change), "correction"),
        "status": _choice("Status", get_args(Status), latest.status),
    }
    changes["rationale"] = list(_lines("What was wrong, and how is that known?"))
    for line in _lines(f"Fields to change, FIELD=JSON ({', '.join(field_names()[4:20])} …)"):
        field, mark, text = line.partition("=")
        if not mark:
            raise UsageError(f"`{line}` assigns nothing.", hint="FIELD=JSON")
        changes[field.strip()] = json_or_text(text.strip())
    return changes
