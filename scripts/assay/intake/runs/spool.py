"""Runs that were read and are not written yet: their lines lie on disk, where they are in memory.

The file has no name, so that nothing is left of it however the command ends.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from assay.models.run import ObservedRun

_IN_MEMORY = 8 * 1024 * 1024
_AT_ONCE = 1024 * 1024


class Spool:
    """Lines of runs, by run, case and trial."""

    def __init__(self, folder: Path) -> None:
        """Begin; what is large lies on the disk of `folder`, or of what will hold it."""
        while not folder.is_dir() and folder.parent != folder:
            folder = folder.parent
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY, dir=str(folder))  # noqa: SIM115
        self._at = 0
        self._runs: dict[str, list[tuple[str, int, int, int]]] = {}

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, run: ObservedRun, line: str) -> None:
        """Keep the line of a run."""
        data = line.encode("utf-8", "surrogatepass") + b"\n"
        self._file.write(data)
        entry = (run.case_id, run.trial, self._at, len(data))
        self._runs.setdefault(run.run, []).append(entry)
        self._at += len(data)

    @property
    def names(self) -> list[str]:
        """Names of the runs that are there, sorted."""
        return sorted(self._runs)

    def __contains__(self, name: str) -> bool:
        return name in self._runs

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a run, by case and trial, in blocks of whole lines."""
        begin = end = 0
        for _, _, offset, length in sorted(self._runs[name]):
            if offset != end or end - begin >= _AT_ONCE:
                yield from self._block(begin, end)
                begin = offset
            end = offset + length
        yield from self._block(begin, end)

    def _block(self, begin: int, end: int) -> Iterator[bytes]:
        if end > begin:
            self._file.seek(begin)
            yield self._file.read(end - begin)
