"""A bar on standard error for what takes longer than a second; silent where nobody watches."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from assay.intake.opening.stream import Watch

if TYPE_CHECKING:
    from rich.progress import Progress

AFTER = 1.0
"""Seconds before the bar appears."""

_EVERY = 0.1


class Bar:
    """A bar of bytes, used as a context."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._total: int | None = None
        self._done = 0
        self._shown = time.monotonic() + AFTER
        self._bar: Progress | None = None

    def begin(self, total: int | None) -> Watch:
        """Say how many bytes there are, None where nobody knows; gives what is told of them."""
        self._total = total
        return self._advance if sys.stderr.isatty() else lambda taken: None

    def _advance(self, taken: int) -> None:
        self._done += taken
        now = time.monotonic()
        if now < self._shown:
            return
        self._shown = now + _EVERY
        if self._bar is None:
            self._bar = _bar(self._title, self._total)
        self._bar.update(self._bar.task_ids[0], completed=self._done)

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar(title: str, total: int | None) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    bar = Progress(
        TextColumn(title),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task(title, total=total)
    bar.start()
    return bar
