"""Runs the rules over a repository and brings what they found into one order."""

from __future__ import annotations

import fnmatch
import importlib
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from assay.checks.gating import GAT001, required
from assay.checks.rule import REGISTRY, Found, Rule
from assay.checks.waiving import apply_waivers
from assay.checks.world import World
from assay.errors import UsageError
from assay.ledger.changes import History
from assay.ledger.owners.files import OwnersFile
from assay.ledger.records import collector_paused
from assay.ledger.repository import Repository
from assay.ledger.signatures import SignedBranch
from assay.models.finding import SEVERITIES, Finding, FindingReport

FAMILIES = (
    "files",
    "records",
    "lifecycle",
    "expectations",
    "status",
    "policies",
    "people",
    "tools",
    "cases",
    "matchers",
    "suites",
    "verdicts",
    "proofs",
    "sources",
    "published",
    "gating",
    "campaigns",
    "history",
    "signatures",
    "owners",
    "waiving",
)
"""Modules of rules, one a family."""

CRASH = "FIL000"
FILES = "FIL"
"""Rules that look at files alone."""


def rules() -> dict[str, type[Rule]]:
    """Code to rule, sorted, with every family loaded."""
    for family in FAMILIES:
        importlib.import_module(f"assay.checks.{family}")
    return {code: REGISTRY[code] for code in sorted(REGISTRY)}


def run_checks(
    repository: Repository,
    *,
    today: str | None = None,
    policies: Sequence[str] = (),
    select: Sequence[str] = (),
    only: Iterable[str] | None = None,
    history: History | None = None,
    owners: OwnersFile | None = None,
    signed: SignedBranch | None = None,
) -> FindingReport:
    """Everything the rules find.

    Args:
        repository: what is looked at.
        today: the day; that of ``params.yaml`` where absent.
        policies: versions that stand in for those in force, for what-if questions.
        select: codes or patterns such as ``TOL*``; every rule where empty.
        only: case ids that are looked at; every case where absent.
        history: what was changed since a commit; nothing is said of it where absent.
        owners: CODEOWNERS; nothing is said of it where absent.
        signed: who signed what a branch adds; nothing is said of it where absent.

    Raises:
        UsageError: a policy version or a code that does not exist.
    """
    world = replace(
        world_of(repository, today=today, policies=policies, only=only, history=history),
        owners=owners,
        signed=signed,
    )
    report = check_world(world, select=select)
    if today is None and repository.params.faults:
        # What counts on the day that stands in for the unreadable one would hide what is wrong.
        about_files = tuple(f for f in report.findings if f.code.startswith(FILES))
        report = report.model_copy(update={"findings": about_files})
    return report


def check_world(world: World, *, select: Sequence[str] = ()) -> FindingReport:
    """Everything the rules find in a world; see `run_checks`."""
    selected = _selected(select)
    complete = len(selected) == len(rules())
    with collector_paused():
        findings, accepted = apply_waivers(world, _run(world, selected), complete=complete)
    if complete:
        findings += [finding_of("GAT001", GAT001, item) for item in required(world, findings)]
    checked = _checked(world)
    if accepted:
        checked["waived"] = accepted
    return FindingReport(findings=ordered(findings), checked=checked)


def world_of(
    repository: Repository,
    *,
    today: str | None = None,
    policies: Sequence[str] = (),
    only: Iterable[str] | None = None,
    history: History | None = None,
) -> World:
    """The repository on a day; see `run_checks`."""
    day = today or repository.params.model.today
    overrides = repository.policy_overrides(policies)
    chosen = frozenset(only) if only is not None else None
    return World(repository, day, repository.policies_in_force(day, overrides), chosen, history)


def _selected(select: Sequence[str]) -> dict[str, type[Rule]]:
    known = rules()
    if not select:
        return known
    chosen: dict[str, type[Rule]] = {}
    for pattern in select:
        fitting = [code for code in known if fnmatch.fnmatchcase(code, pattern.upper())]
        if not fitting:
            raise UsageError(f"No rule is called `{pattern}`.", hint="assay check --explain all")
        chosen.update({code: known[code] for code in fitting})
    return chosen


def _run(world: World, selected: Mapping[str, type[Rule]]) -> list[Finding]:
    findings: list[Finding] = []
    for code, rule in selected.items():
        if any(getattr(world.repository, name).faults for name in rule.reads):
            continue
        try:
            for item in rule().find(world):
                findings.append(finding_of(code, rule, item))
        except Exception as error:  # A crash inside a rule must not cost the other rules.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            message = f"{code} crashed: {type(error).__name__}: {error} ({frame.name})."
            findings.append(
                Finding(
                    code=CRASH,
                    severity="error",
                    message=" ".join(message.split()),
                    hint="report it with the command that you typed",
                )
            )
    return _pointful(findings, selected)


def _pointful(findings: list[Finding], selected: Mapping[str, type[Rule]]) -> list[Finding]:
    """Findings without those that only follow from another one on the same record."""
    causes = {code for rule in selected.values() for code in rule.needs}
    present = {
        (finding.code, finding.path, finding.case_id)
        for finding in findings
        if finding.code in causes
    }
    if not present:
        return findings
    return [
        finding
        for finding in findings
        if not any(
            (code, finding.path, finding.case_id) in present
            for code in (selected[finding.code].needs if finding.code in selected else ())
        )
    ]


def finding_of(code: str, rule: type[Rule], item: Found) -> Finding:
    """The finding that a rule's discovery makes."""
    return Finding(
        code=code,
        severity=rule.severity,
        path=item.path,
        line=item.line,
        column=item.column,
        pointer=item.pointer,
        case_id=item.case_id,
        suite=item.suite,
        message=item.message,
        hint=item.hint,
    )


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by path, line, column, pointer, severity, code and message; equal ones once."""
    unique = dict.fromkeys(findings)
    return tuple(
        sorted(
            unique,
            key=lambda f: (
                f.path,
                f.line or 0,
                f.column or 0,
                f.pointer,
                SEVERITIES.index(f.severity),
                f.code,
                f.case_id or "",
                f.message,
            ),
        )
    )


def _checked(world: World) -> dict[str, int]:
    repository = world.repository
    return {
        "records": len(repository.records),
        "cases": len(repository.cases),
        "suites": len(repository.suites),
        "tools": len(repository.catalog.model.tools),
        "policies": sum(len(f.versions) for f in repository.policies.model.families.values()),
        "people": len(repository.people.model.people),
        "judged": len(world.judged),
    }
