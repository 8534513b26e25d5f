"""A decision for a terminal and for the log of a build."""

from __future__ import annotations

from assay.models.gate import GateReport
from assay.reporting.gate import phrases
from assay.reporting.words import WIDTH, Paint, left, safe, wrap

SHOWN = 20
"""How many failing cases are listed."""


def text(report: GateReport, *, color: bool = False, width: int = WIDTH) -> str:
    """The decision, what it rests on, and who has to do what."""
    paint = Paint(color)
    good = report.decision == "passes"
    lines = wrap(safe(phrases.headline(report)), width, indent="  ", first="")
    lines[0] = paint.good(lines[0]) if good else paint.bad(lines[0])
    lines += _row("acts", phrases.acting(report), width, paint)
    for refusal in report.refusals:
        lines += ["", *wrap(safe(refusal.message), width, indent="  ", first="- ")]
        if refusal.cases:
            names = ", ".join(refusal.cases[:8]) + (" …" if len(refusal.cases) > 8 else "")
            lines += wrap(safe(names), width, indent="    ")
        if refusal.hint:
            lines.append(f"    next  {safe(refusal.hint)}")
    lines += ["", *_row("overall", phrases.measured(report.overall), width, paint)]
    for item in report.slices:
        if item.slice in report.worse or item.measure.lower:
            lines += _row(safe(item.slice), phrases.measured(item.measure), width, paint)
    lines += _row("can show", phrases.shows(report), width, paint)
    lines += _row("coverage", phrases.coverage(report), width, paint)
    lines += _row("left out", phrases.counted(report), width, paint)
    if report.quarantined:
        words = f"{len(report.quarantined)} in quarantine: {', '.join(report.quarantined[:8])}"
        lines += _row("", words, width, paint)
    if report.failures:
        lines += ["", paint.bold("Pass less often than before, or must pass")]
        for case in report.failures[:SHOWN]:
            owner = f"  (label: {safe(case.owner)})" if case.owner else ""
            lines.append(f"  {left(safe(case.case_id), 20)}  {phrases.failed(case)}{owner}")
            if case.why:
                lines += wrap(safe(case.why), width, indent="      ")
            lines.append(f"      next  {safe(case.hint)}")
        if len(report.failures) > SHOWN:
            lines.append(f"  and {len(report.failures) - SHOWN} more: --format json")
    if report.improved:
        lines += ["", *_row("improved", ", ".join(report.improved[:8]), width, paint)]
    for remark in report.remarks:
        lines += ["", *wrap(safe(remark), width, indent="  ", first="")]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(label: str, body: str, width: int, paint: Paint) -> list[str]:
    if not body:
        return []
    margin = " " * 14
    first, *rest = wrap(safe(body), width, indent=margin)
    if len(label) > 10:
        return [f"  {paint.dim(label)}", first, *rest]
    return [f"  {paint.dim(left(label, 10))}  {first[len(margin) :]}", *rest]
