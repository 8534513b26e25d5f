"""``assay revise``."""

from __future__ import annotations

import sys
from typing import Any

import click

from assay.cli.common import load
from assay.cli.record_flags import changes_of, record_flags


@click.command(
    epilog="\b\nExample:\n"
    "  assay revise refund-0161 --status disputed --change dispute \\\n"
    '    --why "The customer wrote a day before the window closed."'
)
@click.argument("case")
@record_flags
@click.option("--dry-run", is_flag=True, help="Show the revision and write nothing.")
def revise(case: str, dry_run: bool, **given: Any) -> None:
    """Write the next revision of the record of CASE.

    It is a copy of the latest revision with what the flags change. Without flags, and on a
    terminal, the questions are asked.
    """
    from assay.cli.questions import ask_revision
    from assay.errors import UsageError
    from assay.files.model_text import plain
    from assay.ledger.editing import next_revision, write_draft
    from assay.reporting.record import draft_text

    repository = load(click.get_current_context())
    revisions = repository.revisions.get(case)
    before = plain(revisions[-1].record) if revisions else {}
    assert isinstance(before, dict)
    changes = changes_of(given, before, repository.params.model.today)
    if not changes:
        if not sys.stdin.isatty():
            raise UsageError(
                "Nothing is to be changed.",
                hint=f'assay revise {case} --change correction --why "…" --answer "…"',
            )
        if revisions:
            changes = ask_revision(repository, case)
    if revisions and "rationale" not in changes:
        raise UsageError(
            "A revision says why it exists.", hint='--why "What was wrong, and how we know."'
        )
    changes.setdefault("change", "correction")
    draft = next_revision(repository, case, changes)
    click.echo(draft_text(draft), nl=False, err=True)
    if dry_run:
        click.echo(draft.text, nl=False)
        return
    write_draft(repository.root, draft)
    click.echo(
        f"\nNext  assay check --only {case}   then commit it on a branch of its own", err=True
    )
    click.echo(draft.path)
