"""A decision as Markdown, for the comment of a pull request or a summary of a build."""

from __future__ import annotations

from assay.models.gate import GateReport
from assay.reporting.gate import phrases
from assay.reporting.markup import plain_markdown

SHOWN = 20


def markdown(report: GateReport) -> str:
    """The decision; nothing that comes from data can become markup."""
    mark = {"passes": "✅", "fails": "❌", "refuses": "⚠️"}[report.decision]
    lines = [f"### {mark} {plain_markdown(phrases.headline(report))}", ""]
    lines += [f"**Acts:** {plain_markdown(phrases.acting(report))}", ""]
    for refusal in report.refusals:
        hint = f" — {plain_markdown(refusal.hint)}" if refusal.hint else ""
        lines.append(f"- {plain_markdown(refusal.message)}{hint}")
    lines += ["", "| | |", "|---|---|"]
    rows = [("overall", phrases.measured(report.overall))]
    rows += [
        (item.slice, phrases.measured(item.measure))
        for item in report.slices
        if item.slice in report.worse or item.measure.lower
    ]
    rows += [
        ("can show", phrases.shows(report)),
        ("coverage", phrases.coverage(report)),
        ("left out", phrases.counted(report)),
    ]
    lines += [f"| {plain_markdown(a)} | {plain_markdown(b)} |" for a, b in rows if b]
    if report.failures:
        lines += ["", "| case | before → after | label | why |", "|---|---|---|---|"]
        for case in report.failures[:SHOWN]:
            cells = (case.case_id, phrases.failed(case), case.owner or "", case.why)
            lines.append("| " + " | ".join(plain_markdown(cell) for cell in cells) + " |")
        if len(report.failures) > SHOWN:
            lines.append(f"\nand {len(report.failures) - SHOWN} more")
    for remark in report.remarks:
        lines += ["", plain_markdown(remark)]
    return "\n".join(lines).rstrip() + "\n"
