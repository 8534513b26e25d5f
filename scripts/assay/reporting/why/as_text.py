"""An explanation for a terminal: the verdict in one sentence, then everything it rests on."""

from __future__ import annotations

from assay.models.result import ComponentResult, Evidence, Outcome
from assay.models.truth import TruthRecord
from assay.reporting import levels
from assay.reporting.expectations import expectations
from assay.reporting.history import Step, changed_words, history
from assay.reporting.judging import (
    WORDS,
    components,
    deciding,
    evidence,
    failing_in_words,
)
from assay.reporting.phrases import clause_words
from assay.reporting.transcript import transcript
from assay.reporting.why.inputs import WhyInput, next_commands
from assay.reporting.words import WIDTH, Paint, left, safe, safe_lines, wrap

_INDENT = " " * 18
_REPLY = 240


def text(why: WhyInput, *, color: bool = False, width: int = WIDTH) -> str:
    """Why a run passed or failed a case.

    Args:
        why: the case and the run.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    page = _Page(why, Paint(color), width)
    page.head()
    page.asked()
    page.expected()
    page.observed()
    page.verdict()
    page.levels()
    page.history()
    page.others()
    page.next()
    return "\n".join(line.rstrip() for line in page.lines) + "\n"


class _Page:
    def __init__(self, why: WhyInput, paint: Paint, width: int) -> None:
        self.why, self.paint, self.width = why, paint, width
        self.lines: list[str] = []

    def title(self, name: str, remark: str = "") -> None:
        head = self.paint.bold(name)
        self.lines += ["", f"{head}   {self.paint.dim(safe(remark))}" if remark else head]

    def row(self, label: str, body: str, *, paint_label: bool = True) -> None:
        """A label in the margin, and a text beside it that may have several lines."""
        lines: list[str] = []
        for paragraph in safe_lines(body) or [""]:
            lines += wrap(paragraph, self.width, indent=_INDENT)
        shown = left(safe(label), 14)
        shown = self.paint.dim(shown) if paint_label else shown
        self.lines += [f"  {shown}  {lines[0][len(_INDENT) :]}", *lines[1:]]

    def outcome(self, outcome: Outcome, words: str = "") -> str:
        paint = {"passed": self.paint.good, "failed": self.paint.bad}.get(outcome, self.paint.warn)
        return paint(words or WORDS[outcome])

    def head(self) -> None:
        why = self.why
        name = self.paint.bold(safe(why.case_id))
        if why.result is None:
            words = "is not scored" if why.exclusions or why.record is None else "has no entry in"
            tail = "today" if words == "is not scored" else safe(why.run)
            self.lines.append(f"{name} {self.paint.warn(words)} {tail}.")
            for exclusion in why.exclusions:
                self.row(exclusion.code, exclusion.reason)
            return
        trial = f" in trial {why.result.trial + 1}" if self._several_trials() else ""
        verdict = self.outcome(why.result.outcome)
        self.lines.append(f"{name}: {safe(why.run)} {verdict}{trial}.")
        for item in deciding(why.result)[:1] if why.result.outcome != "passed" else ():
            self.lines += wrap(safe(item.message), self.width, indent="  ")

    def _several_trials(self) -> bool:
        return any(s.run == self.why.run and len(s.trials) > 1 for s in self.why.everybody)

    def asked(self) -> None:
        case = self.why.case
        self.title("Asked", f"suite {self.why.suite}")
        if case is None:
            self.row("", "The case is not in the repository.")
            return
        for number, turn in enumerate(case.conversation or (), start=1):
            label = "user" if len(case.conversation or ()) == 1 else f"user, turn {number}"
            self.row(label, turn.user_content.text)
        if not case.conversation:
            scripted = case.conversation_scenario is not None
            self.row("user", "(a scripted user)" if scripted else "(nothing)")

    def expected(self) -> None:
        record = self.why.record
        if record is None:
            self.title("Expected")
            self.row("", "No revision of a truth record counts.")
            return
        self.title("Expected", _record_words(record, self.why.path))
        basis = ", ".join(record.score_basis or ())
        for item in expectations(record):
            self.row(item.label, item.text)
        if basis:
            self.row("decides", basis)
        for clause in record.clauses:
            words = clause_words(self.why.clauses.get(clause, ""))
            self.row("clause", f"{clause}\n{words}" if words else clause)
        self.row("because", " ".join(record.rationale))

    def observed(self) -> None:
        why = self.why
        if why.observed is None:
            if why.result is not None:
                self.title("Observed")
                self.row("", "The run itself is not at hand.")
            return
        run = why.observed
        who = [name for name in (run.agent, run.model) if name]
        self.title("Observed", ", ".join(who))
        decided = deciding(why.result) if why.result else []
        marked = {item.call for item in decided if item.call is not None}
        shown = transcript(
            run, color=self.paint.enabled, width=self.width, marked=marked, reply_width=_REPLY
        )
        self.lines += shown.split("\n")[:-1]

    def verdict(self) -> None:
        result = self.why.result
        if result is None:
            return
        result_id = f"result {self.why.result_id}" if self.why.result_id else ""
        self.title("Verdict", result_id)
        for part in components(result):
            self._component(part)
        if not result.components:
            self.row(WORDS[result.outcome], "nothing was evaluated")
        for note in result.notes:
            self.row("note", note)
        if result.tags:
            self.row("tags", ", ".join(tag.replace("_", " ") for tag in result.tags))
        if not result.gates:
            self.row("gate", "does not gate: it never blocks a merge")

    def _component(self, part: ComponentResult) -> None:
        shown = "" if part.in_basis else " (shown, does not decide)"
        verdict = self.outcome(part.outcome, left(WORDS[part.outcome], 14))
        self.lines.append(f"  {verdict}  {part.component}{shown}")
        for item in evidence(part):
            self._evidence(item, part)

    def _evidence(self, item: Evidence, part: ComponentResult) -> None:
        agrees = item.outcome == part.outcome
        label = "" if agrees else WORDS[item.outcome]
        place = [f"call {item.call + 1}"] if item.call is not None else []
        if item.turn is not None:
            place.append(f"turn {item.turn + 1}")
        if item.pointer:
            place.append(item.pointer)
        self.row(f"  {label}", item.message + (f" [{', '.join(place)}]" if place else ""))
        if item.outcome == "passed":
            return
        if item.expected is not None:
            self.row("    expected", item.expected)
        if item.observed is not None:
            self.row("    observed", item.observed)

    def levels(self) -> None:
        result = self.why.result
        if result is None or result.levels is None:
            return
        found = result.levels
        self.title("Levels", f"{levels.score_words(found)}; they decide nothing")
        for label, words in levels.rows(found, self.why.nearness):
            self.row(label, words)

    def history(self) -> None:
        steps = history(self.why.revisions, self.why.counting)
        if not steps:
            return
        self.title("History")
        for step in steps:
            self._step(step)

    def _step(self, step: Step) -> None:
        record = step.record
        counts = ", counts" if step.counts else ""
        self.row(f"r{record.revision}", f"{record.status}, {record.change}{counts}")
        self.row("", " ".join(record.rationale))
        if step.changed:
            self.row("", f"changes {changed_words(step)}")
        if step.people:
            self.row("", step.people)

    def others(self) -> None:
        everybody = self.why.everybody
        if len(everybody) < 2:
            return
        suspected = ": label suspected" if self.why.label_suspected else ""
        self.title("All runs", failing_in_words(everybody) + suspected)
        for standing in everybody:
            self.row(standing.run, standing.words)

    def next(self) -> None:
        self.title("Next")
        commands = next_commands(self.why)
        wide = max(len(command) for command, _ in commands)
        for command, remark in commands:
            self.lines.append(f"  {left(safe(command), wide)}     {self.paint.dim(remark)}")


def _record_words(record: TruthRecord, path: str) -> str:
    parts = [f"{record.status} r{record.revision}", *record.policies]
    if record.as_of:
        parts.append(f"as of {record.as_of}")
    if record.expires:
        parts.append(f"expires {record.expires}")
    if path:
        parts.append(path)
    return ", ".join(parts)
