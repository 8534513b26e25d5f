"""State: what must hold in the world afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.result import Evidence
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord, StateRule
from assay.scoring.differences import Difference, differences
from assay.scoring.matchers import Fields, Node, Sight, all_of
from assay.scoring.observed import SeenRun
from assay.scoring.values import MISSING, resolve, same, shown

_SHOWN_DIFFERENCES = 5


def judge(
    truth: CompiledRecord, case: EvalCase | None, seen: SeenRun, sight: Sight
) -> list[Evidence]:
    """Reasons in the order of the record's checks."""
    if not truth.state:
        return [
            evidence("no_criteria", "not_evaluated", "/state", "The state block holds no check.")
        ]
    if seen.run.final_state is None or "final_state" in seen.unknown:
        return [
            evidence(
                "state_unknown",
                "not_evaluated",
                "/state",
                "The final state of the world is not known.",
            )
        ]
    sight.before = len(seen.calls)
    initial = case.initial_state if case is not None else None
    return [check_state(rule, initial, seen.run.final_state, sight) for rule in truth.state]


def check_state(rule: StateRule, initial: JsonValue, final: JsonValue, sight: Sight) -> Evidence:
    """What one check comes to on a final state."""
    value = resolve(final, rule.check.path)
    if rule.kind == "unchanged":
        return _unchanged(rule, initial, value)
    if rule.kind == "absent":
        return rule.held if value is MISSING else _differs(rule, "must not be there", value)
    if value is MISSING:
        return _differs(rule, "is missing", value)
    if rule.kind == "count":
        return _count(rule, value)
    assert rule.node is not None
    if rule.kind == "contains":
        answer = contains(rule.node, value, sight)  # type: ignore[arg-type]
        if answer is None:
            return _unknown(rule, f"cannot be told: {sight.reason}", value)
        return rule.held if answer else _differs(rule, "does not hold the element", value)
    found = differences(rule.node, value, sight)
    if not found:
        return rule.held
    told = f"differs: {_told(found)}"
    sure = any(difference.certain for difference in found)
    return _differs(rule, told, value) if sure else _unknown(rule, told, value)


def _differs(rule: StateRule, how: str, value: object) -> Evidence:
    return evidence(
        "state_differs",
        "failed",
        rule.pointer,
        f"{rule.place} {how}.",
        expected=rule.expected,
        observed=shown(value),  # type: ignore[arg-type]
    )


def _unknown(rule: StateRule, why: str, value: object) -> Evidence:
    return evidence(
        "state_unknown",
        "not_evaluated",
        rule.pointer,
        f"{rule.place} {why}.",
        expected=rule.expected,
        observed=shown(value),  # type: ignore[arg-type]
    )


def _told(found: Sequence[Difference]) -> str:
    parts = [f"{d.pointer or 'it'} {d.message}" for d in found[:_SHOWN_DIFFERENCES]]
    if len(found) > _SHOWN_DIFFERENCES:
        parts.append(f"{len(found) - _SHOWN_DIFFERENCES} more")
    return "; ".join(parts)


def _unchanged(rule: StateRule, initial: JsonValue, value: object) -> Evidence:
    if initial is None:
        return _unknown(rule, "cannot be compared: the case seeds no state", value)
    before = resolve(initial, rule.check.path)
    missing = before is MISSING or value is MISSING
    kept = before is value if missing else same(before, value)  # type: ignore[arg-type]
    return rule.held if kept else _differs(rule, f"is not what it was: {shown(before)}", value)


def _count(rule: StateRule, value: object) -> Evidence:
    if not isinstance(value, Mapping | list | tuple):
        return _differs(rule, "is no collection", value)
    if len(value) == rule.check.count:
        return rule.held
    return _differs(rule, f"has {len(value)} element{'s' * (len(value) != 1)}", value)


def contains(node: Node, value: JsonValue, sight: Sight) -> bool | None:
    """Whether a collection holds an element, or an object includes a value.

    An expected object is included in an observed one that has all its fields and maybe more. A
    list holds an element that equals or includes the expected one; an object includes what it
    includes itself or in one of its values.
    """
    if isinstance(value, Mapping):
        options = [_includes(node, value, sight)]
        options += [_includes(node, item, sight) for item in value.values()]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        options = [_includes(node, item, sight) for item in value]
    else:
        return False
    if True in options:
        return True
    return None if None in options else False


def _includes(node: Node, value: JsonValue, sight: Sight) -> bool | None:
    answer = node.test(value, sight)
    if answer or not isinstance(value, Mapping):
        return answer
    if isinstance(node, Fields) and node.fields:
        return all_of(
            [
                child.test(value[key], sight) if key in value else False
                for key, child in node.fields.items()
            ]
        )
    return answer
