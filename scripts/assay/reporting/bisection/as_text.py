"""A bisection for a terminal: a paragraph for each commit that moved the score."""

from __future__ import annotations

from assay.reporting.bisection.inputs import Bisection, Change, Flip, Move, Standing
from assay.reporting.numbers import percent
from assay.reporting.words import WIDTH, Paint, count, left, safe, wrap

_SHOWN = 12
_MARGIN = " " * 12


def text(found: Bisection, *, color: bool = False, width: int = WIDTH) -> str:
    """Which commits moved a score.

    Args:
        found: what was found.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    paint = Paint(color)
    lines = wrap(_head(found), width, indent="  ", first="")
    for move in found.moves:
        lines += ["", *_move(move, found, paint, width)]
    if not found.moves:
        what = "the verdict" if found.case_id else "the score"
        lines.append(f"No commit that was looked at moved {what}.")
    if found.blind:
        lines += ["", paint.bold("Not known")]
        for blind in found.blind[:_SHOWN]:
            name = "what its code did" if blind.what == "scorer" else "the score at this commit"
            body = f"{blind.day}  {name}: {blind.reason}"
            lines += wrap(safe(body), width, indent=_MARGIN, first=f"{blind.commit[:10]}  ")
        if len(found.blind) > _SHOWN:
            lines.append(f"{_MARGIN}and {len(found.blind) - _SHOWN} more: --format json")
    if found.remarks:
        lines.append("")
        for remark in found.remarks:
            lines += wrap(safe(remark), width, indent="  ", first="")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(found: Bisection) -> str:
    subject = f"{found.run} on {found.suite}"
    if found.case_id:
        subject = f"{found.case_id} of {subject}"
    between = f"{found.first[:10]}..{found.last[:10]}"
    seen = (
        f"{count(found.commits, 'commit')}, {found.relevant} of which touch what decides;"
        f" {found.looked_at} looked at"
    )
    way = "" if found.case_id else f": {_standing(found.start)} → {_standing(found.end)}"
    return safe(f"{subject}, {between} ({seen}){way}")


def _standing(standing: Standing | None) -> str:
    if standing is None:
        return "not known"
    if standing.rate is None:
        return "none evaluated"
    return f"{percent(standing.rate)} ({standing.passed}/{standing.evaluated})"


def _move(move: Move, found: Bisection, paint: Paint, width: int) -> list[str]:
    head = f"{paint.bold(move.commit[:10])}  {move.day}  {safe(move.author)}"
    lines = [head, *wrap(safe(move.subject), width, indent=_MARGIN)]
    for change in move.changes[:_SHOWN]:
        lines += _row("changes", _change(change), width, paint)
    if len(move.changes) > _SHOWN:
        lines += _row("", f"and {len(move.changes) - _SHOWN} more", width, paint)
    way = f"{_standing(move.before)} → {_standing(move.after)}"
    if move.halfway is not None:
        way = (
            f"{_standing(move.before)} → {_standing(move.halfway)} by its data →"
            f" {_standing(move.after)} by its code"
        )
    if not found.case_id:
        lines += _row("rate", way, width, paint)
        if move.before.excluded != move.after.excluded:
            excluded = f"{move.before.excluded} → {move.after.excluded}"
            lines += _row("excluded", excluded, width, paint)
    for flip in move.flips[:_SHOWN]:
        lines += _row("flips", _flip(flip), width, paint)
    if len(move.flips) > _SHOWN:
        lines += _row("", f"and {len(move.flips) - _SHOWN} more: --format json", width, paint)
    if move.not_own_code:
        lines += _row("", "both sides under the code of today", width, paint)
    if move.unseen:
        names = ", ".join(name[:10] for name in move.unseen)
        lines += _row("", f"or in {names}, whose score is not known", width, paint)
    return lines


def _change(change: Change) -> str:
    return f"{change.words}: {change.because}" if change.because else change.words


def _flip(flip: Flip) -> str:
    trial = f", trial {flip.trial + 1}" if flip.trial else ""
    return f"{flip.case_id}{trial}: {flip.before} → {flip.after}"


def _row(label: str, body: str, width: int, paint: Paint) -> list[str]:
    first, *rest = wrap(safe(body), width, indent=_MARGIN)
    return [f"  {paint.dim(left(label, 8))}  {first[len(_MARGIN) :]}", *rest]
