"""What is wrong with a file of the repository, before any rule has looked at its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.errors import AssayError

FaultKind = Literal[
    "unreadable",  # missing, no permission, not UTF-8, not JSON or YAML
    "schema",  # a field is missing, unknown or of the wrong type
    "place",  # the path does not agree with the content
    "stray",  # a file that does not belong there
    "missing",  # a file that should be there
    "identity",  # an id that is not unique
]


@dataclass(frozen=True)
class LoadFault:
    """One fault, with its place."""

    kind: FaultKind
    """Which kind."""
    path: str
    """File, relative to the root."""
    message: str
    """What is wrong."""
    hint: str = ""
    """What to type or write next."""
    line: int | None = None
    """One-based line."""
    column: int | None = None
    """One-based column."""
    pointer: str = ""
    """JSON pointer."""
    suite: str | None = None
    """The suite concerned."""
    case_id: str | None = None
    """The case concerned."""

    @classmethod
    def of(
        cls, error: AssayError, *, suite: str | None = None, case_id: str | None = None
    ) -> LoadFault:
        """The fault that an error of the reader stands for."""
        return cls(
            "unreadable",
            error.path,
            error.message,
            error.hint,
            error.line,
            error.column,
            error.pointer,
            suite,
            case_id,
        )
