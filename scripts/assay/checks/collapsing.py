"""Equal findings with one cause as one, for people; machines get them all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.models.finding import Finding


def collapse(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one code, severity and message over many cases as one with a count.

    Two messages are one where they differ in the name of their own case alone. The first
    finding of a group stands for it, with its place and hint.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity, _shape(finding)), []).append(finding)
    return [
        group[0]
        if len(group) == 1
        else group[0].model_copy(update={"count": sum(finding.count for finding in group)})
        for group in groups.values()
    ]


def _shape(finding: Finding) -> str:
    if finding.case_id is None:
        # Without a case the place is what differs: two files that cannot be read are two causes.
        return f"{finding.message}\n{finding.path}\n{finding.pointer}"
    if finding.case_id not in finding.message:
        return finding.message
    return re.sub(rf"(?<![\w-]){re.escape(finding.case_id)}(?![\w-])", "\n", finding.message)
