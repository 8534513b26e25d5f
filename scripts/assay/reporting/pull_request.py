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
from assay.models.finding import FindingReport
from assay.reporting.findings import markdown
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.words import clipped, count, listed, safe_lines

_ROWS = 20_000
"""Bytes that the table of findings may take."""
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


def awaited(signed: SignedBranch) -> tuple[str, ...]:
    """Handles of those whose signature is missing, sorted."""
    return tuple(
        sorted(
            {s.handle for r in signed.revisions for s in r.signatures if s.state == "missing"}
        )
    )  # fmt: skip


def comment(source: PullRequestReport) -> str:
    """The comment as Markdown, short enough for the forge."""
    errors = sum(f.count for f in source.findings.findings if f.severity == "error")
    names = awaited(source.signed)
    title = f"{count(errors, 'error')}" if errors else "no errors"
    if names:
        title += f" · awaits {plain_markdown(listed(list(names)))}"
    shown = [
        f for f in source.findings.findings if f.severity == "error" or f.code[:3] in _ABOUT_IT
    ]
    report = source.findings.model_copy(update={"findings": tuple(shown)})
    lines = [
        MARKER,
        f"### Assay: {title}",
        "",
        "| | |",
        "|---|---|",
        f"| files | {_files(source.history)} |",
        f"| rules | {count(errors, 'error')} on {source.today} |",
        f"| signatures | {_signatures(source.signed)} |",
        f"| reproduced | {_reproduced(source)} |",
        "",
    ]
    if shown:
        lines += [markdown(report, today=source.today, most_bytes=_ROWS).rstrip("\n"), ""]
    lines += _details(source)
    base, head = source.signed.base[:10], source.signed.head[:10]
    lines += [
        f"<sub>{base} … {head} · engine {__version__} · today {source.today} · the same here:"
        f" {code_span(f'assay check --base {base} --head {head}')}</sub>",
        "",
    ]
    text = "\n".join(lines)
    return text if len(text) <= MOST_COMMENT else _without_details(lines)


_ABOUT_IT = ("HIS", "SIG", "LIF", "OWN")
"""Families that are about the change itself, so that notes of theirs are shown as well."""


def _without_details(lines: Sequence[str]) -> str:
    kept = [line for line in lines if not line.startswith("<details>")]
    return "\n".join(kept)[:MOST_COMMENT]


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
