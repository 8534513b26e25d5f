"""Findings as Markdown, for pull-request comments and step summaries."""

from __future__ import annotations

from assay.models.finding import SEVERITIES, FindingReport
from assay.reporting.findings.grouping import (
    Group,
    checked_in_words,
    found_in_words,
    grouped,
    place_of,
)
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.words import command_and_remark

SUMMARY_BYTES = 900_000
"""GitHub refuses step summaries above a mebibyte; the rest stays for the closing lines."""


def markdown(report: FindingReport, *, today: str = "", most_bytes: int | None = None) -> str:
    """One bold line with the counts, then a table, the gravest findings first.

    Args:
        report: what was found.
        today: the day that the repository was judged at.
        most_bytes: size at which the table ends; what is left out is counted below it.
    """
    on = f" on {today}" if today else ""
    lines = [f"**{found_in_words(report)}**{checked_in_words(report)}{on}."]
    groups = sorted(
        grouped(report.findings), key=lambda group: SEVERITIES.index(group.first.severity)
    )
    if groups:
        lines += ["", "| | rule | where | what is wrong | next |", "|---|---|---|---|---|"]
    size = sum(len(line.encode()) + 1 for line in lines)
    for written, group in enumerate(groups):
        row = _row(group)
        size += len(row.encode()) + 1
        if most_bytes is not None and size > most_bytes:
            lines += ["", f"{len(groups) - written:,} more: `assay check`"]
            break
        lines.append(row)
    return "\n".join(lines) + "\n"


def step_summary(report: FindingReport, *, today: str = "") -> str:
    """What GitHub shows below a run: every finding, as far as the page may hold them."""
    return "## assay check\n\n" + markdown(report, today=today, most_bytes=SUMMARY_BYTES)


def _row(group: Group) -> str:
    finding = group.first
    where = code_span(place_of(finding), in_table=True)
    if group.count > 1:
        where += f" and {group.count - 1:,} more"
    cells = (
        finding.severity,
        finding.code,
        where,
        plain_markdown(finding.message),
        _hint(finding.hint),
    )
    return "| " + " | ".join(cells) + " |"


def _hint(hint: str) -> str:
    command, remark = command_and_remark(hint)
    return " ".join(filter(None, (code_span(command, in_table=True), plain_markdown(remark))))
