"""The one tree of errors that commands turn into a message and an exit code.

::

    AssayError                 never raised itself
    ├── InputError         1   a file is wrong: path, line or field, what to type next
    ├── UsageError         2   the command was called in a way that cannot work
    └── RefusedError       3   nothing is wrong, but no honest answer exists

Anything else that escapes is our own fault: exit code 70 and what to report.
What is wrong *inside* data that could be read is a `Finding`, not an error.
"""

from __future__ import annotations

from typing import ClassVar


class AssayError(Exception):
    """A problem that a person can act on: what is wrong, where, and what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        pointer: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.column = column
        self.pointer = pointer

    @property
    def where(self) -> str:
        """``path:line:column  /pointer`` as far as it is known, else an empty string."""
        place = self.path
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        return f"{place}  {self.pointer}".strip() if self.pointer else place

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n  next  {self.hint}" if self.hint else head


class InputError(AssayError):
    """A file is missing, unreadable or malformed."""

    exit_code = 1


class UsageError(AssayError):
    """The options given cannot work together or name something that does not exist."""

    exit_code = 2


class RefusedError(AssayError):
    """No honest answer exists: nothing selected, data missing, other context."""

    exit_code = 3
