"""Making result models quickly."""

from __future__ import annotations

from typing import Any, TypeVar

from assay.models.base import Model
from assay.models.result import ComponentResult, Evidence, Outcome
from assay.models.truth import Component

M = TypeVar("M", bound=Model)

_set = object.__setattr__
_EVIDENCE_FIELDS = set(Evidence.model_fields)  # shared by all; copies take a copy of it


def build(model: type[M], values: dict[str, Any]) -> M:
    """A model from values that are known to be right; every field must be given.

    Scoring makes a dozen small models for each case. Validating what our own code has just
    made costs three times as much as this; a test compares the two.
    """
    made = model.__new__(model)
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", set(values))
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


def evidence(
    kind: str,
    outcome: Outcome,
    pointer: str,
    message: str,
    *,
    call: int | None = None,
    turn: int | None = None,
    expected: str | None = None,
    observed: str | None = None,
) -> Evidence:
    """One reason for a verdict."""
    made = Evidence.__new__(Evidence)
    _set(
        made,
        "__dict__",
        {
            "kind": kind,
            "outcome": outcome,
            "pointer": pointer,
            "call": call,
            "turn": turn,
            "expected": expected,
            "observed": observed,
            "message": message,
        },
    )
    _set(made, "__pydantic_fields_set__", _EVIDENCE_FIELDS)
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


def component(
    name: Component, outcome: Outcome, in_basis: bool, reasons: tuple[Evidence, ...]
) -> ComponentResult:
    """The verdict of one component."""
    return build(
        ComponentResult,
        {"component": name, "outcome": outcome, "in_basis": in_basis, "evidence": reasons},
    )


def verdict_of(reasons: list[Evidence]) -> Outcome:
    """What the pieces come to: failed if any failed, else error, else not evaluated, else passed.

    No piece at all is *not evaluated*: an empty list of criteria proves nothing.
    """
    outcomes = {reason.outcome for reason in reasons}
    for outcome in ("failed", "error", "not_evaluated", "passed"):
        if outcome in outcomes:
            return outcome
    return "not_evaluated"
