"""A finding: something about the data that a person should know, as data until it is printed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from assay.models.base import Model, Name

Severity = Literal["error", "excludes", "warning", "note"]
"""`error`: a file is wrong. `excludes`: the file is right, the case cannot be scored today."""

SEVERITIES: tuple[Severity, ...] = ("error", "excludes", "warning", "note")

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}[0-9]{3}$")]
"""Three letters and three digits; a code keeps its meaning for ever."""


class Finding(Model):
    """What is wrong, where, and what to type next."""

    code: Code
    """The rule that found it."""
    severity: Severity
    """How much it matters."""
    path: str = ""
    """File, relative to the repository's root, with forward slashes."""
    line: int | None = Field(default=None, ge=1)
    """One-based line; lines end at LF only."""
    column: int | None = Field(default=None, ge=1)
    """One-based column, in characters."""
    pointer: str = ""
    """JSON pointer into the file, or into the line of a JSONL file."""
    case_id: str | None = None
    """The case that is concerned, if it is one."""
    suite: str | None = None
    """The suite that is concerned, if it is one."""
    message: Name
    """What is wrong, in one sentence."""
    hint: str = ""
    """The command to type next or the value to write."""
    count: int = Field(default=1, ge=1)
    """How many equal findings this one stands for."""


class FindingReport(Model):
    """What ``assay check --format json`` prints."""

    schema_version: Literal[1] = 1
    """Version of this shape."""
    findings: tuple[Finding, ...]
    """In order of path, line, pointer and code."""
    checked: dict[str, int]
    """What was looked at: kind of thing to number of them."""
