"""``assay runs``: recorded runs of any framework to observed runs."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import format_option

_PATH = click.Path(path_type=Path)


@click.group(epilog="Example: assay runs import results/*.json --out runs --suite refunds")
def runs() -> None:
    """Import observed runs from other formats, and look at them."""


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
@click.option("--keep-addresses", is_flag=True, help="Leave e-mail addresses as they are.")
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
    What a format cannot carry is unknown, not empty; what is left out is counted. Secrets and
    e-mail addresses are replaced by placeholders; addresses that the cases or records name stay.
    """
    from assay.cli.imports import report
    from assay.cli.progress import Bar
    from assay.intake.runs.case_ids import parse_case_ids
    from assay.intake.runs.read import RunOptions
    from assay.intake.runs.store import RunTarget, import_runs
    from assay.ledger.layout import CASES, TRUTH, find_root

    root = find_root(Path(ctx.find_root().obj or Path.cwd()).resolve())
    folder = cases_ or (root / CASES if root is not None else None)
    options = RunOptions(run_name, agent, model, policy, parse_case_ids(case_id_from))
    truth = root / TRUTH if root is not None else None
    target = RunTarget(out, suite, folder, truth, keep_addresses, replace)
    with Bar("reading") as bar:
        outcome = import_runs(files, target, options, format_, bar.begin)
    report(ctx, outcome, "runs", fmt)


@runs.command(
    "show",
    short_help="Show what a run did, case by case, or one case as a transcript.",
    epilog="\b\nExamples:\n  assay runs show hasty\n  assay runs show hasty refund-0142 --full",
)
@click.argument("run")
@click.argument("case", required=False)
@click.option("--trial", type=click.IntRange(1), help="Counted from 1; the first where absent.")
@click.option("--full", is_flag=True, help="Show values as long as they are.")
@click.option("--suite", help="Suite of the run, where several have one of this name.")
@format_option("json")
@click.pass_context
def show(
    ctx: click.Context,
    run: str,
    case: str | None,
    trial: int | None,
    full: bool,
    suite: str | None,
    fmt: str,
) -> None:
    """Show what RUN did: a run's name, the id of a result, or a file of traces of any format.

    Without CASE a table: a line a case and trial. With CASE the conversation, every call and what
    came back, as the agent saw it; values are cut at 400 characters without --full.
    """
    import shutil
    import sys

    from assay.cli.showing import one_of, runs_of
    from assay.ledger.layout import find_root
    from assay.reporting import showing

    root = find_root(Path(ctx.find_root().obj or Path.cwd()).resolve())
    name, found = runs_of(root, run, suite)
    color = sys.stdout.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if color else 80
    if case is None and trial is None:
        if fmt == "json":
            text = showing.table_json(found, name)
        else:
            text = showing.table(found, color=color, width=width)
    else:
        one = one_of(found, case, None if trial is None else trial - 1)
        if fmt == "json":
            text = showing.page_json(one)
        else:
            text = showing.page(one, color=color, width=width, full=full)
    click.echo(text, nl=False, color=color)
