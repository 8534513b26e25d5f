"""The report of an untrusted job, as it comes out of its archive: read in memory, never unpacked.

Whoever opened the pull request wrote every byte of it. Names in the archive are only compared
with those that are expected, sizes are measured while reading and not believed, and the JSON must
fit a closed schema.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.files.reading import parse_json, read_bytes
from assay.files.validation import require
from assay.models.reproduced import Reproduced

MOST_BYTES = 4 * 1024 * 1024
"""Largest archive that is looked at."""
MOST_MEMBERS = 20
"""Most files in one."""
MOST_TEXT = 200_000
"""Largest file that is read, in bytes."""
MOST_ITEMS = 200
"""Most stages and problems that are taken from a report."""
MOST_WORD = 300
"""Longest name or sentence in it, in characters."""

REPORT = "reproduced.json"
SCOREBOARD = "scoreboard.txt"

_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)
"""What the standard library raises for archives that are damaged, encrypted or made up."""


@dataclass(frozen=True)
class Artifact:
    """What the job said, still as text that nobody must interpret."""

    reproduced: Reproduced
    """Stages that moved, and what is wrong."""
    scoreboard: str
    """What the scoreboard printed; empty where it did not."""


def read_artifact(path: Path) -> Artifact:
    """The report in an archive.

    Raises:
        InputError: it is too large, no archive, or does not hold what it must; the message names
            no text of the archive.
    """
    name = "the archive"
    data = read_bytes(path, name=name)
    if len(data) > MOST_BYTES:
        raise InputError(f"It is larger than {MOST_BYTES:,} bytes.", path=name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                raise InputError(f"It holds more than {MOST_MEMBERS} files.", path=name)
            report = _member(archive, REPORT)
            board = _member(archive, SCOREBOARD)
    except _BROKEN:
        raise InputError("It is no archive that can be read.", path=name) from None
    if report is None:
        raise InputError(f"It holds no {REPORT}.", path=name)
    return Artifact(_report(report), (board or b"").decode("utf-8", "replace"))


def _member(archive: zipfile.ZipFile, name: str) -> bytes | None:
    """The bytes of the one member of this name; None where there is none."""
    found = [info for info in archive.infolist() if info.filename == name]
    if not found:
        return None
    if len(found) > 1:
        raise InputError(f"It holds {name} twice.", path="the archive")
    if found[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{name} is packed in a way that is not read.", path="the archive")
    with archive.open(found[0]) as stream:
        data = stream.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise InputError(f"{name} is larger than {MOST_TEXT:,} bytes.", path="the archive")
    return data


def _report(data: bytes) -> Reproduced:
    try:
        found = require(Reproduced, parse_json(data, name=REPORT), name=REPORT)
    except AssayError:
        raise InputError(f"{REPORT} does not fit its schema.", path="the archive") from None
    if len(found.moved) > MOST_ITEMS or len(found.problems) > MOST_ITEMS:
        raise InputError(f"{REPORT} lists more than {MOST_ITEMS} things.", path="the archive")
    words = [*found.problems]
    for item in found.moved:
        words += [item.stage, *item.inputs, *item.outputs]
    if any(len(word) > MOST_WORD for word in words) or len(words) > 20 * MOST_ITEMS:
        raise InputError(f"{REPORT} holds a name that is too long.", path="the archive")
    return found
