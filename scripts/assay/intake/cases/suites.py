"""``suite.yaml`` of imported cases: a new one, or more cases in one that exists."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.files.canonical import digest_text
from assay.files.reading import read_text
from assay.files.yamls import parse_yaml
from assay.intake.cases.text import case_lines, suite_text
from assay.models.case import CaseAttributes, Suite

_NAMESPACE = uuid.UUID("6f0b6b1c-5c8e-5d0a-9a53-3b1f0f7f3c1a")
_CASES = re.compile(r"^cases:[ \t]*(\{\}[ \t]*)?(#.*)?$", re.MULTILINE)
_TOP = re.compile(r"^[^\s#]", re.MULTILINE)


@dataclass(frozen=True)
class SuiteFile:
    """A ``suite.yaml`` that exists."""

    path: Path
    text: str
    suite: Suite


def read_suite(path: Path) -> SuiteFile | None:
    """The suite of a file; None where there is no file.

    Raises:
        InputError: the file is wrong.
    """
    if not path.exists():
        return None
    text = read_text(path)
    return SuiteFile(path, text, parse_yaml(text, name=path.as_posix()).require(Suite))


def canary(suite: str, texts: list[str]) -> str:
    """The GUID of a new suite: the same for the same cases, on every machine."""
    return str(uuid.uuid5(_NAMESPACE, f"{suite}\n{digest_text(chr(10).join(sorted(texts)))}"))


def extended(existing: SuiteFile, cases: Mapping[str, CaseAttributes]) -> str:
    """Text of a suite with more cases; everything that stands there, comments too, stays.

    Raises:
        InputError: the file is written in a way in which nothing can be inserted.
    """
    new = {
        case_id: cases[case_id] for case_id in sorted(cases) if case_id not in existing.suite.cases
    }
    if not new:
        return existing.text
    lines = "".join(f"{line}\n" for case_id in new for line in case_lines(case_id, new[case_id]))
    text = existing.text if existing.text.endswith("\n") else existing.text + "\n"
    head = _CASES.search(text)
    if head is None:
        text = f"{text}cases:\n{lines}"
    else:
        following = _TOP.search(text, head.end())
        end = following.start() if following else len(text)
        text = f"{text[: head.start()]}cases:{text[head.end() : end]}{lines}{text[end:]}"
    name = existing.path.as_posix()
    wanted = existing.suite.model_copy(update={"cases": {**existing.suite.cases, **new}})
    try:
        found = parse_yaml(text, name=name).require(Suite)
    except InputError:
        found = None
    if found != wanted:
        raise InputError(
            "More cases cannot be inserted into this file.",
            path=name,
            hint="write `cases:` as a block whose entries are indented by two blanks",
        )
    return text


def new_suite(
    suite: str,
    owner: str,
    licence: str,
    title: str,
    guid: str,
    cases: Mapping[str, CaseAttributes],
) -> str:
    """Text of a new suite."""
    return suite_text(
        Suite(
            suite=suite, title=title, owner=owner, canary=guid, licence=licence, cases=dict(cases)
        )
    )
