"""The comment of a pull request: one screen open, the rest folded, and never too long.

Whatever people wrote is escaped: it can be no markup, mention, link, image or tag.
"""

from __future__ import annotations

from assay.models.finding import Finding
from assay.models.review import Declared, Review
from assay.reporting.findings.grouping import Group, grouped, place_of
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.review.budget import LIMIT, Part, fitted
from assay.reporting.review.case_block import case_block, finished_block
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
    todo,
    wrong,
)
from assay.reporting.words import clipped, command_and_remark, count, listed

OPEN_CASES = 2
"""Cases that are shown open."""

OPEN_FLIPS = 5
"""Flips that are shown open."""

OPEN_FINDINGS = 4
"""Errors, and other findings, that are shown open."""

OPEN_DECLARED = 4
"""Declared changes that hold and are shown open."""

_TEXT = 300
_RESERVE = 400
"""Bytes that are kept for saying what was cut."""


def markdown(review: Review, *, limit: int = LIMIT) -> str:
    """The comment.

    Args:
        review: the review.
        limit: most bytes; a byte is never less than a character.
    """
    top = "\n\n".join(filter(None, [_title(review), _table(review), *map(_note, review.notes)]))
    foot = _footer(review)
    room = limit - len(top.encode()) - len(foot.encode()) - _RESERVE
    blocks, cut = fitted(_parts(review), room)
    if cut:
        missing = listed([count(number, noun) for noun, number in cut])
        blocks.append(f"Cut to fit: {missing}; the command below prints them all.")
    return "\n\n".join([top, *blocks, foot]) + "\n"


def text_of(text: str, most: int = _TEXT) -> str:
    """What somebody wrote, on one line."""
    return plain_markdown(clipped(" ".join(text.split()), most))


# -- open -----------------------------------------------------------------------------------


def _who(names: tuple[str, ...]) -> str:
    """Handles as code, words as words."""
    shown = [name if " " in name else code_span(name) for name in names[:4]]
    more = len(names) - len(shown)
    return listed([*shown, *([f"{more} more"] if more else [])])


def _title(review: Review) -> str:
    if review.state == "wrong":
        state = f"{count(wrong(review), 'thing')} to put right"
        if review.awaited:
            state += f", then {_who(review.awaited)}"
    elif review.state == "waiting":
        state = f"waits for {_who(review.awaited)}"
    else:
        state = "nobody is awaited"
    return f"### Truth: {state} · {CLASS[review.kind]}"


def _table(review: Review) -> str:
    rows = [
        ("files", files_words(review)),
        ("history", history_words(review)),
        ("effect", text_of(effect_words(review))),
    ]
    several = len(review.coverage) > 1
    for item in review.coverage[:6]:
        suffix = f" {code_span(item.suite, in_table=True)}" if several else ""
        words = f"{coverage_words(item)}; {gate_words(item)}"
        rows.append((f"coverage and gate{suffix}", words))
    rows.append(("signatures", _signatures(review)))
    lines = ["| | |", "|---|---|", *(f"| {name} | {words} |" for name, words in rows)]
    return "\n".join(lines)


def _signatures(review: Review) -> str:
    found = {
        (item.role, item.handle): PROOF[item.proof]
        for case in review.cases
        for revision in case.revisions
        for item in revision.signatures
    }
    parts = [
        f"{code_span(handle, in_table=True)} {role}, {proof}"
        for (role, handle), proof in sorted(found.items())
    ]
    more = len(parts) - 6
    shown = [*parts[:6], *([f"{more} more"] if more > 0 else [])]
    if review.awaited:
        shown.append(f"awaited: {_who(review.awaited)}")
    return "; ".join(shown) or "none needed"


def _note(note: str) -> str:
    return f"**Note** {text_of(note)}"


def _parts(review: Review) -> list[Part]:
    bad = [_finding(group) for group in grouped(f for f in review.findings if _stops(f))]
    others = (f for f in review.findings if f.severity != "note" and not _stops(f))
    mild = [_finding(group) for group in grouped(others)]
    cases = [case_block(case) for case in review.cases]
    flips = [
        f"- {code_span(flip.run)} {code_span(flip.case_id)} {text_of(flip_words(flip))}"
        for flip in review.flips
    ]
    broken = [_declared(item) for item in review.declared if not item.proved]
    good = [_declared(item) for item in review.declared if item.proved]
    return [
        Part("declared change", broken),
        Part("error", bad[:OPEN_FINDINGS], glue="\n"),
        Part("case", cases[:OPEN_CASES]),
        Part("declared change", good[:OPEN_DECLARED], glue="\n"),
        Part("run", _runs(review)),
        Part("flip", flips[:OPEN_FLIPS], glue="\n"),
        Part("warning", mild[:OPEN_FINDINGS], glue="\n"),
        _fold("error", bad[OPEN_FINDINGS:], "error"),
        _fold("warning", mild[OPEN_FINDINGS:], "warning"),
        Part("finished file", _finished(review), folded="The finished file to paste"),
        Part("case", cases[OPEN_CASES:], folded=_more(len(cases) - OPEN_CASES, "case")),
        _fold("flip", flips[OPEN_FLIPS:], "verdict that flips", "verdicts that flip"),
        _fold("declared change", good[OPEN_DECLARED:], "declared change"),
        _fold("exclusion", _exclusions(review), "", title="What is scored"),
        _fold("line", _others(review), "", title="Policies, tools, people, cases, parameters"),
        _fold("suspect", _suspects(review), "", title="The same defect elsewhere?"),
        _fold("step", _todo(review), "", title="What to do"),
    ]


