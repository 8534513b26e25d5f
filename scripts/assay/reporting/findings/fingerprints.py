"""Names for findings that stay when lines move, days pass or other findings come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.files.canonical import digest
from assay.models.finding import Finding

ANCHOR = "params.yaml"
"""The file named where a forge wants one and a finding has none; every repository has it."""


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """One SHA-256 for each finding, distinct within the list.

    It is made of the rule, the file, the pointer, the case and the suite. Line and column are
    left out, since other edits move them, and so is the message, since it may name the day; the
    findings that then coincide are told apart by their order.
    """
    seen: Counter[tuple[str | None, ...]] = Counter()
    names = []
    for finding in findings:
        key = (finding.code, finding.path, finding.pointer, finding.case_id, finding.suite)
        names.append(digest([*key, seen[key]]))
        seen[key] += 1
    return names


def message_and_hint(finding: Finding) -> str:
    """Message and next step as one text, for formats that have one field for both."""
    text = finding.message
    if finding.count > 1:
        text += f" ({finding.count:,} like this)"
    return f"{text} Next: {' '.join(finding.hint.split())}" if finding.hint else text
