"""``assay score``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.common import day_option, format_option, load, print_json, root_of
from assay.models.base import JsonValue

if TYPE_CHECKING:
    from assay.pipeline.direct import Scored
    from assay.pipeline.past import Past


@click.command(epilog="Example: assay score --runs hasty --only 'refund-01*'")
@click.option(
    "--runs",
    "names",
    multiple=True,
    metavar="RUN",
    help="A run's name, the id of a result, a file of any format, or a folder; all of runs/ where"
    " absent.",
)
@click.option("--suite", help="Only this suite.")
@click.option("--run", "run_name", help="Name of the run, where the file does not say.")
@click.option(
    "--truth-at",
    metavar="COMMIT",
    help="Against truth, cases and params.yaml as they stood at this commit; the runs are those"
    " that lie here.",
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
@click.option("--publish", is_flag=True, help="Write the results to results/, once and for ever.")
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
    publish: bool,
    today: str | None,
    policies: tuple[str, ...],
    fmt: str,
) -> None:
    """Score observed runs against the truth that counts.

    Prints a scoreboard; with --out also writes <out>/<suite>/<run>.jsonl, a line a case and
    trial, and <run>.json, the result. With --publish writes results/<year>/<id>.json for each,
    which is never changed again; refused when truth, cases, params.yaml, runs or code differ from
    the commit. Exit code 1 when a file of the repository is wrong, 3 when there is nothing to
    score or nothing may be published.

    With --truth-at, a result that was stored for that commit is named, and what of it differs.
    """
    from assay.files.model_text import plain
    from assay.models.finding import Finding, FindingReport
    from assay.pipeline.direct import judge, score_files
    from assay.pipeline.naming import run_files
    from assay.pipeline.past import at_commit
    from assay.pipeline.publishing import Publication, require_clean, require_publishable
    from assay.pipeline.publishing import publish as publish_result
    from assay.pipeline.scored import write_scored
    from assay.reporting.boards import board_of_scored
    from assay.reporting.findings import render
    from assay.reporting.scoreboard import text
    from assay.scoring.selection import REVIEWED, Selection

    selection = Selection(statuses or REVIEWED.statuses, only, repeat, allow_empty)
    found: list[Finding] = []
    root = root_of(ctx)
    files = run_files(root, names)
    if publish:
        require_publishable(selection, what_if=_what_if(truth_at, policies, today))
        require_clean(root)
    with ExitStack() as stack:
        past = (
            None
            if truth_at is None
            else stack.enter_context(at_commit(root, truth_at, files, suite))
        )
        repository, files = (past.repository, list(past.files)) if past else (load(ctx), files)
        judged = judge(repository, today=today, policies=policies)
        scored = score_files(judged, files, selection, suite=suite, run=run_name, note=found.append)
    if found:
        report = FindingReport(findings=tuple(found), checked={"runs": len(files)})
        click.echo(render("text", report), nl=False, err=True)
    _say_policies([] if fmt == "text" and not dry_run else scored)  # The scoreboard says it.
    if past:
        _say_past(root, past, scored, plainly=selection == REVIEWED and not (policies or today))
    unread = any(finding.severity == "error" for finding in found)
    if dry_run:
        _say_selection(scored)
        ctx.exit(1 if unread else 0)
    # Before anything is published: only what was there already can be reproduced.
    shown = text(board_of_scored(judged.world, judged.compiled, scored), color=sys.stdout.isatty())
    published: list[Publication] = []
    if publish and not judged.broken and not unread:
        published = [
            publish_result(root, item.result, item.lines, item.files, selection) for item in scored
        ]
    written: list[Path] = []
    if out is not None:
        for item in scored:
            written += write_scored(out / item.suite, item.lines, item.result)
    if fmt == "json":
        shape: dict[str, JsonValue] = {
            "schema_version": 1,
            "results": [plain(item.result) for item in scored],
        }
        if publish:
            shape["published"] = [vars(item) for item in published]
        print_json(shape)
    else:
        click.echo(shown, nl=False)
        for path in written:
            click.echo(str(path))
        for made in published:
            if not made.written:
                click.echo(f"Result {made.id} was published before: it is the same.", err=True)
            click.echo(made.path)
    where = f"at {past.commit[:10]}" if past else "assay check"
    if _say_wrong(judged.broken, unread, publish=publish, where=where):
        ctx.exit(1)


def _say_wrong(broken: bool, unread: bool, *, publish: bool, where: str) -> bool:
    """Say that not all could be scored; whether that is so."""
    rest = " and nothing is published" if publish else ""
    if broken:
        click.echo(f"assay: a file is wrong; what it spoils is not scored{rest}: {where}", err=True)
    elif unread and publish:
        click.echo("assay: a file cannot be read, and nothing is published", err=True)
    return broken or unread


def _what_if(truth_at: str | None, policies: tuple[str, ...], today: str | None) -> str:
    """The option that asks what would be; empty where none does."""
    asked = {"--truth-at": truth_at, "--policy": policies, "--today": today}
    return next((name for name, value in asked.items() if value), "")


def _say_selection(scored: Sequence[Scored]) -> None:
    for item in scored:
        click.echo(
            f"{item.suite}/{item.result.subject.run}: would score {len(item.lines)} entries,"
            f" {len(item.result.excluded)} cases excluded,"
            f" {len(item.result.unmatched)} without an entry"
        )


def _say_past(root: Path, past: Past, scored: Sequence[Scored], *, plainly: bool) -> None:
    """Say which runs had no suite then, and what a result that was stored for the commit says."""
    from assay.pipeline.past import beside_then

    for name in past.left_out:
        click.echo(f"There was no suite `{name}` then; its runs are not scored.", err=True)
    for item in scored if plainly else ():
        told = beside_then(root, past.commit, item.result, item.lines)
        if told:
            click.echo(told, err=True)


def _say_policies(scored: Sequence[Scored]) -> None:
    """Say of each run whose agent was given another policy that it was."""
    from assay.pipeline.policies_given import given_otherwise, in_words

    for item in scored:
        rules = item.result.context.policies.values()
        told = in_words(given_otherwise(item.observed, rules), rules)
        if told:
            click.echo(f"{item.suite}/{item.result.subject.run} {told}.", err=True)
