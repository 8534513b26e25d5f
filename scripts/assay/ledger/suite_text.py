"""Text of ``suite.yaml``: a new one, and one that exists with more cases in it.

Written by hand: a YAML writer would move comments and break lines that somebody has set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.errors import InputError
from assay.files.model_text import compact_text, plain_object
from assay.files.yamls import parse_yaml
from assay.models.base import JsonValue
from assay.models.case import CaseAttributes, Suite

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./ -]*[A-Za-z0-9_./-]|[A-Za-z]")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_CASES = re.compile(r"^cases:[ \t]*(\{\}[ \t]*)?(#.*)?$", re.MULTILINE)
_ENTRY = re.compile(r"\n(?:[ \t]*(?:#.*)?\n)*( +)[^\s#]")
_TOP = re.compile(r"^[^\s#]", re.MULTILINE)


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


def extended(text: str, cases: Mapping[str, CaseAttributes], *, name: str) -> str:
    """Text of a ``suite.yaml`` with more cases; all that stands there, comments too, stays.

    Args:
        text: the file as it is.
        cases: case id to its entry; those that the file has are passed over.
        name: file name for messages.

    Raises:
        InputError: the file is wrong, or written in a way in which nothing can be inserted.
    """
    suite = parse_yaml(text, name=name).require(Suite)
    new = {case_id: cases[case_id] for case_id in sorted(cases) if case_id not in suite.cases}
    if not new:
        return text
    text = text if text.endswith("\n") else text + "\n"
    head = _CASES.search(text)
    first = _ENTRY.match(text, head.end()) if head else None
    indent = first[1] if first else "  "
    lines = "".join(
        f"{indent}{line[2:]}\n" for case_id in new for line in case_lines(case_id, new[case_id])
    )
    if head is None:
        text = f"{text}cases:\n{lines}"
    else:
        following = _TOP.search(text, head.end())
        end = following.start() if following else len(text)
        text = f"{text[: head.start()]}cases:{text[head.end() : end]}{lines}{text[end:]}"
    wanted = suite.model_copy(update={"cases": {**suite.cases, **new}})
    try:
        found = parse_yaml(text, name=name).require(Suite)
    except InputError:
        found = None
    if found != wanted:
        raise InputError(
            "More cases cannot be inserted into this file.",
            path=name,
            hint="write `cases:` as a block with one entry below the other",
        )
    return text
