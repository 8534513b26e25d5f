"""``assay new``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from assay.cli.common import load
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
@click.option("--dry-run", is_flag=True, help="Show the files and write nothing.")
def new(
    case: str,
    suite: str | None,
    turns: tuple[str, ...],
    state: str | None,
    slice_: str | None,
    template: str | None,
    dry_run: bool,
    **given: Any,
) -> None:
    """Add CASE with a first record, or a first record for a case that has none.

    The record is a draft until it is labelled. Without flags, and on a terminal, the questions
    are asked.
    """
    from assay.cli.questions import ask_case, ask_first
    from assay.errors import UsageError
    from assay.ledger.adding import new_case, write_case
    from assay.ledger.editing import first_revision, write_draft
    from assay.ledger.repository import Repository
    from assay.reporting.record import draft_text

    repository = load(click.get_current_context())
    asking = sys.stdin.isatty()
    stored = repository.cases.get(case)
    changes = changes_of(given, {}, repository.params.model.today)
    addition = None
    if stored is None:
        if not turns and asking:
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
    if not changes and asking:
        changes = ask_first(repository, case)
    if "rationale" not in changes:
        raise UsageError("A record says why it is right.", hint='--why "Day 45 of 30."')
    if addition is not None:
        stored_suite = addition.suite
        draft = first_revision(repository, stored_suite, case, changes)
        if not dry_run:
            write_case(repository.root, addition)
            repository = Repository.load(repository.root)
    else:
        assert stored is not None
        stored_suite = stored.suite
    draft = first_revision(repository, stored_suite, case, changes)
    click.echo(draft_text(draft), nl=False, err=True)
    if dry_run:
        click.echo((addition.text if addition else "") + draft.text, nl=False)
        return
    write_draft(repository.root, draft)
    click.echo(f"\nNext  assay check --only {case}", err=True)
    if addition is not None:
        click.echo(addition.path)
    click.echo(draft.path)


def _state(text: str | None) -> Any:
    from assay.files.reading import parse_json, read_json

    if text is None:
        return None
    if text.startswith("@"):
        return read_json(Path(text[1:]))
    return parse_json(text, name="--state")
