"""Waivers: a finding that is accepted at the datum, with a reason and an end."""

from __future__ import annotations

from collections.abc import Iterable

from assay.checks.rule import Found, Rule
from assay.checks.world import World
from assay.models.finding import Finding


class WAI001(Rule):
    """A waiver has ended.

    An accepted fault that nobody has looked at again is a fault.

    Fix the finding that it waives, or extend `until` with a new reason.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Waivers whose end has come."""
        file = world.repository.waivers
        for index, waiver in enumerate(file.model.waivers):
            if waiver.until <= world.today:
                line, column = file.place(f"/waivers/{index}")
                yield Found(
                    f"The waiver of {waiver.code} for {waiver.case} ended on {waiver.until}.",
                    "fix what it waives, or extend `until`",
                    file.path,
                    line,
                    column,
                    f"/waivers/{index}/until",
                    waiver.case,
                )


class WAI002(Rule):
    """A waiver waives nothing.

    It would hide the next finding of that kind, which nobody has judged.

    Remove it from ``truth/waivers.yaml``.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Nothing: `apply_waivers` reports them, since it alone knows what was found."""
        return ()


def apply_waivers(world: World, findings: list[Finding], *, complete: bool) -> list[Finding]:
    """The findings that no waiver accepts, and those waivers that accept nothing.

    Args:
        world: for the waivers and the day.
        findings: what all rules found.
        complete: whether every rule has run; only then can a waiver be called unneeded.
    """
    file = world.repository.waivers
    valid = {
        (waiver.case, waiver.code): index
        for index, waiver in enumerate(file.model.waivers)
        if waiver.until > world.today
    }
    used: set[tuple[str, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        key = (finding.case_id or "", finding.code)
        if key in valid and not finding.code.startswith("WAI"):
            used.add(key)
        else:
            kept.append(finding)
    if complete and world.only is None:
        for key in sorted(valid.keys() - used):
            index = valid[key]
            line, column = file.place(f"/waivers/{index}")
            kept.append(
                Finding(
                    code="WAI002",
                    severity=WAI002.severity,
                    path=file.path,
                    line=line,
                    column=column,
                    pointer=f"/waivers/{index}",
                    case_id=key[0],
                    message=f"Nothing is found under {key[1]} for {key[0]}.",
                    hint="remove this waiver",
                )
            )
    return kept
