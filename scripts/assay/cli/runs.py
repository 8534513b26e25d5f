"""``assay runs``: recorded runs of any framework to observed runs."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import format_option

_PATH = click.Path(path_type=Path)


@click.group(epilog="Example: assay runs import results/*.json --out runs --suite refunds")
def runs() -> None:
    """Import observed runs from other formats, and show them."""


@runs.command(
    "import",
    short_help="Read traces of any framework and write observed runs.",
    epilog="\b\nExample:\n  assay runs import eval/*.json --out runs --suite refunds --run careful",
)
@click.argument("files", nargs=-1, required=True, type=_PATH)
@click.option("--out", required=True, type=_PATH, help="Folder of suites, usually runs.")
@click.option("--suite", default="imported", show_default=True, help="Suite that was run.")
@click.option("--run", "run_name", help="Name of the run; else the file's name.")
@click.option("--from", "format_", metavar="FORMAT", help="Format of FILES; else found out.")
@click.option("--agent", help="Name of the agent.")
@click.option("--model", help="Name of the model.")
@click.option("--policy", help="Policy version that the agent was given, such as refunds-v7.")
@click.option(
    "--case-id-from",
    metavar="HOW",
    help="filename, a mapping file (JSON, YAML, CSV), or a field such as metadata.case or"
    " samples.0.id.",
)
@click.option(
    "--cases",
    "cases_",
    type=_PATH,
    help="Folder of cases, to resolve foreign ids; else the repository's.",
)
@click.option("--keep-addresses", is_flag=True, help="Keep e-mail addresses; secrets always go.")
@click.option("--replace", is_flag=True, help="Write over files with other content.")
@format_option("json")
@click.pass_context
def import_(
    ctx: click.Context,
    files: tuple[Path, ...],
    out: Path,
    suite: str,
    run_name: str | None,
    format_: str | None,
    agent: str | None,
    model: str | None,
    policy: str | None,
    case_id_from: str | None,
    cases_: Path | None,
    keep_addresses: bool,
    replace: bool,
    fmt: str,
) -> None:
    """Read traces of any framework from FILES and write one observed run a line.

    FILES are files, also compressed ones (gzip, bzip2, xz), folders of them, or /dev/stdin.
    What a format cannot carry is unknown, not empty; what is left out is counted.
    Secrets and e-mail addresses become placeholders, but for those that cases and labels hold.
    """
    from assay.cli.imports import report
    from assay.cli.progress import Bar
    from assay.intake.runs.case_ids import parse_case_ids
    from assay.intake.runs.policies import policy_findings
    from assay.intake.runs.read import RunOptions
    from assay.intake.runs.store import RunTarget, import_runs
    from assay.ledger.layout import CASES, find_root

    root = find_root(Path(ctx.find_root().obj or Path.cwd()).resolve())
    folder = cases_ or (root / CASES if root is not None else None)
    options = RunOptions(run_name, agent, model, policy, parse_case_ids(case_id_from))
    target = RunTarget(out, suite, folder, replace, keep_addresses)
    with Bar("reading") as bar:
        outcome = import_runs(files, target, options, format_, bar.begin)
    if policy is not None and root is not None:
        outcome.findings += policy_findings(root, policy)
    report(ctx, outcome, "runs", fmt)


@runs.command(
    short_help="Show what an agent did: a table of its cases, or one conversation.",
    epilog="Example: assay runs show careful refund-0142",
)
@click.argument("run")
@click.argument("case", required=False)
@click.option("--suite", help="Of a run that several suites have, that of this suite.")
@click.option("--trial", type=click.IntRange(1), help="Only this trial, the first one is 1.")
@click.option("--full", is_flag=True, help="Show results whole; else they are cut.")
@format_option("json")
@click.pass_context
def show(
    ctx: click.Context,
    run: str,
    case: str | None,
    suite: str | None,
    trial: int | None,
    full: bool,
    fmt: str,
) -> None:
    """Show RUN: a run, the id of a result, or a trace file of any format that can be imported.

    With CASE, the conversation; without, a line for each case and trial.
    """
    import shutil
    import sys

    from assay.cli.common import optional_root, print_json
    from assay.pipeline.showing import observed, of_case
    from assay.reporting.phrases import VALUE_LIMIT
    from assay.reporting.runs_table import as_json, table
    from assay.reporting.transcript import heading, transcript

    found = observed(optional_root(ctx), run, suite=suite)
    if case is not None:
        found = of_case(found, case, trial)
    elif trial is not None:
        found = tuple(one for one in found if one.trial == trial - 1)
    if fmt == "json":
        print_json(as_json(found))
        return
    width = max(shutil.get_terminal_size((80, 24)).columns, 40) if sys.stdout.isatty() else 80
    if not found:
        click.echo("The run has no entries.")
    elif case is None:
        click.echo(table(found, width=width), nl=False)
    else:
        color = sys.stdout.isatty()
        parts = [
            heading(one)
            + transcript(
                one,
                color=color,
                width=width,
                reply_width=None if full else 400,
                limit=sys.maxsize if full else VALUE_LIMIT,
            )
            for one in found
        ]
        click.echo("\n".join(parts), nl=False)
