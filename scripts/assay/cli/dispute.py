"""``assay dispute``."""

from __future__ import annotations

import click

from assay.cli.amend import DRY, WHY, asking, finish, reasons, show_case
from assay.cli.common import format_option, load


@click.command(
    epilog="\b\nExample:\n"
    "  assay dispute refund-0161 --run hasty \\\n"
    '    --why "The customer wrote a day before the window closed."'
)
@click.argument("case")
@WHY
@click.option("--run", metavar="RUN", help="A run that speaks against the label.")
@click.option("--as", "by", metavar="HANDLE", help="Who disputes it.")
@DRY
@format_option("json")
@click.pass_context
def dispute(
    ctx: click.Context,
    case: str,
    why: tuple[str, ...],
    run: str | None,
    by: str | None,
    dry_run: bool,
    fmt: str,
) -> None:
    """Put the label of CASE in doubt: it is not scored until somebody has decided.

    Anyone may, with a reason. With --run, what the run did becomes evidence, and it is said whether
    other agents fail alike.
    """
    from assay.ledger.editing import latest_of
    from assay.pipeline.amending.disputing import dispute as disputed

    repository = load(ctx)
    latest_of(repository, case)
    asked = not why and asking()
    if asked:
        show_case(repository, case)
    said = reasons(why, "What is wrong with the label?", "The fee of clause 3.4 is missing.")
    made = disputed(repository, case, said, run=run, by=by)
    finish(repository, made.draft, dry_run=dry_run, fmt=fmt, notes=made.notes, asked=asked)
