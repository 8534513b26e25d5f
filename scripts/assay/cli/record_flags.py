"""The flags that say what a record holds; `new` and `revise` share them.

Flags that may be repeated add to what is there; ``--set FIELD=JSON`` replaces a whole field.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.errors import UsageError
from assay.models.base import JsonValue

F = TypeVar("F", bound=Callable[..., Any])

_FLAGS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "--status",
        "status",
        {"metavar": "STATUS", "help": "draft, silver, gold, disputed, retired."},
    ),
    ("--change", "change", {"metavar": "CHANGE", "help": "Why there is a new revision."}),
    ("--why", "rationale", {"multiple": True, "help": "A sentence of the rationale."}),
    ("--clause", "clauses", {"multiple": True, "help": "A clause, refunds-v7#3.2."}),
    (
        "--require",
        "require",
        {"multiple": True, "metavar": "TOOL [JSON]", "help": "A tool that must be called."},
    ),
    ("--forbid", "forbidden_tools", {"multiple": True, "help": "A tool that must not be called."}),
    ("--answer", "acceptable_answers", {"multiple": True, "help": "An accepted whole answer."}),
    (
        "--fact",
        "fact",
        {"multiple": True, "metavar": "ID=TEXT", "help": "What the answer must state."},
    ),
    (
        "--must-not-state",
        "must_not",
        {"multiple": True, "metavar": "ID=TEXT", "help": "What it must not state."},
    ),
    (
        "--criterion",
        "criterion",
        {"multiple": True, "metavar": "ID=TEXT", "help": "A question of the rubric."},
    ),
    ("--policy", "policy", {"multiple": True, "help": "Policy version that was read."}),
    ("--as-of", "as_of", {"metavar": "DAY", "help": "The day the label holds for."}),
    ("--expires", "expires", {"metavar": "DAY|SPAN", "help": "2027-03-18, or 6m from as-of."}),
    ("--labeler", "labelers", {"multiple": True, "help": "Who labelled it."}),
    ("--adjudicator", "adjudicator", {"help": "Who signs for it."}),
    ("--drafted-by", "drafted_by", {"help": "Model or person that drafted it."}),
    ("--evidence", "evidence", {"multiple": True, "help": "What it rests on."}),
)


def record_flags(command: F) -> F:
    """All flags of a record."""
    command = click.option(
        "--from",
        "from_file",
        type=click.Path(path_type=Path),
        help="JSON file with fields of the record; flags go before it.",
    )(command)
    command = click.option("--unset", multiple=True, metavar="FIELD", help="Remove a field.")(
        command
    )
    command = click.option(
        "--set",
        "assignments",
        multiple=True,
        metavar="FIELD=JSON",
        help="Replace a field; text need not be quoted.",
    )(command)
    for name, parameter, settings in reversed(_FLAGS):
        command = click.option(name, parameter, **settings)(command)
    return command


def changes_of(
    given: dict[str, Any], before: dict[str, JsonValue], today: str
) -> dict[str, JsonValue]:
    """What the flags change.

    Args:
        given: values of the flags, by parameter.
        before: the record as it is, for flags that add to a field.
        today: the day that a span of ``--expires`` counts from where there is no `as_of`.

    Returns:
        Field to new value; null removes it.

    Raises:
        UsageError: a flag that cannot be understood.
        InputError: the file of ``--from`` cannot be read.
    """
    changes: dict[str, JsonValue] = {}
    if given["from_file"] is not None:
        changes.update(_from_file(given["from_file"]))
    for assignment in given["assignments"]:
        field, mark, text = assignment.partition("=")
        if not mark:
            raise UsageError(f"`{assignment}` assigns nothing.", hint="--set FIELD=JSON")
        changes[field.strip()] = json_or_text(text)
    for field in given["unset"]:
        changes[field] = None
    for field in ("status", "change", "as_of", "adjudicator", "drafted_by"):
        if given[field] is not None:
            changes[field] = given[field]
    if given["rationale"]:
        # The rationale says why this revision exists: it starts anew.
        changes["rationale"] = list(given["rationale"])

    def add(field: str, items: list[JsonValue]) -> None:
        if items:
            there = changes.get(field, before.get(field)) or ()
            assert isinstance(there, list | tuple)
            changes[field] = [*there, *(item for item in items if item not in there)]

    for field in ("clauses", "forbidden_tools", "acceptable_answers", "labelers", "evidence"):
        add(field, list(given[field]))
    add("required_tools", [required(text) for text in given["require"]])
    add("facts", [_fact(text) for text in given["fact"]])
    add("must_not_state", [_fact(text) for text in given["must_not"]])
    add("rubric", [_criterion(text) for text in given["criterion"]])
    if given["policy"]:
        policies = list(given["policy"])
        changes["policy_version"] = policies[0] if len(policies) == 1 else policies
    if given["expires"] is not None:
        from assay.ledger.days import later

        start = changes.get("as_of") or before.get("as_of") or today
        changes["expires"] = later(str(start), given["expires"])
    return changes


def _from_file(path: Path) -> dict[str, JsonValue]:
    from assay.errors import InputError
    from assay.files.reading import read_json

    value = read_json(path)
    if not isinstance(value, dict):
        raise InputError("The file holds no object.", path=path.as_posix(), hint="{ … }")
    for name in ("schema_version", "case_id", "revision", "supersedes", "case_digest"):
        value.pop(name, None)
    return value


def json_or_text(text: str) -> JsonValue:
    """JSON where the text looks like it, else the text itself."""
    from assay.errors import InputError
    from assay.files.reading import parse_json

    if text[:1] in '[{"' or text in ("null", "true", "false") or text[:1].isdigit():
        try:
            return parse_json(text, name="--set")
        except InputError as error:
            if text[:1] in '[{"':
                raise UsageError(error.message, hint="quote the JSON for the shell") from None
    return text


def required(text: str) -> JsonValue:
    """A tool that must be called: its name, and arguments as JSON after it."""
    from assay.files.reading import parse_json

    name, _, rest = text.strip().partition(" ")
    if not rest.strip():
        return name
    return {"tool": name, "args": parse_json(rest.strip(), name="--require")}


def _named(text: str, flag: str) -> tuple[str, str]:
    name, mark, rest = text.partition("=")
    if not mark or not name.strip() or not rest.strip():
        raise UsageError(f"`{text}` names nothing.", hint=f"{flag} 'amount=$40.00 | 40 dollars'")
    return name.strip(), rest.strip()


def _fact(text: str) -> JsonValue:
    name, rest = _named(text, "--fact")
    return {"id": name, "any_of": [part.strip() for part in rest.split(" | ")]}


def _criterion(text: str) -> JsonValue:
    name, rest = _named(text, "--criterion")
    return {"id": name, "text": rest}
