"""One case of a review in Markdown."""

from __future__ import annotations

import re

from assay.models.review import CaseReview, FieldChange, RevisionReview
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.phrases import clause_words
from assay.reporting.review.phrases import CLASS, PROOF, signs_words, step_words
from assay.reporting.words import clipped, count

_ASKED = 280
_VALUE = 240
_CLAUSE = 360
_LINES = 12
_PASTED = 12_000
"""Longest finished file that is shown; half of one would be of no use."""

_UNSEEN = re.compile(
    r"[\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def _words(text: str, most: int) -> str:
    return plain_markdown(clipped(" ".join(text.split()), most))


def case_block(case: CaseReview) -> str:
    """A case: what the user says, what changed, why, on what it rests, and who signs."""
    parts = [f"#### {code_span(case.case_id)} · {step_words(case)} · {CLASS[case.kind]}"]
    if case.asked:
        parts.append(f"> “{_words(case.asked, _ASKED)}”")
    if case.changes:
        parts.append(_changes(case.changes))
    why = [sentence for revision in case.revisions for sentence in revision.why]
    if why:
        parts.append(f"**Why** {_words(' '.join(why), 900)}")
    for clause in case.clauses[:3]:
        text = f" {_words(clause_words(clause.text), _CLAUSE)}" if clause.text else ""
        parts.append(f"**Clause** {code_span(clause.clause)}{text}")
    if len(case.clauses) > 3:
        parts[-1] += f" and {count(len(case.clauses) - 3, 'more clause')}"
    parts += [_signs(revision, len(case.revisions) > 1) for revision in case.revisions[-3:]]
    return "\n\n".join(parts)


def _changes(changes: tuple[FieldChange, ...]) -> str:
    lines = ["| | before | after |", "|---|---|---|"]
    for change in changes[:_LINES]:
        shown = [_cell(change.before), _cell(change.after)]
        lines.append(f"| {_words(change.label, 40)} | {shown[0]} | {shown[1]} |")
    text = "\n".join(lines)
    more = len(changes) - _LINES
    return f"{text}\n\n{count(more, 'more field')}." if more > 0 else text


def _cell(values: tuple[str, ...]) -> str:
    shown = [_words(value, _VALUE) for value in values[:6]]
    if len(values) > 6:
        shown.append(f"{len(values) - 6:,} more")
    return "<br>".join(shown) or "–"


def _signs(revision: RevisionReview, numbered: bool) -> str:
    number = f" r{revision.revision}" if numbered else ""
    names = [
        f"{code_span(item.handle)} ({item.role}, {PROOF[item.proof]})"
        for item in revision.signatures[:6]
    ]
    signed = f": {', '.join(names)}" if names else ""
    return f"**Signs{number}** {signs_words(revision)}{signed}"


def finished_block(case: CaseReview) -> str:
    """The finished file of a case's last revision, to be pasted."""
    path = code_span(case.revisions[-1].path)
    text = case.finished or ""
    if len(text) > _PASTED:
        return f"{path} is too long to be shown: `assay fmt` writes it."
    # In JSON an escape stands for the character itself, so that the file stays the same.
    shown = _UNSEEN.sub(lambda match: f"\\u{ord(match.group()):04x}", text).rstrip("\n")
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{path}\n\n{fence}json\n{shown}\n{fence}"
