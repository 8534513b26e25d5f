"""A comparison for a pull request."""

from __future__ import annotations

from assay.models.comparison import Comparison
from assay.reporting.comparison import phrases
from assay.reporting.markup import plain_markdown
from assay.reporting.numbers import percent


def markdown(made: Comparison) -> str:
    """The comparison as Markdown; foreign text in it is shown, never acted on."""
    lines = [f"### {plain_markdown(phrases.headline(made))}", ""]
    if phrases.basis(made):
        lines += [plain_markdown(phrases.basis(made)), ""]
    lines += [
        "| side | rate | expected | passed | failed | not evaluated | errored | excluded"
        " | unmatched |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for letter, side in (("A", made.a), ("B", made.b)):
        tally = side.tally
        numbers = (
            tally.expected,
            tally.passed,
            tally.failed,
            tally.not_evaluated,
            tally.errored,
            tally.excluded,
            tally.unmatched,
        )
        name = plain_markdown(f"{side.name} ({phrases.who(side)})")
        cells = " | ".join(map(str, numbers))
        lines.append(f"| {letter}: {name} | {phrases.rate(tally)} | {cells} |")
    lines += ["", "On the cases that both have:", ""]
    for measure in made.measures:
        if measure.cases:
            lines.append(f"- **{measure.measure}** {phrases.figures(measure)}")
            lines.append(f"- {phrases.split(measure)}. {measure.why}")
            if measure.gap is not None:
                lines.append(f"- smallest visible gap: {phrases.visible(measure.gap)}")
    lines.append(f"- {phrases.level(made)}")
    lines += [f"- {plain_markdown(phrases.trial(rates))}" for rates in made.trials]
    if made.slices:
        lines += [
            "",
            "| slice | cases | A | B | points | p after Holm | |",
            "|---|---|---|---|---|---|---|",
        ]
        for item in made.slices:
            found = item.measure
            lines.append(
                f"| {plain_markdown(item.slice)} | {found.cases} | {percent(found.a)} |"
                f" {percent(found.b)} | {phrases.points(found.difference)} |"
                f" {phrases.probability(found.adjusted)} |"
                f" {phrases.CONCLUSIONS[found.conclusion]} |"
            )
    if made.attribution is not None:
        lines += ["", f"What moved the number, {phrases.way(made.attribution)}:", ""]
        lines += ["| part | points | cases |", "|---|---|---|"]
        for step in made.attribution.parts:
            told = plain_markdown(phrases.moved(step, made.attribution))
            lines.append(f"| {phrases.part(step)} | {phrases.points(step.change)} | {told} |")
        lines += [""] if made.attribution.unknown else []
        lines += [f"Not known: {plain_markdown(why)}" for why in made.attribution.unknown]
    left_out = phrases.left_out(made)
    if left_out:
        lines += ["", "Not compared:", ""]
        lines += [f"- {plain_markdown(f'{what}: {names}')}" for what, names in left_out]
    if made.remarks:
        lines += ["", *(f"> {plain_markdown(remark)}" for remark in made.remarks)]
    return "\n".join(lines) + "\n"
