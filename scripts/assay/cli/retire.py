"""``assay retire``."""

from __future__ import annotations

import click

from assay.cli.amend import ADJUDICATOR, DRY, WHY, asking, finish, reasons, show_case
from assay.cli.common import format_option, load


@click.command(epilog='Example: assay retire refund-0161 --why "The tool it asks for is gone."')
@click.argument("case")
@WHY
@ADJUDICATOR
@DRY
@format_option("json")
@click.pass_context
def retire(
    ctx: click.Context,
    case: str,
    why: tuple[str, ...],
    adjudicator: str | None,
    dry_run: bool,
    fmt: str,
) -> None:
    """Take CASE out of use, for ever: it is no longer scored, and its id is never used again.

    Its files stay, so that past results can be scored again. An adjudicator signs.
    """
    from assay.ledger.editing import latest_of
    from assay.pipeline.amending.disputing import retire as retired

    repository = load(ctx)
    latest_of(repository, case)
    asked = not why and asking()
    if asked:
        show_case(repository, case)
    said = reasons(why, "Why is the case no longer used?", "The tool it asks for is gone.")
    made = retired(repository, case, said, signer=adjudicator)
    finish(repository, made.draft, dry_run=dry_run, fmt=fmt, notes=made.notes, asked=asked)
