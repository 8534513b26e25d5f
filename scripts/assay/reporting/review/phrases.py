"""What all formats of a review say in the same words."""

from __future__ import annotations

import shlex
from decimal import Decimal

from assay.models.finding import Finding
from assay.models.review import (
    CaseReview,
    Class,
    Coverage,
    Declared,
    Flip,
    Review,
    RevisionReview,
    RunImpact,
)
from assay.reporting.numbers import percent, trimmed
from assay.reporting.words import count, listed

CLASS: dict[Class, str] = {
    "no_effect": "no effect",
    "clarifies": "clarifies",
    "moves_scores": "moves scores",
    "breaks_comparison": "breaks comparison",
}
"""How the classes are called."""

_FILES = {
    "campaigns": "campaign file",
    "cases": "file of cases",
    "catalogues": "catalogue or policy",
    "code": "file of code",
    "others": "other file",
    "parameters": "params.yaml",
    "records": "record",
    "results": "result",
    "runs": "run",
}
_PLURAL = {
    "catalogues": "catalogues or policies",
    "cases": "files of cases",
    "code": "files of code",
    "parameters": "params.yaml",
}

_CONTEXT = {
    "truth": "truth",
    "cases": "cases",
    "policies": "policies in force",
    "weights": "weights",
    "split": "split",
    "verdicts": "recorded verdicts",
}


def errors(review: Review) -> list[Finding]:
    """What is wrong."""
    return [finding for finding in review.findings if finding.severity == "error"]


def wrong(review: Review) -> int:
    """How many things are wrong: errors, and declarations that do not work out."""
    return len(errors(review)) + sum(not change.proved for change in review.declared)


def files_words(review: Review) -> str:
    """``3 records, 1 campaign file``; records first."""
    kinds = sorted(review.files, key=lambda kind: (kind != "records", kind))
    parts = [count(review.files[kind], _FILES[kind], _PLURAL.get(kind, "")) for kind in kinds]
    return ", ".join(parts) or "nothing"


def history_words(review: Review) -> str:
    """Whether what was merged stayed as it was."""
    found = [finding for finding in errors(review) if finding.code.startswith("HIS")]
    if found:
        return f"{count(len(found), 'rule')} of history broken"
    if review.redacted:
        names = [f"{item.case_id} r{item.revision:04d}" for item in review.redacted[:3]]
        names += ["…"] if len(review.redacted) > 3 else []
        gone = count(len(review.redacted), "revision")
        return f"{gone} redacted ({', '.join(names)}); the rest is as it was"
    return "what was merged is as it was"


def effect_words(review: Review) -> str:
    """The class, and what makes it one."""
    parts = []
    if review.flips:
        runs = len({(flip.suite, flip.run) for flip in review.flips})
        flips = count(len(review.flips), "verdict flips", "verdicts flip")
        parts.append(f"{flips} in {count(runs, 'run')}")
    moved = [item for item in review.coverage if item.moved]
    if moved:
        names = listed([item.suite for item in moved])
        parts.append(f"published results of {names} compare on unchanged cases only")
    return ": ".join([CLASS[review.kind], "; ".join(parts)]) if parts else CLASS[review.kind]


def coverage_words(item: Coverage) -> str:
    """``138 of 161 cases gate, as before`` or ``137 → 138 of 161 cases gate``."""
    now = f"{item.gating:,} of {item.cases:,} cases gate"
    if (item.gating_before, item.cases_before) == (item.gating, item.cases):
        return f"{now}, as before"
    before = f"{item.gating_before:,}"
    if item.cases_before != item.cases:
        before += f" of {item.cases_before:,}"
    return f"{before} → {now}"


def gate_words(item: Coverage) -> str:
    """``ready (85.7 %, floor 85)``."""
    share = Decimal(item.gating) / Decimal(item.cases) if item.cases else None
    words = f"{percent(share)} %" if share is not None else "no cases"
    if item.floor is not None:
        words += f", floor {trimmed(Decimal(item.floor) * 100)}"
    state = "ready" if item.ready else "not ready"
    if item.ready != item.ready_before:
        state += ", was " + ("ready" if item.ready_before else "not ready")
    return f"{state} ({words})"


def moved_words(item: Coverage) -> str:
    """``truth and cases``: what is another one in the context of results."""
    return listed([_CONTEXT[name] for name in item.moved])


def step_words(case: CaseReview) -> str:
    """``r2, r3 correction, gold``."""
    numbers = ", ".join(f"r{revision.revision}" for revision in case.revisions)
    last = case.revisions[-1]
    words = f"{numbers} {last.change}, {last.status}"
    if case.after.revision != last.revision:
        words += ", does not count yet"
    return words


def signs_words(revision: RevisionReview) -> str:
    """Who must sign, and who has; names as they stand in the record."""
    if revision.signs is None:
        return "no step that a record may take"
    return revision.signs


PROOF = {
    "forge": "approved",
    "git": "author in git",
    "claimed": "claimed, not proved",
}
"""How well a signature is known."""


def rate_words(rate: str | None) -> str:
    """A rate in percent."""
    return "none" if rate is None else f"{percent(Decimal(rate))} %"


def run_words(run: RunImpact) -> tuple[str, str, str]:
    """Before, after, and place of a run; both of them with their denominators."""
    if run.problem:
        return "", "", run.problem
    before = f"{rate_words(run.rate_before)} ({run.passed_before:,}/{run.evaluated_before:,})"
    after = f"{rate_words(run.rate)} ({run.passed:,}/{run.evaluated:,})"
    place = "–" if run.rank is None else str(run.rank)
    if run.rank != run.rank_before:
        place = f"{run.rank_before or '–'} → {place}"
    return before, after, place


def flip_words(flip: Flip) -> str:
    """``passed → failed`` with what decides now; where it passes, what was against it before."""
    words = f"{_verdict(flip.before)} → {_verdict(flip.after)}"
    if flip.after == "passed" and flip.was:
        return f"{words}; before: {flip.was}"
    reason = flip.reason or flip.was
    return f"{words}: {reason}" if reason else words


def _verdict(verdict: str) -> str:
    return verdict.replace("_", " ")


def command_words(change: Declared) -> str:
    """The declared command as it is typed."""
    return shlex.join(["assay", *change.command]) if change.command else ""


def declared_words(change: Declared) -> str:
    """``2,961 = previous + exactly this patch; 39 differ``."""
    if change.proved:
        kinds = ", ".join(
            f"{number:,} {CLASS[kind]}" if len(change.kinds) > 1 else CLASS[kind]
            for kind, number in change.kinds.items()
        )
        words = f"{change.same:,} = previous + exactly this patch"
        return f"{words}; {kinds}" if kinds else words
    if change.different:
        other = count(len(change.different), "differs", "differ")
        return f"{change.same:,} = previous + exactly this patch; {other}"
    return change.problem


def todo(review: Review) -> list[tuple[str, str]]:
    """What is to be done before this can be merged: words, and the command if there is one."""
    found: list[tuple[str, str]] = []
    if errors(review):
        found.append(("put right what is wrong, then look again", "assay check"))
    for change in review.declared:
        if not change.proved:
            words = f"{change.id}: take its files out, run it again and commit what it writes"
            found.append((words, command_words(change)))
    if any(case.finished for case in review.cases):
        found.append(("finish the new files", "assay fmt"))
    for who in review.awaited:
        words = f"{who} looks at it and approves" if " " not in who else f"{who} is to be found"
        found.append((words, ""))
    if any(item.moved for item in review.coverage):
        words = "compare with results from before on the cases that stayed"
        found.append((words, "assay compare A B --on unchanged"))
    return found
