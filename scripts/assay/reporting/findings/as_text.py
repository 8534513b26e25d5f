"""Findings for a terminal: where, what, and the command to type next."""

from __future__ import annotations

from assay.models.finding import FindingReport
from assay.reporting.findings.grouping import (
    Group,
    by_place,
    checked_in_words,
    found_in_words,
    grouped,
    place_of,
)
from assay.reporting.words import WIDTH, Paint, left, safe, safe_lines, wrap

_INDENT = " " * 20
_OTHERS_SHOWN = 3


def text(report: FindingReport, *, today: str = "", color: bool = False, width: int = WIDTH) -> str:
    """The report as a person reads it.

    ::

        truth/records/refunds/refund-0077.r0001.json:41:14  /expires
          excludes  EXP001  Expired on 2026-11-28, today is 2026-11-30.
                    next    assay renew refund-0077 --until 2027-05-28
        1 exclusion in 412 records, 118 cases on 2026-11-30.

    Args:
        report: what was found.
        today: the day that the repository was judged at; named in the last line.
        color: whether ANSI colours are used.
        width: columns; messages are wrapped, places and commands never broken.
    """
    paint = Paint(color)
    lines: list[str] = []
    for members in by_place(grouped(report.findings)):
        lines.append(paint.bold(safe(place_of(members[0].first))))
        for group in members:
            lines += _group(group, paint, width)
    lines.append(_last(report, today))
    return "\n".join(lines) + "\n"


def _group(group: Group, paint: Paint, width: int) -> list[str]:
    finding = group.first
    colour = {"error": paint.bad, "note": paint.dim}.get(finding.severity, paint.warn)
    message = safe(finding.message)
    if group.count > 1:
        message += f" ({group.count:,} like this)"
    head, *rest = wrap(message, width, indent=_INDENT)
    severity = colour(left(finding.severity, 8))
    lines = [f"  {severity}  {finding.code:6}  {head[len(_INDENT) :]}", *rest]
    if group.others:
        lines += wrap(_also(group), width, indent=_INDENT, first=" " * 12 + "also    ")
    for index, hint in enumerate(safe_lines(finding.hint)):
        label = paint.dim("next    ") if index == 0 else " " * 8
        lines.append((" " * 12 + label + hint).rstrip())
    return lines


def _also(group: Group) -> str:
    shown = [
        safe(place_of(other.model_copy(update={"pointer": ""})))
        for other in group.others[:_OTHERS_SHOWN]
    ]
    more = len(group.others) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _last(report: FindingReport, today: str) -> str:
    line = f"{found_in_words(report)}{checked_in_words(report)}"
    return f"{line} on {today}." if today and report.findings else f"{line}."
