"""``assay revise``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.amend import DRY, asking, finish, show_case
from assay.cli.common import format_option, load
from assay.cli.record_flags import changes_of, record_flags


@click.command(
    epilog="\b\nExample:\n"
    "  assay revise refund-0142 --set max_calls='{\"issue_refund\": 1}' \\\n"
    '    --why "Clause 3.2 pays once."'
)
@click.argument("case")
@record_flags
@DRY
@format_option("json")
@click.pass_context
def revise(ctx: click.Context, /, case: str, dry_run: bool, fmt: str, **given: Any) -> None:
    """Write the next revision of the record of CASE.

    It is a copy of the latest revision with what the flags change. Without flags, and on a
    terminal, the questions are asked. Without --change, the change is the one that fits.
    """
    from assay.cli.questions import ask_revision
    from assay.errors import UsageError
    from assay.files.model_text import plain_object
    from assay.ledger.editing import latest_of, next_revision
    from assay.ledger.stepping import require_revisable

    repository = load(ctx)
    before = latest_of(repository, case).record
    require_revisable(before)
    changes = changes_of(given, plain_object(before), repository.params.model.today)
    asked = not changes and asking()
    if asked:
        show_case(repository, case)
        changes = ask_revision(repository, case)
    if not changes:
        raise UsageError(
            "Nothing is to be changed.",
            hint=f'assay revise {case} --why "…" --answer "…"',
        )
    if "rationale" not in changes:
        raise UsageError(
            "A revision says why it exists.", hint='--why "What was wrong, and how we know."'
        )
    draft = next_revision(repository, case, changes)
    finish(repository, draft, dry_run=dry_run, fmt=fmt, asked=asked)
