"""``assay new``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.amend import DRY, asking, finish, show_case
from assay.cli.common import format_option, load
from assay.cli.record_flags import changes_of, record_flags


@click.command(
    epilog="\b\nExample:\n"
    "  assay new refund-0900 --suite refunds --slice window --template late \\\n"
    '    --text "May I still return it?" --policy refunds-v7 \\\n'
    '    --forbid issue_refund --why "Day 45 of 30."'
)
@click.argument("case")
@click.option("--suite", help="The suite; needed for a new case.")
@click.option("--text", "turns", multiple=True, help="What the user says; repeat it for turns.")
@click.option("--state", metavar="JSON|@FILE", help="The seeded world, an object.")
@click.option("--slice", "slice_", help="The case's slice.")
@click.option("--template", help="The template it was made from; else its own id.")
@record_flags
@DRY
@format_option("json")
@click.pass_context
def new(
    ctx: click.Context,
    /,
    case: str,
    suite: str | None,
    turns: tuple[str, ...],
    state: str | None,
    slice_: str | None,
    template: str | None,
    dry_run: bool,
    fmt: str,
    **given: Any,
) -> None:
    """Add CASE with a first record, or a first record for a case that has none.

    The record is a draft until it is labelled. Without flags, and on a terminal, the questions
    are asked.
    """
    from assay.cli.questions import ask_case, ask_first
    from assay.errors import RefusedError, UsageError
    from assay.ledger.adding import new_case
    from assay.ledger.editing import first_revision

    repository = load(ctx)
    if case in repository.revisions:
        raise RefusedError(f"`{case}` has a record.", hint=f"assay revise {case}")
    stored = repository.cases.get(case)
    changes = changes_of(given, {}, repository.params.model.today)
    asked = False
    addition = None
    if stored is None:
        if not turns and asking():
            asked = True
            suite, turns, slice_, template = ask_case(repository, case, suite)
        if not suite or not turns or not slice_:
            raise UsageError(
                f"There is no case `{case}` yet.",
                hint=f'assay new {case} --suite S --slice S --text "What the user says"',
            )
        addition = new_case(
            repository,
            suite,
            case,
            turns,
            state=_state(state),
            attributes={"slice": slice_, "template": template or case},
        )
    if not changes and asking():
        if stored is not None:
            show_case(repository, case)
        asked = True
        changes = ask_first(repository, case)
    if "rationale" not in changes:
        raise UsageError("A record says why it is right.", hint='--why "Day 45 of 30."')
    home = addition.suite if addition is not None else stored.suite if stored is not None else ""
    with_case = addition.into(repository) if addition is not None else repository
    draft = first_revision(with_case, home, case, changes)
    finish(repository, draft, dry_run=dry_run, fmt=fmt, addition=addition, asked=asked)


def _state(text: str | None) -> Any:
    from assay.files.reading import parse_json, read_json

    if text is None:
        return None
    if text.startswith("@"):
        return read_json(Path(text[1:]))
    return parse_json(text, name="--state")
