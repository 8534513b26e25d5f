"""``assay trace``."""

from __future__ import annotations

import sys

import click

from assay.cli.common import format_option, load


@click.command(epilog="Example: assay trace hasty --case refund-0142")
@click.argument("name", metavar="ID")
@click.option("--case", "case_id", metavar="CASE", help="Follow this case to its record.")
@click.option("--suite", help="Of a run that several suites have, that of this suite.")
@format_option("json")
@click.pass_context
def trace(ctx: click.Context, name: str, case_id: str | None, suite: str | None, fmt: str) -> None:
    """Trace ID, a result or a run, back to what it rests on: truth, clause, people, run, scorer.

    Everything that has a digest is computed again from the files that lie here, on the day of the
    result; what differs and what cannot be proved is said, and the commands that make the result
    again are printed. A run is scored first.
    """
    from assay.pipeline.tracing.gather import trace as gather
    from assay.reporting import trace as reporting

    found = gather(load(ctx), name, suite=suite, case_id=case_id)
    if fmt == "json":
        click.echo(reporting.json_text(found), nl=False)
    else:
        click.echo(reporting.text(found, color=sys.stdout.isatty()), nl=False)
