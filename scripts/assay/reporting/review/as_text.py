"""A review for a terminal: the whole of it, case by case."""

from __future__ import annotations

from assay.models.finding import FindingReport
from assay.models.review import CaseReview, FieldChange, Review, RevisionReview
from assay.reporting.findings.as_text import text as findings_text
from assay.reporting.phrases import clause_words
from assay.reporting.review.phrases import (
    CLASS,
    PROOF,
    command_words,
    coverage_words,
    declared_words,
    effect_words,
    files_words,
    flip_words,
    gate_words,
    history_words,
    run_words,
    signs_words,
    step_words,
    todo,
    wrong,
)
from assay.reporting.words import Paint, clipped, count, left, listed, safe, safe_lines, wrap

CASES = 50
"""Cases that are shown in full; JSON has them all."""

FLIPS = 40
"""Flips that are shown; JSON has them all."""

_INDENT = " " * 17
_LONG = 600


def text(review: Review, *, color: bool = False, width: int = 80) -> str:
    """The review as a person reads it.

    Args:
        review: the review.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    page = _Page(review, Paint(color), width)
    page.head()
    page.declared()
    for case in review.cases[:CASES]:
        page.case(case)
    if len(review.cases) > CASES:
        page.lines += ["", f"{count(len(review.cases) - CASES, 'more case')}: --format json"]
    page.runs()
    page.listings()
    page.findings()
    page.next()
    return "\n".join(line.rstrip() for line in page.lines) + "\n"


class _Page:
    def __init__(self, review: Review, paint: Paint, width: int) -> None:
        self.review, self.paint, self.width = review, paint, width
        self.lines: list[str] = []

    def title(self, name: str, remark: str = "") -> None:
        head = self.paint.bold(name)
        self.lines += ["", f"{head}   {self.paint.dim(safe(remark))}" if remark else head]

    def row(self, label: str, body: str) -> None:
        """A label in the margin, and a text beside it."""
        lines: list[str] = []
        for paragraph in safe_lines(clipped(body, _LONG)) or [""]:
            lines += wrap(paragraph, self.width, indent=_INDENT)
        shown = self.paint.dim(left(safe(label), 13))
        self.lines += [f"  {shown}  {lines[0][len(_INDENT) :]}", *lines[1:]]

    def head(self) -> None:
        review = self.review
        if review.state == "wrong":
            state = self.paint.bad(f"{count(wrong(review), 'thing')} to put right")
        elif review.state == "waiting":
            state = self.paint.warn(f"waits for {listed(list(review.awaited))}")
        else:
            state = self.paint.good("nobody is awaited")
        self.lines.append(f"{state}, {CLASS[review.kind]}")
        self.row("files", files_words(review))
        self.row("history", history_words(review))
        self.row("effect", effect_words(review))
        for item in review.coverage:
            self.row(item.suite, f"{coverage_words(item)}; {gate_words(item)}")
            if item.truth != item.truth_before:
                hashes = [value[:8] if value else "–" for value in (item.truth_before, item.truth)]
                self.row("", f"truth {hashes[0]} → {hashes[1]}")
        for note in review.notes:
            self.row("note", note)

    def declared(self) -> None:
        for change in self.review.declared:
            mark = "" if change.proved else "does not hold"
            self.title(f"declared change {safe(change.id)}", mark)
            self.row("command", command_words(change))
            self.row("why", change.why)
            self.row("proof", declared_words(change))
            for path in change.different[:10]:
                self.row("", path)
            if len(change.different) > 10:
                self.row("", f"{len(change.different) - 10:,} more")

    def case(self, case: CaseReview) -> None:
        self.title(safe(case.case_id), f"{step_words(case)}; {CLASS[case.kind]}")
        if case.asked:
            self.row("user", case.asked)
        for change in case.changes:
            self._change(change)
        for clause in case.clauses:
            words = clause_words(clause.text or "")
            self.row("clause", f"{clause.clause}\n{words}" if words else clause.clause)
        why = " ".join(sentence for revision in case.revisions for sentence in revision.why)
        if why:
            self.row("why", why)
        for revision in case.revisions:
            self._signs(revision)
        if case.finished:
            self.row("unfinished", f"assay fmt {case.revisions[-1].path}")

    def _change(self, change: FieldChange) -> None:
        label = change.label
        for sign, values in (("-", change.before), ("+", change.after)):
            for value in values:
                lines = wrap(safe(clipped(value, _LONG)), self.width, indent=_INDENT + "  ")
                paint = self.paint.bad if sign == "-" else self.paint.good
                first = f"  {self.paint.dim(left(safe(label), 13))}  {paint(sign)} "
                self.lines += [first + lines[0].lstrip(), *lines[1:]]
                label = ""

    def _signs(self, revision: RevisionReview) -> None:
        words = signs_words(revision)
        names = [f"{s.handle} ({s.role}, {PROOF[s.proof]})" for s in revision.signatures]
        if names:
            words += f": {', '.join(names)}"
        self.row(f"r{revision.revision} signs", words)

    def runs(self) -> None:
        review = self.review
        scored = [run for run in review.runs if run.scored]
        if not review.runs:
            return
        self.title("stored runs")
        for run in scored:
            before, after, place = run_words(run)
            words = f"{before} → {after}, place {place}" if before else place
            flips = f", {count(run.flips, 'flip')}" if run.flips else ""
            self.row(run.run, words + flips)
        rest = len(review.runs) - len(scored)
        if rest:
            self.row("", f"{count(rest, 'run')}: nothing moved that a verdict rests on")
        for flip in review.flips[:FLIPS]:
            self.row("", f"{flip.run}  {flip.case_id}  {flip_words(flip)}")
        if len(review.flips) > FLIPS:
            self.row("", f"{count(len(review.flips) - FLIPS, 'more flip')}: --format json")

    def listings(self) -> None:
        review = self.review
        if review.exclusions:
            self.title("what is scored")
        for item in review.exclusions[:FLIPS]:
            now = "no longer scored" if item.gained else "scored again"
            self.row(item.case_id, f"{now}: {', '.join(item.codes)} {item.reason}")
        if review.others:
            self.title("policies, tools, people, cases, parameters")
        for line in review.others[:FLIPS]:
            self.row("", f"{line.path}  {line.text}")
        if len(review.others) > FLIPS:
            self.row("", f"{len(review.others) - FLIPS:,} more: --format json")
        if review.suspects:
            self.title("the same defect elsewhere?")
        for suspect in review.suspects:
            self.row(suspect.case_id, f"like {suspect.like}: {'; '.join(suspect.reasons)}")
        if review.more_suspects:
            self.row("", f"{review.more_suspects:,} more")

    def findings(self) -> None:
        found = tuple(f for f in self.review.findings if f.severity != "note")
        if found:
            self.title("findings")
            report = FindingReport(findings=found, checked={})
            shown = findings_text(report, width=self.width, color=self.paint.enabled)
            self.lines += shown.rstrip("\n").split("\n")
        if self.review.elsewhere:
            self.lines += ["", f"{count(self.review.elsewhere, 'error')} elsewhere: assay check"]

    def next(self) -> None:
        steps = todo(self.review)
        if steps:
            self.title("next")
        for words, command in steps:
            self.row("", words)
            if command:
                self.row("", f"  {command}")
