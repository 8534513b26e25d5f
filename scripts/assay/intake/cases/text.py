"""Canonical text of eval-set files."""

from __future__ import annotations

from assay.files.model_text import plain_object, value_text
from assay.models.case import EvalSet

_KEPT = frozenset({"eval_cases"})


def eval_set_text(eval_set: EvalSet) -> str:
    """Text of an ``*.evalset.json`` file: fields in the order of the model, two-space indent,
    exact numbers, one final newline. What is absent is left out; what is empty stays.
    """
    return value_text(plain_object(eval_set, keep=_KEPT)) + "\n"
