"""``assay diff``."""

from __future__ import annotations

import sys

import click

from assay.cli.common import day_option, format_option, root_of


@click.command(epilog="Example: assay diff main..HEAD --format markdown")
@click.argument("commits", required=False, metavar="[BASE..HEAD]")
@day_option()
@click.option(
    "--approved",
    multiple=True,
    metavar="HANDLE",
    help="Somebody whose approval the forge has recorded; may be repeated.",
)
@format_option("json", "markdown")
@click.pass_context
def diff(
    ctx: click.Context,
    commits: str | None,
    today: str | None,
    approved: tuple[str, ...],
    fmt: str,
) -> None:
    """Say what a branch changes in meaning, and what that does to every score.

    BASE..HEAD is what HEAD did since it left BASE; without HEAD it is the working tree, without
    BASE what was done since `main` or `origin/main`. Every stored run is scored under both
    truths. Nothing is written. Exit code 1 when a file, the history or a declared bulk change is
    wrong, 3 when git cannot tell, else 0.
    """
    from assay.errors import RefusedError
    from assay.files.journal import pending
    from assay.pipeline.reviewing.review import review
    from assay.reporting.review import render

    root = root_of(ctx)
    if pending(root):
        raise RefusedError(
            "A bulk write was interrupted here; part of the truth may be missing.",
            hint="assay doctor --roll-forward, or assay doctor --rollback",
        )
    found = review(root, commits, today=today, approved=approved)
    click.echo(render(fmt, found, color=fmt == "text" and sys.stdout.isatty()), nl=False)
    if found.broken:
        ctx.exit(1)
