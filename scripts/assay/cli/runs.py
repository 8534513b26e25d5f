"""``assay runs``: recorded runs of any framework to observed runs."""

from __future__ import annotations

from pathlib import Path

import click

_FILES = click.Path(path_type=Path)


@click.group()
def runs() -> None:
    """Import observed runs."""


@runs.command("import")
@click.argument("files", nargs=-1, required=True, type=_FILES, metavar="FILE…")
@click.option("--out", required=True, type=_FILES, help="Folder of suites, usually runs.")
@click.option("--suite", default="imported", show_default=True, help="Suite that was run.")
@click.option("--run", default=None, help="Name of the run; made from the file's name if absent.")
@click.option("--from", "format_", default=None, help="Format of the files; found out if absent.")
@click.option("--agent", default=None, help="Name of the agent.")
@click.option("--model", default=None, help="Name of the model.")
@click.option(
    "--case-id-from",
    default=None,
    metavar="HOW",
    help="filename, a mapping file (JSON, YAML, CSV), or a field such as metadata.case.",
)
@click.option(
    "--cases",
    "cases_",
    default=Path("cases"),
    type=_FILES,
    show_default=True,
    help="Folder of cases; foreign ids are looked up in its suite.yaml.",
)
@click.option("--replace", is_flag=True, help="Write over files with other content.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is printed.",
)
def import_(
    files: tuple[Path, ...],
    out: Path,
    suite: str,
    run: str | None,
    format_: str | None,
    agent: str | None,
    model: str | None,
    case_id_from: str | None,
    cases_: Path,
    replace: bool,
    style: str,
) -> None:
    """Read traces of any framework and write one observed run a line.

    The format is found out. What it cannot carry is unknown, not empty; what is left out is
    counted.

    \b
    assay runs import results/*.json --out runs --suite refunds --run careful --model m-1
    """
    from assay.cli.imports import report
    from assay.intake.runs.case_ids import parse_case_ids
    from assay.intake.runs.read import RunOptions
    from assay.intake.runs.store import RunTarget, import_runs

    options = RunOptions(run, agent, model, parse_case_ids(case_id_from))
    target = RunTarget(out, suite, cases_, replace)
    report(import_runs(files, target, options, format_), "runs", style == "json")
