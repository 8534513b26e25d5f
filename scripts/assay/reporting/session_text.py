"""The results of a test session: three lines a run, which say what the rate leaves out."""

from __future__ import annotations

from assay.models.result import Result
from assay.reporting.numbers import interval, percent
from assay.reporting.scoreboard.board import SHORT
from assay.reporting.words import count, safe


def result_lines(result: Result) -> list[str]:
    """What a run came to on a suite: rate with interval, counts that add up, and under what.

    The counts are those of `Tally`: expected is the sum of the others, always.
    """
    tally, context = result.overall, result.context
    name = safe(f"{context.suite}, {result.subject.run}")
    if tally.pass_rate is None:
        rate = "no rate: nothing passed or failed"
    else:
        ends = interval(tally.wilson_low, tally.wilson_high)
        rate = f"{percent(tally.pass_rate)} % of {count(tally.cases, 'case')} (95 %: {ends})"
    if result.exploratory:
        rate += ", exploratory: drafts were scored"
    counts = (
        f"  expected {tally.expected:,} = passed {tally.passed:,} + failed {tally.failed:,}"
        f" + not evaluated {tally.not_evaluated:,} + errors {tally.errored:,}"
        f" + excluded {tally.excluded:,} + unmatched {tally.unmatched:,}"
    )
    lines = [f"{name}: {rate}", counts]
    if tally.incomplete and tally.worst is not None and tally.best is not None:
        lines.append(f"  incomplete: between {percent(tally.worst)} and {percent(tally.best)} %")
    under = [
        f"result {result.id}",
        f"truth {context.truth[:SHORT]}",
        ", ".join(map(safe, context.policies.values())),
        f"today {result.today}",
        f"engine {safe(result.engine)}",
    ]
    lines.append("  " + " · ".join(part for part in under if part))
    return lines
