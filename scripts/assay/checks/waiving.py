"""Waivers: a finding that is accepted at the datum, with a reason and an end."""

from __future__ import annotations

from collections.abc import Iterable

from assay.checks.rule import REGISTRY, Found, Rule, in_yaml
from assay.checks.world import World
from assay.models.finding import Finding


class WAI001(Rule):
    """A waiver has ended.

    An accepted fault that nobody has looked at again is a fault.

    Fix the finding that it waives, or extend `until` with a new reason.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Waivers whose end has come."""
        file = world.repository.waivers
        for index, waiver in enumerate(file.model.waivers):
            if waiver.until <= world.today and world.looks_at(waiver.case):
                yield in_yaml(
                    file,
                    f"/waivers/{index}/until",
                    f"The waiver of {waiver.code} for {waiver.case} ended on {waiver.until}.",
                    "fix what it waives, or extend `until`",
                    case_id=waiver.case,
                )


class WAI002(Rule):
    """A waiver waives nothing.

    It would hide the next finding of that kind, which nobody has judged.

    Remove it from ``truth/waivers.yaml``.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Nothing: `apply_waivers` reports them, since it alone knows what was found."""
        return ()


class WAI003(Rule):
    """A waiver accepts what no waiver can accept.

    What is excluded for its status, its age or its policy would be scored in silence; so would
    what a broken file hides, and a label that a run without any action passes.

    Remove the waiver, and mend what it was for.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Waivers of rules that exclude, and of others that are not to be waived."""
        file = world.repository.waivers
        for index, waiver in enumerate(file.model.waivers):
            if not waivable(waiver.code) and world.looks_at(waiver.case):
                yield in_yaml(
                    file,
                    f"/waivers/{index}/code",
                    f"{waiver.code} cannot be waived: {waiver.case} would be scored in silence.",
                    f"assay check --explain {waiver.code}",
                    case_id=waiver.case,
                )


def waivable(code: str) -> bool:
    """Whether a waiver may accept findings of this code."""
    rule = REGISTRY.get(code)
    return rule is None or (rule.waivable and rule.severity != "excludes")


def apply_waivers(
    world: World, findings: list[Finding], *, complete: bool
) -> tuple[list[Finding], int]:
    """The findings that no waiver accepts, and those waivers that accept nothing.

    Args:
        world: for the waivers and the day.
        findings: what all rules found.
        complete: whether every rule has run; only then can a waiver be called unneeded.

    Returns:
        The findings that are left, and how many were accepted.
    """
    file = world.repository.waivers
    valid = {
        (waiver.case, waiver.code): index
        for index, waiver in enumerate(file.model.waivers)
        if waiver.until > world.today and waivable(waiver.code)
    }
    if not valid:
        return findings, 0
    used: set[tuple[str, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        key = (finding.case_id or "", finding.code)
        if key in valid:
            used.add(key)
        else:
            kept.append(finding)
    accepted = len(findings) - len(kept)
    if complete and world.only is None:
        known = world.repository
        for key in sorted(valid.keys() - used):
            if key[0] not in known.cases and key[0] not in known.revisions:
                continue  # SUI004 says that there is no such case.
            line, column = file.place(f"/waivers/{valid[key]}")
            kept.append(
                Finding(
                    code="WAI002",
                    severity=WAI002.severity,
                    path=file.path,
                    line=line,
                    column=column,
                    pointer=f"/waivers/{valid[key]}",
                    case_id=key[0],
                    message=f"Nothing is found under {key[1]} for {key[0]}.",
                    hint="remove this waiver",
                )
            )
    return kept, accepted
