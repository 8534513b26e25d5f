"""A trace for a terminal: from the number back to what it rests on."""

from __future__ import annotations

from assay.reporting.numbers import interval, percent
from assay.reporting.phrases import clause_words
from assay.reporting.trace.inputs import CaseTrace, Part, Signature, Trace
from assay.reporting.words import WIDTH, Paint, count, left, listed, safe, safe_lines, wrap

_INDENT = " " * 16
_DIGITS = 12


def text(trace: Trace, *, color: bool = False, width: int = WIDTH) -> str:
    """What a result rests on, and what of it can be proved here.

    Args:
        trace: the trace.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    page = _Page(trace, Paint(color), width)
    page.head()
    if trace.case is not None:
        page.case(trace.case)
    page.truth()
    page.context()
    page.run()
    page.made()
    page.doubts()
    return "\n".join(line.rstrip() for line in page.lines) + "\n"


class _Page:
    def __init__(self, trace: Trace, paint: Paint, width: int) -> None:
        self.trace, self.paint, self.width = trace, paint, width
        self.lines: list[str] = []

    def title(self, name: str, remark: str = "") -> None:
        head = self.paint.bold(name)
        self.lines += ["", f"{head}   {self.paint.dim(safe(remark))}" if remark else head]

    def row(self, label: str, body: str) -> None:
        """A label in the margin, and a text beside it that may have several lines."""
        lines: list[str] = []
        for paragraph in safe_lines(body) or [""]:
            lines += wrap(paragraph, self.width, indent=_INDENT)
        self.lines.append(f"  {self.paint.dim(left(safe(label), 12))}  {lines[0][len(_INDENT) :]}")
        self.lines += lines[1:]

    def head(self) -> None:
        result = self.trace.result
        tally = result.overall
        self.lines.append(
            f"Result {self.paint.bold(result.id)}: {safe(result.subject.run)} on"
            f" {safe(result.context.suite)}, judged at {result.today}"
        )
        span = interval(tally.wilson_low, tally.wilson_high)
        rate = f"{percent(tally.pass_rate)} %, 95 % {span}" if tally.pass_rate is not None else "no"
        self.row("pass rate", f"{rate} ({tally.passed} of {tally.evaluated} evaluated)")
        if result.exploratory:
            self.row("exploratory", "drafts were scored: never compared, never gates")
        self.row("published", self.trace.published or "no")
        if not self.trace.path and self.trace.again == "same":
            self.row("reproduced", "it was scored just now from what lies here")
            return
        again = {
            "same": self.paint.good("yes, scored here just now with the same numbers"),
            "numbers": self.paint.bad("no: scored here the id has other numbers"),
            "other": self.paint.warn(
                f"not by what lies here, which gives {self.trace.again_id}: see what changed"
            ),
            "unknown": self.paint.warn("not known: it cannot be scored here"),
        }[self.trace.again]
        self.lines.append(f"  {self.paint.dim(left('reproduced', 12))}  {again}")

    def truth(self) -> None:
        trace = self.trace
        self.title("Truth", f"truth/records/{trace.result.context.suite}/")
        said = [f"{number} {status}" for status, number in trace.statuses.items()]
        self.row("scored", f"{listed(said)} records" if said else "none")
        if trace.excluded:
            said = [f"{number} {code}" for code, number in trace.excluded.items()]
            total = count(len(trace.result.excluded), "case")
            self.row("not scored", f"{total}: {listed(said)}   assay check --explain CODE")

    def context(self) -> None:
        self.title("Context", "what must agree before two results may be compared")
        for part in self.trace.parts:
            self.part(part)

    def part(self, part: Part) -> None:
        recorded = _short(part.recorded)
        state = {
            "same": self.paint.good("still so"),
            "changed": self.paint.warn(f"changed, now {_short(part.now or '')}"),
            "unknown": self.paint.warn("cannot be computed here"),
        }[part.state]
        self.lines.append(
            f"  {self.paint.dim(left(part.name.replace('_', ' '), 12))}  {safe(recorded)}  {state}"
        )
        self.lines += wrap(safe(part.of), self.width, indent=_INDENT)

    def run(self) -> None:
        trace, subject = self.trace, self.trace.result.subject
        self.title("Run")
        self.row("file", trace.run_path or "not known")
        if trace.run_file is not None:
            self.part(trace.run_file)
        self.row("agent", subject.agent or "several, or not known")
        self.row("model", subject.model or "several, or not known")
        self.row("trials", str(subject.trials))

    def made(self) -> None:
        trace, made = self.trace, self.trace.made
        self.title("Scorer", f"engine {trace.result.engine}")
        if made.commit is not None:
            how = "recorded when it was published" if made.recorded else "checked out here"
            self.row("commit", f"{made.commit[:_DIGITS]}, {how}")
            if made.subject:
                self.row("", made.subject)
            clean = [name for name, yes in made.clean.items() if yes]
            dirty = [name for name, yes in made.clean.items() if not yes]
            if clean:
                self.row("as committed", listed(clean))
            if dirty:
                self.row("changed", listed(dirty))
        if trace.commands:
            self.title("Make it again")
            self.lines += [f"  {safe(command)}" for command in trace.commands]

    def doubts(self) -> None:
        if not self.trace.doubts:
            return
        self.title("Not proved")
        for doubt in self.trace.doubts:
            self.lines += wrap(safe(doubt), self.width, indent="    ", first="  - ")

    # -- one case ---------------------------------------------------------------------------

    def case(self, case: CaseTrace) -> None:
        self.title(safe(case.case_id))
        if case.excluded is not None:
            for code, reason in zip(case.excluded.codes, case.excluded.reasons, strict=False):
                self.row("not scored", f"{code} {reason}")
        for line in case.lines:
            trial = f", trial {line.trial + 1}" if len(case.lines) > 1 else ""
            self.row("verdict", f"{line.outcome.replace('_', ' ')}{trial}")
        for name in case.trace_ids:
            self.row("trace id", name)
        if case.content is not None:
            self.part(case.content)
        for revision in case.revisions:
            marks = [
                word
                for word, yes in (("scored against", revision.used), ("counts", revision.counts))
                if yes
            ]
            head = ", ".join([f"{revision.status}, {revision.change}", *marks])
            self.row(f"r{revision.revision:04d}", head)
            self.row("", " ".join(revision.rationale))
            came = (
                f"{revision.commit[:_DIGITS]} of {revision.day} by {revision.author}"
                if revision.commit
                else "not committed"
            )
            self.row("", f"{revision.path}, {came}")
        for clause in case.clauses:
            whole = {True: "", False: ", whose text was changed", None: ", without a digest"}
            place = f"{clause.path}{whole[clause.whole]}" if clause.path else "no text"
            words = clause_words(clause.words) or "This clause cannot be found."
            self.row("clause", f"{clause.citation} in {place}\n{words}")
        for item in case.signatures:
            self.row(item.part, f"{item.handle}: {_roles(item)}; {item.proof}")


def _roles(item: Signature) -> str:
    if item.part == "drafter":
        return "drafted it"
    return ", ".join(
        f"{listed(list(roles)) or 'no role'} on {day}" for day, roles in item.roles.items()
    )


def _short(value: str) -> str:
    digest = len(value) == 64 and all(char in "0123456789abcdef" for char in value)
    return value[:_DIGITS] if digest else value
