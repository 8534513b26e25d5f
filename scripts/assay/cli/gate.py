"""``assay gate``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click

from assay.cli.common import format_option, root_of


@click.command(epilog="Example: assay gate runs/refunds/careful.jsonl --baseline origin/main")
@click.argument("run")
@click.option(
    "--baseline",
    required=True,
    metavar="FILE|ID|COMMIT",
    help="A run, a result, a file, or a commit: the same run as it was then.",
)
@click.option(
    "--bench",
    metavar="PATH|URL@TAG",
    help="The benchmark, where the agent lives in another repository.",
)
@click.option("--suite", help="Of a run that several suites have, that of this suite.")
@click.option("--only", multiple=True, metavar="CASE", help="Only these cases; patterns with *.")
@click.option("--allow-empty", is_flag=True, help="Nothing to judge is fine.")
@click.option("--regrade", is_flag=True, help="Score stored results again, under today's truth.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write it there as well; printed as text then."
)
@format_option("json", "junit", "markdown")
@click.pass_context
def gate(
    ctx: click.Context,
    run: str,
    baseline: str,
    bench: str | None,
    suite: str | None,
    only: tuple[str, ...],
    allow_empty: bool,
    regrade: bool,
    out: Path | None,
    fmt: str,
) -> None:
    """Say whether RUN may replace the baseline.

    Exit code 0: it passes. 1: the agent became worse, or a case that must pass does not. 3: nothing
    can be said of the agent, since the two were not measured alike, the benchmark shrank under its
    floor, a gating case has no verdict, or `today` is stale.
    """
    from assay.files.writing import write_text
    from assay.pipeline.gating import GateRequest, benchmark
    from assay.pipeline.gating import gate as judged
    from assay.reporting.gate import render

    place = str(ctx.find_root().obj or "")
    request = GateRequest(
        run, baseline, suite, only, allow_empty, regrade, bench=bench, place=place
    )
    with ExitStack() as stack:
        root = stack.enter_context(benchmark(bench)) if bench else root_of(ctx)
        report = judged(root, request)
    if out is not None:
        write_text(out, render(fmt, report))
        click.echo(render("text", report, color=sys.stderr.isatty()), nl=False, err=True)
        click.echo(out.as_posix())
    else:
        click.echo(render(fmt, report, color=sys.stdout.isatty()), nl=False)
    ctx.exit(report.exit_code)
