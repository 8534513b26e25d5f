"""What the importing commands print."""

from __future__ import annotations

from collections import Counter

import click

from assay.intake.codes import CODES, sorted_findings
from assay.intake.layout import indented
from assay.intake.outcome import Outcome


def report(outcome: Outcome, what: str, as_json: bool) -> None:
    """Print an outcome and end with its exit code: 1 where anything is wrong with a file."""
    if as_json:
        click.echo(indented(outcome.as_json()))
    else:
        _text(outcome, what)
    if outcome.failed:
        click.get_current_context().exit(1)


def _text(outcome: Outcome, what: str) -> None:
    notes: Counter[str] = Counter()
    for item in sorted_findings(outcome.findings):
        if item.severity == "note":
            notes[item.code] += 1
            continue
        place = item.path + (f":{item.line}" if item.line else "")
        click.echo(f"{place}  {item.pointer}".rstrip())
        click.echo(f"  {item.severity:<8}  {item.code}  {item.message}")
        if item.hint:
            click.echo(f"            next    {item.hint}")
    for code in sorted(notes):
        times = f" ×{notes[code]}" if notes[code] > 1 else ""
        click.echo(f"note  {code}{times}  {CODES[code][1]}")
    for rule in sorted(outcome.dropped):
        click.echo(f"left out  {rule}: {outcome.dropped[rule]}")
    parts = Counter(part for parts in outcome.unknown.values() for part in parts)
    if parts:
        click.echo(f"unknown   {', '.join(sorted(parts))}")
    click.echo(f"read      {what}: {outcome.read}")
    for path in outcome.written:
        click.echo(path)
