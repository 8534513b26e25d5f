"""What a format of runs is: how a file of it is known, and how it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.intake.document import Document
from assay.intake.runs.imported import Piece


@dataclass(frozen=True)
class Format:
    """One format of observed runs."""

    name: str
    """What ``--from`` takes."""
    title: str
    """What it is."""
    fits: Callable[[Document], bool]
    """Whether a file has this format; looks at names of fields only and never raises."""
    read: Callable[[Document], list[Piece]] | None
    """The runs of a file; none for the project's own lines, which are runs already."""
    streams: bool
    """Whether every line, or every element of a list, holds whole runs: then a large file need
    not be held in memory. Spans of one run, for instance, stand on many lines.
    """
    opens: Callable[[Path], bool] | None = None
    """Whether a file has this format that nobody else could open, such as an archive; looks at its
    first bytes and never raises.
    """
    takes: Callable[[Document], bool] | None = None
    """Whether further records can be read too, once the file is known to have this format: more
    than `fits` says where some records alone could be of several formats. None: what fits.
    """
    load: Callable[[Path, str], Document] | None = None
    """Reads a file of this format where another program's reader must; takes its name too."""
