"""``assay telemetry``: the data behind the pointers."""

from __future__ import annotations

import sys

import click

from assay.cli.common import format_option, root_of


@click.group(epilog="Example: assay telemetry verify")
def telemetry() -> None:
    """Rebuild and verify the tracked data."""


@telemetry.command(
    short_help="Compare the data with the digests in its pointers.",
    epilog="Example: assay telemetry verify --format json",
)
@format_option("json", "sarif", "github", "gitlab", "junit", "markdown")
@click.pass_context
def verify(ctx: click.Context, fmt: str) -> None:
    """Compare the data's bytes with the digests in telemetry.dvc, cassettes.dvc …

    Only reads. Exit code 1 when data differs or a pointer is wrong, 3 when data is missing.
    """
    from assay.models.finding import Finding, FindingReport
    from assay.reporting.findings import render
    from assay.telemetry.pointers import pointers
    from assay.telemetry.proving import verify as verified

    root = root_of(ctx)
    findings: list[Finding] = verified(root)
    unreadable = any(finding.code == "DAT004" for finding in findings)
    checked = {"pointers": 0 if unreadable else len(pointers(root))}
    report = FindingReport(findings=tuple(findings), checked=checked)
    click.echo(render(fmt, report), nl=False)
    if findings:
        sys.exit(3 if all(finding.code == "DAT002" for finding in findings) else 1)


@telemetry.command(
    short_help="Bring data that is missing, proved.", epilog="Example: assay telemetry rebuild"
)
@click.option(
    "--accept",
    is_flag=True,
    help="Make all simulated data anew and write its pointers: after a declaration was changed.",
)
@click.pass_context
def rebuild(ctx: click.Context, accept: bool) -> None:
    """Bring data that is missing: from the remote, else by simulation, proved either way.

    Data that is here is only proved, never overwritten; with --accept it is.
    """
    from assay.errors import InputError, RefusedError
    from assay.files.writing import locked
    from assay.telemetry.bringing import accept as accepted
    from assay.telemetry.bringing import bring

    root = root_of(ctx)
    with locked(root):
        if accept:
            accepted(root, click.echo)
            return
        findings = bring(root, lambda message: click.echo(message, err=True))
    for finding in findings:
        kind = RefusedError if finding.code == "DAT002" else InputError
        raise kind(
            f"{finding.code} {finding.message}",
            hint=finding.hint,
            path=finding.path,
            line=finding.line,
            column=finding.column,
            pointer=finding.pointer,
        )
    click.echo("All data is here and is what its pointers say.")
