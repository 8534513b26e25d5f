"""What the importing commands print: paths on standard output, everything else beside it."""

from __future__ import annotations

from collections import Counter

import click

from assay.cli.common import print_json
from assay.intake.outcome import Outcome


def report(ctx: click.Context, outcome: Outcome, what: str, fmt: str) -> None:
    """Print an outcome and end with its exit code: 1 where anything is wrong with a file."""
    if fmt == "json":
        print_json(outcome.as_json())
    else:
        _text(outcome, what)
    if outcome.failed:
        ctx.exit(1)


def _text(outcome: Outcome, what: str) -> None:
    from assay.reporting.findings import render
    from assay.reporting.words import safe

    found = outcome.report(what)
    if found.findings:
        click.echo(render("text", found), nl=False, err=True)
    for rule in sorted(outcome.dropped):
        click.echo(f"left out  {outcome.dropped[rule]:,} × {safe(rule)}", err=True)
    for kind in sorted(outcome.replaced):
        click.echo(f"replaced  {outcome.replaced[kind]:,} × {kind}", err=True)
    parts = Counter(part for parts in outcome.unknown.values() for part in parts)
    if parts:
        click.echo(f"unknown   {', '.join(sorted(parts))}", err=True)
    click.echo(f"{what} read: {outcome.read:,}; files written: {len(outcome.written)}", err=True)
    for path in outcome.written:
        click.echo(safe(path))
