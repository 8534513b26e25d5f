"""``assay cases``: cases from elsewhere to canonical eval sets."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import format_option

_PATH = click.Path(path_type=Path)


@click.group(epilog="Example: assay cases import eval/*.test.json --out cases --suite refunds")
def cases() -> None:
    """Import eval cases from other formats."""


@cases.command(
    "import",
    short_help="Read eval cases of any shape and write them canonically.",
    epilog="\b\nExample:\n"
    "  assay cases import eval/*.test.json --out cases --suite refunds --owner ana",
)
@click.argument("files", nargs=-1, required=True, type=_PATH)
@click.option("--out", required=True, type=_PATH, help="Folder of suites, usually cases.")
@click.option("--suite", default="imported", show_default=True, help="Suite that the cases join.")
@click.option("--owner", help="Handle of who answers for a new suite.")
@click.option("--licence", help="Licence of a new suite, an SPDX identifier.")
@click.option("--title", default="", help="What a new suite is about.")
@click.option("--slice", "slice_name", default="imported", show_default=True, help="Their slice.")
@click.option("--keep-addresses", is_flag=True, help="Keep e-mail addresses; secrets always go.")
@click.option("--replace", is_flag=True, help="Write over files with other content.")
@format_option("json")
@click.pass_context
def import_(
    ctx: click.Context,
    files: tuple[Path, ...],
    out: Path,
    suite: str,
    owner: str | None,
    licence: str | None,
    title: str,
    slice_name: str,
    keep_addresses: bool,
    replace: bool,
    fmt: str,
) -> None:
    """Read eval cases of any shape from FILES and write them in canonical form.

    ADK eval sets in snake_case, camelCase and the legacy lists; tRPC-Agent; data sets of the
    agent platform; result files. Every deviation is named, nothing is lost silently.
    """
    from assay.cli.imports import report
    from assay.intake.cases.store import NO_LICENCE, NO_OWNER, Target, import_cases

    target = Target(
        out,
        suite,
        owner or NO_OWNER,
        licence or NO_LICENCE,
        title,
        slice_name,
        replace,
        keep_addresses,
    )
    report(ctx, import_cases(files, target), "cases", fmt)
