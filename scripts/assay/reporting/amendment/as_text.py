"""A revision before it is written, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.amendment.inputs import Amendment, CaseLook, RunStanding
from assay.reporting.record import draft_text
from assay.reporting.words import (
    WIDTH,
    clipped,
    command_and_remark,
    count,
    left,
    listed,
    safe,
    safe_lines,
    wrap,
)

LABEL = 16
SHOWN_LINES = 12
SHOWN_RUNS = 8
VERDICTS = {
    "passed": "passes",
    "failed": "fails",
    "error": "error",
    "not_evaluated": "not evaluated",
    "not scored": "not scored",
}


def text(shown: Amendment) -> str:
    """Everything but what to type next."""
    parts = [_told("user says", shown.question)] if shown.question else []
    parts += [
        _told(clause, words or "no such clause", broken=True)
        for clause, words in shown.clauses.items()
    ]
    head, *fields = draft_text(shown.draft).splitlines()
    lines = [head, *(line for part in parts for line in part)]
    lines += ["", *fields] if parts else fields
    lines += ["", *_standing(shown), *_runs(shown), *_signs(shown)]
    for note in shown.notes:
        lines += wrap(safe(note), WIDTH, indent=" " * (LABEL + 2), first=_label("note"))
    for finding in shown.findings:
        said = f"{finding.severity} {finding.code}: {finding.message}"
        lines += wrap(safe(said), WIDTH, indent=" " * (LABEL + 2), first=_label("check"))
        if finding.hint:
            command, remark = command_and_remark(finding.hint)
            lines.append(_label("") + safe(f"next  {command or remark}"))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def look_text(look: CaseLook) -> str:
    """The case as it stands, with the runs that fail it."""
    lines = [safe(look.head)]
    lines += _told("user says", look.question) if look.question else []
    for clause, words in look.clauses.items():
        lines += _told(clause, words or "no such clause", broken=True)
    lines += _told("label says", " ".join(look.rationale)) if look.rationale else []
    if look.standing:
        indent = " " * (LABEL + 2)
        lines += wrap(safe(look.standing), WIDTH, indent=indent, first=_label("the case is"))
    if look.unscored or look.runs:
        lines += _runs(look)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def next_text(commands: Sequence[str]) -> str:
    """What to type next, a command a line."""
    if not commands:
        return ""
    first, *rest = commands
    return "\n".join(["", f"Next  {first}", *(f"      {line}" for line in rest)]) + "\n"


def _label(name: str) -> str:
    return f"  {left(safe(name), LABEL - 1)} "


def _paragraphs(words: str) -> list[str]:
    """Lines that somebody broke at the margin, joined again."""
    return [" ".join(part.split()) for part in words.replace("\r\n", "\n").split("\n\n")]


def _told(name: str, words: str, *, broken: bool = False) -> list[str]:
    lines: list[str] = []
    texts = _paragraphs(words) if broken else words.split("\n")
    said = [line for text in texts for line in safe_lines(text) if line.strip()]
    for line in said[:SHOWN_LINES]:
        first = _label(name) if not lines else None
        lines += wrap(line, WIDTH, indent=" " * (LABEL + 2), first=first)
    if len(said) > SHOWN_LINES:
        lines.append(_label("") + f"… {count(len(said) - SHOWN_LINES, 'more line')}")
    return lines


def _standing(shown: Amendment) -> list[str]:
    when = f"from {shown.day} on " if shown.day != shown.today else ""
    if shown.before and shown.before == shown.after:
        said = f"{when}{shown.after}, as now"
    elif shown.before:
        said = f"{when}{shown.after}; now {shown.before}"
    else:
        said = f"{when}{shown.after}"
    return wrap(safe(said), WIDTH, indent=" " * (LABEL + 2), first=_label("the case is"))


def _runs(shown: Amendment | CaseLook) -> list[str]:
    if shown.unscored:
        first = _label("stored runs")
        return wrap(safe(shown.unscored), WIDTH, indent=" " * (LABEL + 2), first=first)
    if not shown.runs:
        return [_label("stored runs") + "none has this case"]
    telling = [run for run in shown.runs if run.before != run.after or run.after == "failed"]
    lines: list[str] = []
    for run in telling[:SHOWN_RUNS]:
        verdict = VERDICTS.get(run.after, run.after)
        words = verdict if isinstance(shown, CaseLook) else moved(run)
        said = f"{left(safe(run.run), 14)} {words}"
        lines.append(_label("" if lines else "stored runs") + said)
        if run.reason:
            lines += wrap(safe(clipped(run.reason, 150)), WIDTH, indent=" " * (LABEL + 4))
    rest = len(telling) - SHOWN_RUNS
    if rest > 0:
        lines.append(_label("") + f"and {count(rest, 'more run')} that fail or move")
    quiet = [run for run in shown.runs if run not in telling]
    if quiet:
        verdicts = listed(sorted({VERDICTS.get(run.after, run.after) for run in quiet}), "or")
        names = ", ".join(run.run for run in quiet[:4]) + (" …" if len(quiet) > 4 else "")
        as_before = "" if isinstance(shown, CaseLook) else " as before"
        alike = f"{count(len(quiet), 'run')}{as_before}: {verdicts} ({safe(names)})"
        lines.append(_label("" if lines else "stored runs") + alike)
    return lines


def moved(run: RunStanding) -> str:
    """``fails now and with this revision``, ``passes now, fails with this revision``."""
    before, after = (VERDICTS.get(word, word) for word in (run.before, run.after))
    some = f" in {run.trials - run.passed_before} of {run.trials} trials"
    trials = some if run.trials > 1 and run.before == "failed" else ""
    if run.before == run.after:
        return f"{before}{trials}, now and with this revision"
    return f"{before}{trials} now, {after} with this revision"


def _signs(shown: Amendment) -> list[str]:
    if not shown.signs:
        return []
    named = f": {', '.join(shown.signers)}" if shown.signers else ""
    missing = f"; missing: {listed(list(shown.missing))}" if shown.missing else ""
    said = f"{shown.signs}{named}{missing}"
    return wrap(safe(said), WIDTH, indent=" " * (LABEL + 2), first=_label("must sign"))
