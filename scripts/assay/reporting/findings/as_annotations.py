"""Findings as GitHub workflow commands, which become annotations at the lines of a pull request."""

from __future__ import annotations

from assay.models.finding import SEVERITIES, Finding, FindingReport, Severity
from assay.reporting.findings.fingerprints import message_and_hint
from assay.reporting.findings.grouping import checked_in_words, found_in_words, grouped
from assay.reporting.words import safe

MOST = 10
"""GitHub shows this many annotations of a step and drops the rest without a word."""

_COMMANDS: dict[Severity, str] = {
    "error": "error",
    "excludes": "warning",
    "warning": "warning",
    "note": "notice",
}


def github(report: FindingReport) -> str:
    """At most ten workflow commands, the gravest first, and one plain line with the counts.

    What is left out stands in the step summary (`as_markdown.step_summary`).
    """
    groups = grouped(report.findings)
    chosen = sorted(groups, key=lambda group: SEVERITIES.index(group.first.severity))[:MOST]
    lines = [_command(group.first.model_copy(update={"count": group.count})) for group in chosen]
    last = f"{found_in_words(report)}{checked_in_words(report)}."
    if len(groups) > len(chosen):
        last += f" {len(groups) - len(chosen):,} more in the step summary."
    return "\n".join([*lines, last]) + "\n"


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column if finding.line is not None else None,
        "title": finding.code,
    }
    written = ",".join(
        f"{key}={_property(str(value))}" for key, value in properties.items() if value
    )
    return f"::{_COMMANDS[finding.severity]} {written}::{_data(safe(message_and_hint(finding)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")