def _more(number: int, one: str, many: str = "") -> str:
    return f"{count(number, 'more ' + one, 'more ' + (many or one + 's'))}"


def _fold(noun: str, lines: list[str], one: str, many: str = "", *, title: str = "") -> Part:
    """A folded list; each of its items is kept or cut."""
    name = title or (_more(len(lines), one, many) if lines else "")
    return Part(noun, lines, folded=name, glue="\n") if lines else Part(noun, [])


def _stops(finding: Finding) -> bool:
    return finding.severity == "error"


def _finding(group: Group) -> str:
    finding: Finding = group.first
    more = f" and {group.count - 1:,} more" if group.count > 1 else ""
    words = (
        f"- **{finding.severity}** {finding.code} {code_span(place_of(finding))}{more}:"
        f" {text_of(finding.message)}"
    )
    command, remark = command_and_remark(finding.hint)
    hint = " ".join(filter(None, [code_span(command), text_of(remark)]))
    return f"{words} {hint}" if hint else words


def _declared(change: Declared) -> str:
    mark = "declared, and it works out" if change.proved else "**declared, and it does not hold**"
    command = code_span(command_words(change))
    words = f"- {code_span(change.id)} {mark}: {text_of(declared_words(change))}. {command}"
    if not change.proved and change.different:
        shown = ", ".join(code_span(path) for path in change.different[:5])
        more = len(change.different) - 5
        words += f"\n  {shown}" + (f" and {more:,} more" if more > 0 else "")
    return words


def _runs(review: Review) -> list[str]:
    scored = [run for run in review.runs if run.scored]
    moved = [run for run in scored if run.flips or run.rate != run.rate_before or run.problem]
    if not scored:
        if not review.runs:
            return []
        return [f"{count(len(review.runs), 'stored run')}: nothing moved that a verdict rests on."]
    if not moved:
        return [f"{count(len(scored), 'stored run')} scored under both truths: no verdict flips."]
    lines = ["| run | before | after | place | flips |", "|---|---|---|---|---|"]
    for run in moved[:8]:
        before, after, place = run_words(run)
        name = code_span(f"{run.suite}/{run.run}", in_table=True)
        lines.append(f"| {name} | {before} | {after} | {text_of(place)} | {run.flips:,} |")
    rest = len(review.runs) - len(moved[:8])
    if rest:
        lines += ["", f"{count(rest, 'more run')}: {'as before' if len(moved) < 9 else 'folded'}."]
    return ["\n".join(lines)]


# -- folded ---------------------------------------------------------------------------------


def _finished(review: Review) -> list[str]:
    return [finished_block(case) for case in review.cases if case.finished]


def _exclusions(review: Review) -> list[str]:
    return [
        f"- {code_span(item.case_id)} is"
        f" {'no longer scored' if item.gained else 'scored again'}:"
        f" {', '.join(item.codes)} {text_of(item.reason)}"
        for item in review.exclusions
    ]


def _others(review: Review) -> list[str]:
    return [f"- {code_span(line.path)} {text_of(line.text)}" for line in review.others]


def _suspects(review: Review) -> list[str]:
    lines = [
        f"- {code_span(item.case_id)}, like {code_span(item.like)}:"
        f" {text_of('; '.join(item.reasons))}"
        for item in review.suspects
    ]
    if review.more_suspects:
        lines.append(f"- {review.more_suspects:,} more")
    return lines


def _todo(review: Review) -> list[str]:
    return [
        f"{number}. {text_of(words)} {code_span(command)}".rstrip()
        for number, (words, command) in enumerate(todo(review), start=1)
    ]


def _footer(review: Review) -> str:
    sides = review.sides
    hashes = [
        f"{code_span(item.suite)} {_short(item.truth_before)}"
        + (f" → {_short(item.truth)}" if item.truth != item.truth_before else "")
        for item in review.coverage[:6]
    ]
    day = sides.today
    if sides.today_before != day:
        day = f"{sides.today_before} → {day}"
    words = [f"truth {', '.join(hashes)}"] if hashes else []
    words += [f"engine {sides.engine}", f"today {day}"]
    return f"<sub>{' · '.join(words)} · {code_span(sides.command + ' --format markdown')}</sub>"


def _short(digest: str | None) -> str:
    return digest[:8] if digest else "–"
