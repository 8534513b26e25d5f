"""Standard output and error: open, UTF-8, and patient with a reader that goes away."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any


def silence(stream: Any) -> None:
    """Send what a stream still holds, and all that follows, to nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class _Patient(io.TextIOWrapper):
    """An output whose reader may go away: the command ends as it would have, with its own code."""

    def write(self, text: str, /) -> int:
        """Write; to nowhere once the reader has gone."""
        try:
            return super().write(text)
        except BrokenPipeError:
            silence(self)
            return len(text)

    def flush(self) -> None:
        """Flush; to nowhere once the reader has gone."""
        try:
            super().flush()
        except BrokenPipeError:
            silence(self)


def open_streams() -> None:
    """Open what the caller closed, and write UTF-8 in every locale: the same bytes everywhere.

    Without the first, the next file that is opened would take the place of standard output, and
    be written to by every program that is started.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream: Any = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(number, "w", closefd=False)
        elif type(stream) is not io.TextIOWrapper:
            continue  # Somebody else's, in a test.
        lines = stream.line_buffering
        style: Any = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}
        setattr(sys, name, _Patient(stream.detach(), line_buffering=lines, **style))
