"""``assay cases``: cases from elsewhere to canonical eval sets."""

from __future__ import annotations

from pathlib import Path

import click

_FILES = click.Path(path_type=Path)


@click.group()
def cases() -> None:
    """Import eval cases."""


@cases.command("import")
@click.argument("files", nargs=-1, required=True, type=_FILES, metavar="FILE…")
@click.option("--out", required=True, type=_FILES, help="Folder of suites, usually cases.")
@click.option("--suite", default="imported", show_default=True, help="Suite that the cases join.")
@click.option("--owner", default=None, help="Handle of who answers for a new suite.")
@click.option("--licence", default=None, help="Licence of a new suite, as an SPDX identifier.")
@click.option("--title", default="", help="What a new suite is about.")
@click.option(
    "--slice", "slice_name", default="imported", show_default=True, help="Slice of the cases."
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
    owner: str | None,
    licence: str | None,
    title: str,
    slice_name: str,
    replace: bool,
    style: str,
) -> None:
    """Read eval cases in any shape and write them in canonical form.

    ADK eval sets (snake_case, camelCase, legacy lists), tRPC-Agent, the agent platform's data
    sets, and result files. Every deviation is named; nothing is lost silently.

    \b
    assay cases import eval/*.test.json --out cases --suite refunds --owner ana --licence MIT
    """
    from assay.cli.imports import report
    from assay.intake.cases.store import NO_LICENCE, NO_OWNER, Target, import_cases

    target = Target(
        out, suite, owner or NO_OWNER, licence or NO_LICENCE, title, slice_name, replace
    )
    report(import_cases(files, target), "cases", style == "json")
