"""Findings as text, JSON, SARIF, GitHub annotations, GitLab Code Quality, JUnit and Markdown.

Every renderer is a pure function from a `FindingReport` to text; the text ends with one line
feed. `render` chooses by the name that ``--format`` takes.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.models.finding import FindingReport
from assay.reporting.findings.as_annotations import github
from assay.reporting.findings.as_gitlab import gitlab
from assay.reporting.findings.as_json import json_text
from assay.reporting.findings.as_junit import junit
from assay.reporting.findings.as_markdown import markdown, step_summary
from assay.reporting.findings.as_sarif import sarif
from assay.reporting.findings.as_text import text
from assay.reporting.findings.explained import NO_EXPLANATIONS, Explanations, of_rules
from assay.reporting.words import WIDTH

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "markdown")
"""Names of the formats."""

__all__ = [
    "FORMATS",
    "Explanations",
    "github",
    "gitlab",
    "json_text",
    "junit",
    "markdown",
    "of_rules",
    "render",
    "sarif",
    "step_summary",
    "text",
]


def render(
    format: str,
    report: FindingReport,
    *,
    today: str = "",
    explanations: Explanations = NO_EXPLANATIONS,
    color: bool = False,
    width: int = WIDTH,
) -> str:
    """The report in the format that ``--format`` names.

    Args:
        format: one of `FORMATS`.
        report: what was found.
        today: the day that the repository was judged at, if it was.
        explanations: code to title and explanation, for the formats that carry help texts.
        color: whether text is coloured.
        width: columns that text may take.

    Raises:
        UsageError: the format does not exist.
    """
    if format == "text":
        return text(report, today=today, color=color, width=width)
    if format == "json":
        return json_text(report)
    if format == "sarif":
        return sarif(report, explanations)
    if format == "github":
        return github(report)
    if format == "gitlab":
        return gitlab(report)
    if format == "junit":
        return junit(report, explanations)
    if format == "markdown":
        return markdown(report, today=today)
    raise UsageError(f"There is no format `{format}`.", hint=f"one of {', '.join(FORMATS)}")
