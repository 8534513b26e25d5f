"""What moving `today` does: which cases stop to count, and what is left for the gate.

``python -m assay.pipeline.forecast DAY`` prints the text of the pull request that moves it: one
title line, then Markdown. The clock is not read; a job passes the day on.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from assay.checks.compiling import compile_truth
from assay.checks.runner import check_world, world_of
from assay.errors import AssayError, UsageError
from assay.ledger.layout import PARAMS, find_root
from assay.ledger.repository import Repository
from assay.models.base import DAY_PATTERN
from assay.models.compiled import EffectiveTruth
from assay.reporting.markup import code_span, plain_markdown
from assay.reporting.numbers import percent
from assay.reporting.scoreboard.readiness import Readiness, readiness
from assay.reporting.words import count

_SHOWN = 30
"""Cases that are listed by name."""


@dataclass(frozen=True)
class Lost:
    """A case that gates now and will not."""

    case_id: str
    """The case."""
    owner: str
    """Who answers for it."""
    reason: str
    """Why it stops."""


@dataclass(frozen=True)
class Forecast:
    """What moving the day does."""

    before: str
    """The day now."""
    day: str
    """The day that it is moved to."""
    lost: tuple[Lost, ...]
    """Cases that no longer gate, by owner and case."""
    gained: int
    """Cases that gate and did not."""
    suites: tuple[tuple[Readiness, Readiness], ...]
    """Coverage of each suite, before and after."""


def forecast(root: Path, day: str) -> Forecast:
    """What moving `today` to a day does; nothing is written.

    Raises:
        UsageError: the day is before today's.
    """
    repository = Repository.load(root)
    before = repository.params.model.today
    if day < before:
        raise UsageError(f"{day} is before {before}.", hint="pass a later day", path=PARAMS)
    now, then = _truths(repository, before), _truths(repository, day)
    gating = {entry.case_id for entry in then if entry.gates}
    after = {entry.case_id: entry for entry in then}
    lost = [
        Lost(entry.case_id, _owner(repository, entry), _reason(after.get(entry.case_id)))
        for entry in now
        if entry.gates and entry.case_id not in gating
    ]
    floors = repository.params.model.gate.floors
    return Forecast(
        before,
        day,
        tuple(sorted(lost, key=lambda item: (item.owner, item.case_id))),
        len(gating - {entry.case_id for entry in now if entry.gates}),
        tuple(zip(readiness(now, floors), readiness(then, floors), strict=True)),
    )


def _truths(repository: Repository, day: str) -> list[EffectiveTruth]:
    world = world_of(repository, today=day)
    compiled = compile_truth(world, check_world(world))
    return [entry for suite in sorted(compiled.suites) for entry in compiled.suites[suite]]


def _owner(repository: Repository, entry: EffectiveTruth) -> str:
    suite = repository.suites.get(entry.suite)
    return suite.owner(entry.case_id) if suite is not None else ""


def _reason(entry: EffectiveTruth | None) -> str:
    if entry is None:
        return "the case is gone"
    reasons = [item.reason for item in entry.exclusions] or list(entry.not_gating)
    return reasons[0] if reasons else ""


def title(found: Forecast) -> str:
    """``Today is 2026-12-01: 14 cases stop to gate``."""
    lost = f"{count(len(found.lost), 'case')} stop{'s' if len(found.lost) == 1 else ''} to gate"
    return f"Today is {found.day}" + (f": {lost}" if found.lost else "")


def body(found: Forecast) -> str:
    """Coverage of each suite, and the cases by owner, as Markdown."""
    lines = [f"`today` moves from {found.before} to {found.day}.", ""]
    lines += ["| suite | gates | coverage | floor |", "|---|---|---|---|"]
    for now, then in found.suites:
        floor = "–" if now.floor is None else f"{percent(now.floor, 0)} %"
        under = " **under the floor**" if now.ready and not then.ready else ""
        lines.append(
            f"| {code_span(now.suite, in_table=True)} | {now.gating:,} → {then.gating:,} |"
            f" {_share(now)} → {_share(then)} %{under} | {floor} |"
        )
    lines.append("")
    if found.gained:
        lines += [f"{count(found.gained, 'case')} gate that did not before.", ""]
    if found.lost:
        lines += ["| owner | case | why |", "|---|---|---|"]
    for item in found.lost[:_SHOWN]:
        lines.append(
            f"| {plain_markdown(item.owner)} | {code_span(item.case_id, in_table=True)} |"
            f" {plain_markdown(item.reason)} |"
        )
    if len(found.lost) > _SHOWN:
        lines += ["", f"and {len(found.lost) - _SHOWN:,} more: `assay check --today {found.day}`"]
    return "\n".join(lines).rstrip("\n") + "\n"


def _share(item: Readiness) -> str:
    coverage = item.coverage
    if coverage is None:
        return "–"
    return percent(Decimal(coverage.numerator) / Decimal(coverage.denominator))


def main(arguments: Sequence[str]) -> int:
    """Run it; exit codes as everywhere."""
    root = find_root(Path.cwd())
    if root is None or len(arguments) != 1 or not DAY_PATTERN.fullmatch(arguments[0]):
        print("python -m assay.pipeline.forecast YYYY-MM-DD, in the repository", file=sys.stderr)
        return 2
    try:
        found = forecast(root, arguments[0])
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{title(found)}\n\n{body(found)}", end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
