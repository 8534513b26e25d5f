"""A comparison for a terminal."""

from __future__ import annotations

from assay.models.comparison import Comparison
from assay.reporting.comparison import phrases
from assay.reporting.words import WIDTH, Paint, left, safe, width_of, wrap

_SLICES = 20
_LABEL = 10


def text(made: Comparison, *, color: bool = False, width: int = WIDTH) -> str:
    """The comparison.

    Args:
        made: what was compared.
        color: whether ANSI colours are used.
        width: columns of the terminal.
    """
    paint = Paint(color)
    lines = [_colored(made, paint)]
    if phrases.basis(made):
        lines += wrap(safe(phrases.basis(made)), width)
    lines.append("")
    for letter, side in (("A", made.a), ("B", made.b)):
        head = f"{letter}  {side.name}: {phrases.rate(side.tally)}; {phrases.who(side)}"
        lines += wrap(safe(head), width, indent="   ", first="")
        lines += wrap(phrases.identity(side.tally), width, indent="     ", first="   ")
    lines += ["", paint.bold("On the cases that both have")]
    for measure in made.measures:
        if not measure.cases:
            continue
        lines += _row(measure.measure, phrases.figures(measure), width, paint)
        lines += _row("", phrases.split(measure), width, paint)
        lines += _row("", measure.why, width, paint)
        if measure.gap is not None:
            lines += _row("can show", phrases.visible(measure.gap), width, paint)
    lines += _row("level", phrases.level(made), width, paint)
    for rates in made.trials:
        lines += _row("trials" if rates.k == 1 else "", phrases.trial(rates), width, paint)
    if made.trials:
        lines += _row("", phrases.FORMULAS, width, paint)
    lines += _slices(made, width, paint)
    lines += _moved(made, width, paint)
    left_out = phrases.left_out(made)
    if left_out:
        lines += ["", paint.bold("Not compared")]
        for what, names in left_out:
            lines += wrap(safe(f"{what}: {names}"), width, indent="    ", first="  ")
    if made.remarks:
        lines.append("")
        for remark in made.remarks:
            lines += wrap(safe(remark), width, indent="  ", first="")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _colored(made: Comparison, paint: Paint) -> str:
    head = safe(phrases.headline(made))
    if made.conclusion == "better":
        return paint.good(head)
    if made.conclusion == "worse":
        return paint.bad(head)
    return paint.bold(head)


def _slices(made: Comparison, width: int, paint: Paint) -> list[str]:
    if not made.slices:
        return []
    lines = ["", paint.bold("By slice, p after Holm")]
    room = min(24, max(width_of(safe(item.slice)) for item in made.slices))
    for item in made.slices[:_SLICES]:
        found = item.measure
        body = (
            f"{phrases.figures(found.model_copy(update={'p': found.adjusted}))};"
            f" {phrases.CONCLUSIONS[found.conclusion]}, {found.cases} cases"
        )
        first = f"  {left(safe(item.slice), room)}  "
        lines += wrap(body, width, indent=" " * (room + 4), first=first)
    if len(made.slices) > _SLICES:
        lines.append(f"  and {len(made.slices) - _SLICES} more: --format json")
    return lines


def _moved(made: Comparison, width: int, paint: Paint) -> list[str]:
    found = made.attribution
    if found is None:
        return []
    lines = ["", paint.bold("What moved the number"), *wrap(phrases.way(found), width, indent="  ")]
    for step in found.parts:
        told = phrases.moved(step, found)
        body = f"{phrases.points(step.change)}" + (f" ({told})" if told else "")
        lines += _row(phrases.part(step), body, width, paint)
    for why in found.unknown:
        lines += wrap(safe(f"Not known: {why}"), width, indent="    ", first="  ")
    return lines


def _row(label: str, body: str, width: int, paint: Paint) -> list[str]:
    margin = " " * (_LABEL + 4)
    first, *rest = wrap(safe(body), width, indent=margin)
    if width_of(label) > _LABEL:
        return [f"  {paint.dim(label)}", first, *rest]
    return [f"  {paint.dim(left(label, _LABEL))}  {first[len(margin) :]}", *rest]
