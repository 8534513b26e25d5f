"""``suite.yaml`` of imported cases: the one that exists, or a new one."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.files.canonical import digest_text
from assay.files.reading import read_text
from assay.files.yamls import parse_yaml
from assay.ledger.suite_text import suite_text
from assay.models.case import CaseAttributes, Suite

_NAMESPACE = uuid.UUID("6f0b6b1c-5c8e-5d0a-9a53-3b1f0f7f3c1a")


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
