"""Canonical text of eval-set files and of ``suite.yaml``."""

from __future__ import annotations

import re

from assay.files.model_text import compact_text, plain_object, value_text
from assay.models.base import JsonValue
from assay.models.case import CaseAttributes, EvalSet, Suite

_KEPT = frozenset({"eval_cases"})
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./ -]*[A-Za-z0-9_./-]|[A-Za-z]")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def eval_set_text(eval_set: EvalSet) -> str:
    """Text of an ``*.evalset.json`` file: fields in the order of the model, two-space indent,
    exact numbers, one final newline. What is absent is left out; what is empty stays.
    """
    return value_text(plain_object(eval_set, keep=_KEPT)) + "\n"


def suite_text(suite: Suite) -> str:
    """Text of a new ``suite.yaml``, cases in the order of their ids."""
    lines = [
        f"{name}: {yaml_scalar(value)}"
        for name, value in plain_object(
            suite, keep=frozenset({"schema_version", "language", "title"})
        ).items()
        if name != "cases"
    ]
    lines.append("cases:" if suite.cases else "cases: {}")
    for case_id in sorted(suite.cases):
        lines += case_lines(case_id, suite.cases[case_id])
    return "\n".join(lines) + "\n"


def case_lines(case_id: str, attributes: CaseAttributes) -> list[str]:
    """Lines of one case in ``suite.yaml``, indented below ``cases``."""
    lines = [f"  {yaml_scalar(case_id)}:"]
    for name, value in plain_object(attributes).items():
        lines.append(f"    {name}: {yaml_scalar(value)}")
    return lines


def yaml_scalar(value: JsonValue) -> str:
    """A value on one line of YAML; text is quoted wherever it could be read as anything else."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", compact_text(value))
