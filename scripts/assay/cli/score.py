"""``assay score``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from assay.cli.common import day_option, format_option, load, print_json, root_of


@click.command(epilog="Example: assay score --runs hasty --only 'refund-01*'")
@click.option(
    "--runs",
    "names",
    multiple=True,
    metavar="RUN",
    help="A run's name, a file of any format, or a folder; all of runs/ where absent.",
)
@click.option("--suite", help="Only this suite.")
@click.option("--run", "run_name", help="Name of the run, where the file does not say.")
@click.option(
    "--truth-at",
    metavar="COMMIT",
    help="Against truth/ as it stood at this commit; everything else as it is here.",
)
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(["draft", "silver", "gold", "disputed"]),
    help="Statuses to score; gold and silver where absent.",
)
@click.option("--only", multiple=True, metavar="CASE", help="Only these cases; * and ? fit.")
@click.option("--repeat", type=int, metavar="N", help="Only the first N trials.")
@click.option("--allow-empty", is_flag=True, help="Nothing to score is a result, not a refusal.")
@click.option("--dry-run", is_flag=True, help="Say what would be scored.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write results to.")
@day_option()
@click.option("--policy", "policies", multiple=True, metavar="VERSION", help="What-if.")
@format_option("json")
@click.pass_context
def score(
    ctx: click.Context,
    names: tuple[str, ...],
    suite: str | None,
    run_name: str | None,
    truth_at: str | None,
    statuses: tuple[Any, ...],
    only: tuple[str, ...],
    repeat: int | None,
    allow_empty: bool,
    dry_run: bool,
    out: Path | None,
    today: str | None,
    policies: tuple[str, ...],
    fmt: str,
) -> None:
    """Score observed runs against the truth that counts.

    Prints a scoreboard; with --out also writes <out>/<suite>/<run>.jsonl, a line a case and
    trial, and <run>.json, the result. Exit code 1 when a file of the repository is wrong, 3 when
    there is nothing to score.
    """
    from assay.files.model_text import plain
    from assay.ledger.past import with_truth_at
    from assay.models.finding import Finding, FindingReport
    from assay.pipeline.direct import judge, run_files, score_files
    from assay.pipeline.scored import write_scored
    from assay.reporting.boards import board_of_scored
    from assay.reporting.findings import render
    from assay.reporting.scoreboard import text
    from assay.scoring.selection import REVIEWED, Selection

    selection = Selection(statuses or REVIEWED.statuses, only, repeat, allow_empty)
    found: list[Finding] = []
    files = run_files(root_of(ctx), names)
    with ExitStack() as stack:
        repository = (
            load(ctx)
            if truth_at is None
            else stack.enter_context(with_truth_at(root_of(ctx), truth_at))
        )
        judged = judge(repository, today=today, policies=policies)
        scored = score_files(judged, files, selection, suite=suite, run=run_name, note=found.append)
    if found:
        report = FindingReport(findings=tuple(found), checked={"runs": len(files)})
        click.echo(render("text", report), nl=False, err=True)
    if dry_run:
        for item in scored:
            click.echo(
                f"{item.suite}/{item.result.subject.run}: would score {len(item.lines)} entries,"
                f" {len(item.result.excluded)} cases excluded,"
                f" {len(item.result.unmatched)} without an entry"
            )
        return
    written: list[Path] = []
    if out is not None:
        for item in scored:
            written += write_scored(out / item.suite, item.lines, item.result)
    if fmt == "json":
        print_json({"schema_version": 1, "results": [plain(item.result) for item in scored]})
    else:
        shown = board_of_scored(judged.world, judged.compiled, scored)
        click.echo(text(shown, color=sys.stdout.isatty()), nl=False)
        for path in written:
            click.echo(str(path))
    if judged.broken:
        click.echo("assay: a file is wrong; what it spoils is not scored: assay check", err=True)
        ctx.exit(1)
