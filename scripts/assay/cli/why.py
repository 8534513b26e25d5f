"""``assay why``."""

from __future__ import annotations

import sys

import click

from assay.cli.common import day_option, format_option, load


@click.command(epilog="Example: assay why refund-0142 --run hasty")
@click.argument("case")
@click.option(
    "--run",
    "run_name",
    required=True,
    metavar="RUN",
    help="A run's name, the id of a result, or a file of runs.",
)
@click.option("--trial", type=click.IntRange(1), help="Counted from 1; the gravest where absent.")
@day_option()
@click.option("--policy", "policies", multiple=True, metavar="VERSION", help="What-if.")
@format_option("json")
@click.pass_context
def why(
    ctx: click.Context,
    case: str,
    run_name: str,
    trial: int | None,
    today: str | None,
    policies: tuple[str, ...],
    fmt: str,
) -> None:
    """Say why CASE passed or failed: the question, the expectation, what was seen, what decided."""
    from assay.errors import UsageError
    from assay.ledger.editing import nearest
    from assay.pipeline.explaining import explain
    from assay.reporting import why as reporting

    repository = load(ctx)
    if case not in repository.cases and case not in repository.revisions:
        known = {**repository.cases, **repository.revisions}
        raise UsageError(f"No case is called `{case}`.", hint=nearest(case, known))
    found = explain(
        repository,
        case,
        run_name,
        None if trial is None else trial - 1,
        today=today,
        policies=policies,
    )
    if fmt == "json":
        click.echo(reporting.json_text(found), nl=False)
    else:
        click.echo(reporting.text(found, color=sys.stdout.isatty()), nl=False)
