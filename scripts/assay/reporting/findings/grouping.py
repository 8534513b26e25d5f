"""Equal findings with one cause as one, and the counts in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.models.finding import SEVERITIES, Finding, FindingReport
from assay.reporting.words import count, listed


@dataclass(frozen=True)
class Group:
    """Findings that say the same thing of several places."""

    first: Finding
    """The one that stands for all, the first in order."""
    others: tuple[Finding, ...] = ()
    """The rest, in order."""

    @property
    def count(self) -> int:
        """How many findings it stands for, those that were counted together before included."""
        return self.first.count + sum(other.count for other in self.others)


def grouped(findings: Iterable[Finding]) -> list[Group]:
    """Findings of one code, severity and message together, at the place of the first.

    Two messages are one where they differ in the name of their own case alone. Without a case
    the place is what differs: two files that cannot be read are two causes.
    """
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if finding.case_id is None:
            shape = (finding.message, finding.path, finding.pointer)
        else:
            own = rf"(?<![\w-]){re.escape(finding.case_id)}(?![\w-])"
            shape = (re.sub(own, "\n", finding.message), "", "")
        groups.setdefault((finding.code, finding.severity, *shape), []).append(finding)
    return [Group(members[0], tuple(members[1:])) for members in groups.values()]


def by_place(groups: Sequence[Group]) -> list[list[Group]]:
    """Groups file by file in order of first mention; within a file those of one place together."""
    files: dict[str, dict[str, list[Group]]] = {}
    for group in groups:
        places = files.setdefault(group.first.path, {})
        places.setdefault(place_of(group.first), []).append(group)
    return [members for places in files.values() for members in places.values()]


def place_of(finding: Finding) -> str:
    """``path:line:column  /pointer`` as far as it is known; else the case, suite or repository."""
    place = finding.path
    if not place:
        if finding.case_id:
            return f"case {finding.case_id}"
        return f"suite {finding.suite}" if finding.suite else "the repository"
    if finding.line is not None:
        place += f":{finding.line}"
        if finding.column is not None:
            place += f":{finding.column}"
    return f"{place}  {finding.pointer}" if finding.pointer else place


_WORDS = {
    "error": ("error", "errors"),
    "excludes": ("exclusion", "exclusions"),
    "warning": ("warning", "warnings"),
    "note": ("note", "notes"),
}


def severity_counts(report: FindingReport) -> dict[str, int]:
    """Severity to number of findings; all four, in their order."""
    counts = dict.fromkeys(SEVERITIES, 0)
    for finding in report.findings:
        counts[finding.severity] += finding.count
    return {str(severity): number for severity, number in counts.items()}


def found_in_words(report: FindingReport) -> str:
    """``2 errors, 1 exclusion and 3 warnings``, or ``Nothing found``."""
    parts = [
        count(number, *_WORDS[severity])
        for severity, number in severity_counts(report).items()
        if number
    ]
    return listed(parts) if parts else "Nothing found"


def checked_in_words(report: FindingReport) -> str:
    """`` in 412 records, 118 cases``: what was looked at, as far as it was counted."""
    kinds = (("records", "record"), ("cases", "case"))
    parts = [count(report.checked[key], one) for key, one in kinds if key in report.checked]
    return f" in {', '.join(parts)}" if parts else ""
