"""Effective truth: what the pipeline compiles from a repository and what the rules found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.checks.exclusions import exclusions
from assay.checks.world import Judged, World
from assay.ledger.hashes import content_hash, truth_hash
from assay.ledger.layout import PARAMS, PEOPLE, POLICIES, TOOLS, TRUTH, record_key
from assay.models.compiled import CompiledTruth, EffectiveTruth, Exclusion
from assay.models.finding import Finding, FindingReport

GLOBAL = frozenset({PARAMS, PEOPLE, POLICIES, TOOLS})
"""Files in which an error touches every case."""


@dataclass(frozen=True)
class CompiledRepository:
    """What counts today, over all suites."""

    suites: Mapping[str, tuple[EffectiveTruth, ...]]
    """Suite to one entry for every case and for every record without a case, sorted by id."""
    context: CompiledTruth
    """Day, policies in force, truth hashes and rename map."""
    unplaced: tuple[str, ...] = ()
    """Case ids of interchange records whose suite nobody can tell, sorted."""

    def entry(self, case_id: str) -> EffectiveTruth | None:
        """What counts for one case."""
        for entries in self.suites.values():
            for entry in entries:
                if entry.case_id == case_id:
                    return entry
        return None


def compile_truth(world: World, report: FindingReport) -> CompiledRepository:
    """The effective truth of a repository.

    Args:
        world: the repository on a day.
        report: what `run_checks` found on that day, with every rule.
    """
    excluded = exclusions(world, report.findings)
    judged = {item.case_id: item for item in world.judged if item.counts}
    members: dict[str, set[str]] = {name: set() for name in world.repository.suites}
    unplaced: list[str] = []
    for case_id, case in world.repository.cases.items():
        if world.looks_at(case_id):
            members.setdefault(case.suite, set()).add(case_id)
    for case_id, item in judged.items():
        if item.case is not None:
            continue
        if item.stored.suite:
            members.setdefault(item.stored.suite, set()).add(case_id)
        else:
            unplaced.append(case_id)
    suites: dict[str, tuple[EffectiveTruth, ...]] = {}
    truth: dict[str, str] = {}
    for suite in sorted(members):
        entries = tuple(
            _entry(world, suite, case_id, judged.get(case_id), excluded.get(case_id, ()))
            for case_id in sorted(members[suite])
        )
        suites[suite] = entries
        truth[suite] = _hash(entries)
    names = world.names
    context = CompiledTruth(
        today=world.today,
        policies=dict(world.in_force),
        truth=truth,
        rename_map=names.digest,
        renames=names.renames,
    )
    return CompiledRepository(suites, context, tuple(sorted(unplaced)))


def _entry(
    world: World,
    suite: str,
    case_id: str,
    judged: Judged | None,
    excluded: tuple[Exclusion, ...],
) -> EffectiveTruth:
    if judged is None:
        return EffectiveTruth(
            suite=suite, case_id=case_id, record=None, content_hash=None, exclusions=excluded
        )
    record = judged.mapped.record
    why = world.not_gating(judged) if not excluded else ()
    return EffectiveTruth(
        suite=suite,
        case_id=case_id,
        record=record,
        content_hash=content_hash(record),
        exclusions=excluded,
        gates=not excluded and not why,
        not_gating=why,
    )


def _hash(entries: Iterable[EffectiveTruth]) -> str:
    """Truth hash of a suite: every record that counts but drafts and retired ones."""
    return truth_hash(
        (entry.case_id, entry.content_hash, entry.record.status)
        for entry in entries
        if entry.record is not None
        and entry.content_hash is not None
        and entry.record.status not in ("draft", "retired")
    )


def stops(report: FindingReport) -> list[Finding]:
    """Errors after which nothing may be scored.

    Those in policies, tools, people and parameters, in the layout, in files that hold more than
    one record, crashes of a rule, and cases that must be scorable and are not. An error in one
    record only excludes its case.
    """
    return [finding for finding in report.findings if _stops(finding)]


def _stops(finding: Finding) -> bool:
    if finding.severity != "error":
        return False
    if finding.code == "FIL000" or finding.path in GLOBAL:
        return True
    if finding.path.startswith(f"{TRUTH}/policies/"):
        return True
    if finding.code in ("FIL003", "FIL004", "FIL005"):
        return True
    return finding.code.startswith("FIL") and record_key(finding.path) is None
