"""``assay report``."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import root_of


@click.command(epilog="Example: assay report --out report")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder to write to; report/ of the repository where absent.",
)
@click.pass_context
def report(ctx: click.Context, out: Path | None) -> None:
    """Write the report page from the scores that ./scripts/repro made.

    One page that needs no network, and one for each case.
    """
    from assay.files.writing import write_text
    from assay.pipeline.report import FOLDER, report_files
    from assay.pipeline.stage import stage_params

    root = root_of(ctx)
    folder = out or root / FOLDER
    for name, content in report_files(root, stage_params(root)).items():
        write_text(folder / name, content)
    click.echo(str(folder / "index.html"))
