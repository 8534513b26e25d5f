"""``assay compare``."""

from __future__ import annotations

import sys

import click

from assay.cli.common import format_option, optional_root


@click.command(epilog="Example: assay compare before.csv after.csv")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--on",
    type=click.Choice(["unchanged", "verdicts"]),
    help="unchanged: only cases whose label is the same on both sides. verdicts: as they are, where"
    " nobody knows what judged them.",
)
@click.option("--regrade", is_flag=True, help="Score both again, under the truth that is here.")
@click.option("--suite", help="Of a run that several suites have, that of this suite.")
@click.option("--slice", "slices", multiple=True, metavar="NAME", help="Only cases of this slice.")
@format_option("json", "markdown")
@click.pass_context
def compare(
    ctx: click.Context,
    a: str,
    b: str,
    on: str | None,
    regrade: bool,
    suite: str | None,
    slices: tuple[str, ...],
    fmt: str,
) -> None:
    """Say whether B is better than A, and what moved the number.

    A and B are runs, results, or files with verdicts of any tool (CSV, JSONL: case_id, passed); for
    the last no repository is needed. What was not measured against the same truth, cases, policies
    and scorer is refused, with exit code 3 and a command that works.
    """
    from assay.pipeline.comparing import Request
    from assay.pipeline.comparing import compare as compare_names
    from assay.reporting.comparison import render

    root = optional_root(ctx)
    named = ctx.find_root().obj is not None
    request = Request(a, b, on, regrade, suite, slices, root_given=named)  # type: ignore[arg-type]
    made = compare_names(root, request)
    click.echo(render(fmt, made, color=sys.stdout.isatty()), nl=False)
