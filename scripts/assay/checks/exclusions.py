"""Which findings keep which case from being scored."""

from __future__ import annotations

from collections.abc import Iterable

from assay.checks.rule import REGISTRY
from assay.checks.world import World
from assay.ledger.layout import record_key
from assay.models.compiled import Exclusion
from assay.models.finding import Finding


def exclusions(world: World, findings: Iterable[Finding]) -> dict[str, tuple[Exclusion, ...]]:
    """Case id to why it cannot be scored today, in order of code and message.

    An error or exclusion concerns a case unless it stands in a revision that does not count:
    an older one only must parse, a later one counts from a later day on. A later file that
    cannot be read excludes, since it may be the one that counts.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for finding in findings:
        if finding.case_id is None or finding.severity not in ("error", "excludes"):
            continue
        if concerns(world, finding):
            found.setdefault(finding.case_id, set()).add((finding.code, finding.message))
    return {
        case_id: tuple(
            Exclusion(code=code, reason=message) for code, message in sorted(found[case_id])
        )
        for case_id in sorted(found)
    }


def concerns(world: World, finding: Finding) -> bool:
    """Whether a finding about a case keeps it from being scored."""
    rule = REGISTRY.get(finding.code)
    scope = rule.scope if rule is not None else "revision"
    if scope != "revision":
        return scope == "case"
    counting = world.counting.get(finding.case_id or "")
    key = record_key(finding.path)
    if key is not None and counting is not None:
        broken = finding.code.startswith("FIL")
        return key.revision == counting.revision or (broken and key.revision > counting.revision)
    if counting is not None and not counting.suite and finding.path == counting.path:
        return finding.code.startswith("FIL") or finding.line == counting.line
    return True
