"""The one comment under a pull request: what state it is in, and who is awaited.

Whatever comes from the pull request is shown as text: escaped in tables, in a fence that it cannot
close, cut where it is long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay import __version__
from assay.forge.artifact import Artifact
from assay.forge.posting import MARKER, MOST_COMMENT
from assay.ledger.changes import History
from assay.ledger.signatures import SignedBranch
from assay.models.finding import Finding, FindingReport
from assay.models.review import Review
from assay.reporting.findings import markdown
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.review.as_markdown import markdown as review_markdown
from assay.reporting.words import clipped, count, listed, safe_lines

_ROWS = 12_000
"""Bytes that the table of findings may take."""
_REVIEW = 36_000
"""Bytes that the review may take."""
_BOARD = 6_000
"""Characters of the scoreboard that are shown."""
_STAGES = 20
"""Stages that are listed."""


@dataclass(frozen=True)
class PullRequestReport:
    """What the comment is made from."""

    findings: FindingReport
    """What the rules of the base found."""
    signed: SignedBranch
    """Who signed."""
    history: History
    """What it changes."""
    today: str
    """The day that it was judged at."""
    artifact: Artifact | None
    """What the job that reproduced it wrote; None where it wrote nothing."""
    refused: str = ""
    """Why its report is not shown, where there is one that cannot be."""
    review: Review | None = None
    """What it changes in meaning, and what that does to every score."""
    unreviewed: str = ""
    """Why that is not known."""


def awaited(signed: SignedBranch) -> tuple[str, ...]:
    """Handles of those whose signature is missing, sorted."""
    return tuple(
        sorted(
            {s.handle for r in signed.revisions for s in r.signatures if s.state == "missing"}
        )
    )  # fmt: skip


def comment(source: PullRequestReport) -> str:
    """The comment as Markdown, short enough for the forge.

    First what `assay diff` says of it, where that could be made; else what the rules found. Then
    who signed, and what the pull request's own job came to.
    """
    head = _reviewed(source) if source.review is not None else _found(source)
    tail = [
        "| | |",
        "|---|---|",
        f"| signatures, by the forge's word | {_signatures(source.signed)} |",
        f"| reproduced | {_reproduced(source)} |",
        "",
    ]
    text = "\n".join([MARKER, *head, *tail, *_details(source)])
    if len(text.encode()) <= MOST_COMMENT:
        return text
    return "\n".join([MARKER, *head, *tail])


def _reviewed(source: PullRequestReport) -> list[str]:
    assert source.review is not None
    signatures = [f for f in source.findings.findings if f.code.startswith("SIG")]
    lines = [review_markdown(source.review, limit=_REVIEW).rstrip("\n"), ""]
    return [*lines, *_table(source, signatures)]


def _found(source: PullRequestReport) -> list[str]:
    errors = sum(f.count for f in source.findings.findings if f.severity == "error")
    names = awaited(source.signed)
    title = f"{count(errors, 'error')}" if errors else "no errors"
    if names:
        title += f" · awaits {plain_markdown(listed(list(names)))}"
    shown = [
        f for f in source.findings.findings if f.severity == "error" or f.code[:3] in _ABOUT_IT
    ]
    base, head = source.signed.base[:10], source.signed.head[:10]
    lines = [f"### Truth: {title}", ""]
    if source.unreviewed:
        lines += [f"**Note** {plain_markdown(source.unreviewed)}", ""]
    lines += [f"{_files(source.history)}.", "", *_table(source, shown)]
    lines += [
        f"<sub>engine {__version__} · today {source.today} ·"
        f" {code_span(f'assay check --base {base} --head {head}')}</sub>",
        "",
    ]
    return lines


_ABOUT_IT = ("HIS", "SIG", "LIF", "OWN")
"""Families that are about the change itself, so that notes of theirs are shown as well."""


def _table(source: PullRequestReport, findings: Sequence[Finding]) -> list[str]:
    if not findings:
        return []
    report = source.findings.model_copy(update={"findings": tuple(findings)})
    return [markdown(report, today=source.today, most_bytes=_ROWS).rstrip("\n"), ""]


def _files(history: History) -> str:
    added = sum(len(step.added) for step in history.steps)
    other = sum(len(step.changes) for step in history.steps)
    return f"{added:,} new, {other:,} changed or removed"


def _signatures(signed: SignedBranch) -> str:
    if not signed.revisions:
        return "no revision is added"
    states = [s.state for r in signed.revisions for s in r.signatures]
    said = [
        f"{states.count(state):,} {state}" for state in ("proved", "claimed", "missing")
        if state in states
    ]  # fmt: skip
    return f"{count(len(signed.revisions), 'revision')}: {', '.join(said) or 'nobody is named'}"


def _reproduced(source: PullRequestReport) -> str:
    if source.artifact is None:
        return plain_markdown(source.refused) or "no report yet"
    found = source.artifact.reproduced
    if found.problems:
        return f"{count(len(found.problems), 'problem')}, see below"
    return f"{count(len(found.moved), 'stage')} moved, as they must"


def _details(source: PullRequestReport) -> list[str]:
    """What the untrusted job wrote, folded, and said to be that."""
    if source.artifact is None:
        return []
    found = source.artifact.reproduced
    lines = [
        "<details><summary>Reproduced by the pull request's own code</summary>",
        "",
    ]
    lines += [f"- {plain_markdown(problem)}" for problem in found.problems[:_STAGES]]
    for item in found.moved[:_STAGES]:
        why = ", ".join(code_span(name) for name in item.inputs[:5]) or "nothing"
        lines.append(f"- {code_span(item.stage)} ran again for {why}")
    if len(found.moved) > _STAGES:
        lines.append(f"- and {len(found.moved) - _STAGES:,} more")
    if source.artifact.scoreboard.strip():
        lines += ["", *_fenced(clipped(source.artifact.scoreboard, _BOARD))]
    return [*lines, "", "</details>", ""]


def _fenced(text: str) -> list[str]:
    """Foreign text in a fence that is longer than any run of backticks or tildes in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *safe_lines(text), fence]
