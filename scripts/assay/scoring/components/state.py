"""State: what must hold in the world afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.result import Evidence, Outcome
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord, StateRule
from assay.scoring.differences import Difference, differences
from assay.scoring.matcher_forms import Reader
from assay.scoring.matchers import Exact, Fields, Node, Sight, all_of
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
    check = rule.check
    given = check.model_fields_set
    place = f"`{check.path}`" if check.path else "The state"
    value = resolve(final, check.path)
    if "unchanged" in given:
        return _unchanged(rule, place, initial, value)
    if "absent" in given:
        if value is MISSING:
            return _piece(rule, "passed", f"Nothing stands at {place}.", "nothing", "nothing")
        return _piece(rule, "failed", f"{place} must not be there.", "nothing", shown(value))
    if value is MISSING:
        return _piece(rule, "failed", f"Nothing stands at {place}.", _expected(rule), "nothing")
    if "count" in given:
        return _count(rule, place, value)
    assert rule.node is not None
    if "contains" in given:
        answer = contains(rule.node, value, sight)  # type: ignore[arg-type]
        text = {True: "holds", False: "does not hold", None: "may or may not hold"}[answer]
        return _piece(
            rule, _outcome(answer), f"{place} {text} the expected element.", _expected(rule),
            shown(value),
        )  # fmt: skip
    found = differences(rule.node, value, sight)
    if not found:
        return _piece(rule, "passed", f"{place} is as expected.", _expected(rule), shown(value))
    sure = any(d.certain for d in found)
    return _piece(
        rule,
        "failed" if sure else "not_evaluated",
        f"{place} differs: {_told(found)}.",
        _expected(rule),
        shown(value),
    )


def _outcome(answer: bool | None) -> Outcome:
    return "not_evaluated" if answer is None else "passed" if answer else "failed"


def _told(found: Sequence[Difference]) -> str:
    parts = [f"{d.pointer or 'it'} {d.message}" for d in found[:_SHOWN_DIFFERENCES]]
    if len(found) > _SHOWN_DIFFERENCES:
        parts.append(f"{len(found) - _SHOWN_DIFFERENCES} more")
    return "; ".join(parts)


def _piece(
    rule: StateRule, outcome: Outcome, message: str, expected: str, observed: str | None
) -> Evidence:
    kind = {"passed": "state_holds", "failed": "state_differs"}.get(outcome, "state_unknown")
    return evidence(
        kind, outcome, rule.pointer, message[0].upper() + message[1:], expected=expected,
        observed=observed,
    )  # fmt: skip


def _expected(rule: StateRule) -> str:
    check = rule.check
    if "count" in check.model_fields_set:
        return f"{check.count} elements"
    if "contains" in check.model_fields_set:
        return f"holds {shown(check.contains)}"
    return shown(check.equals)


def _unchanged(rule: StateRule, place: str, initial: JsonValue, value: object) -> Evidence:
    if initial is None:
        return _piece(
            rule, "not_evaluated", f"{place} cannot be compared: the case seeds no state.",
            "unchanged", None,
        )  # fmt: skip
    before = resolve(initial, rule.check.path)
    if before is MISSING or value is MISSING:
        same_as_before = before is value
    else:
        same_as_before = same(before, value)  # type: ignore[arg-type]
    return _piece(
        rule,
        "passed" if same_as_before else "failed",
        f"{place} {'is' if same_as_before else 'is not'} what it was at the start.",
        f"unchanged: {shown(before)}",
        shown(value),  # type: ignore[arg-type]
    )


def _count(rule: StateRule, place: str, value: object) -> Evidence:
    size = len(value) if isinstance(value, Mapping | list | tuple) else None
    expected = f"{rule.check.count} elements"
    if size is None:
        return _piece(
            rule,
            "failed",
            f"{place} is no collection.",
            expected,
            shown(value),  # type: ignore[arg-type]
        )
    good = size == rule.check.count
    return _piece(
        rule, "passed" if good else "failed", f"{place} has {size} elements.", expected,
        f"{size} elements",
    )  # fmt: skip


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
    if isinstance(node, Exact) and isinstance(node.value, Mapping) and node.value:
        read = Reader().read
        node = Fields({key: read({"$literal": item}) for key, item in node.value.items()})
    if isinstance(node, Fields) and node.fields:
        return all_of(
            [
                child.test(value[key], sight) if key in value else False
                for key, child in node.fields.items()
            ]
        )
    return answer
