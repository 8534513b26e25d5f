"""Cases without secrets and addresses, before they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from assay.files.model_text import plain_object
from assay.intake.cases.imported import CaseImport
from assay.intake.replaced import Replaced
from assay.models.base import JsonValue, Model
from assay.models.case import CaseAttributes, EvalCase, EvalSet
from assay.redaction import Found, Redaction, Spared, redact

_NAMES = frozenset({"schema_version", "eval_id", "case_id", "revision", "supersedes"})
"""Fields that tell what a thing is; they are never looked at."""

M = TypeVar("M", bound=Model)


def clean_import(imported: CaseImport, spared: Spared, replaced: Replaced) -> CaseImport:
    """What was imported, with placeholders; `replaced` counts them."""
    attributes = dict(imported.attributes)
    sets = tuple(clean_set(made, attributes, spared, replaced) for made in imported.eval_sets)
    return replace(imported, eval_sets=sets, attributes=attributes)


def clean_set(
    made: EvalSet,
    attributes: dict[str, CaseAttributes],
    spared: Spared,
    replaced: Replaced,
) -> EvalSet:
    """An eval set with placeholders; the attributes of its cases are replaced in place."""
    cases: list[EvalCase] = []
    for case in made.eval_cases:
        more = attributes.get(case.eval_id)
        both = clean_case(case, [more] if more is not None else [], spared, replaced)
        cases.append(both[0])
        if more is not None:
            attributes[case.eval_id] = both[1][0]
    told: dict[str, JsonValue] = {}
    for name in ("name", "description"):
        told[name], found = redact(getattr(made, name), spared)
        replaced.add(made.eval_set_id, found)
    return made.model_copy(update={**told, "eval_cases": tuple(cases)})


def clean_case(
    case: EvalCase, others: Sequence[M], spared: Spared, replaced: Replaced
) -> tuple[EvalCase, list[M]]:
    """A case, and what belongs to it, with the same placeholders.

    They are numbered as in a run of the case: what the user says comes first.
    """
    redaction = Redaction(spared)
    for turn in case.conversation or ():
        redaction.look(turn.user_content.text)
    models: list[Model] = [case, *others]
    values = [_split(model) for model in models]
    for _, value in values:
        redaction.look(value)
    if redaction.is_clean:
        return case, list(others)
    found: list[Found] = []
    cleaned = [
        type(model).model_validate({**names, **_object(redaction.rewrite(value, found))})
        for model, (names, value) in zip(models, values, strict=True)
    ]
    replaced.add(case.eval_id, found)
    return cleaned[0], cleaned[1:]  # type: ignore[return-value]


def _split(model: Model) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Fields that name things, and those that are looked at."""
    fields = plain_object(model)
    names = {key: fields.pop(key) for key in list(fields) if key in _NAMES}
    return names, fields


def _object(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict)
    return value
