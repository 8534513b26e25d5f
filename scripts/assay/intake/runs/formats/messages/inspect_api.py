"""Inspect's logs through Inspect's own reader: what it returns, as exact JSON values.

Inspect keeps its logs in a format of its own that may change; its reader knows every version of it,
puts messages and attachments that were stored once back into their places, and opens ``.eval``
archives. It reads numbers as binary floating point. Each is written here with the shortest decimal
that means the same floating point number, which is how Inspect wrote it: ``40.0`` stays ``40.0``.
More than 17 significant digits are lost by Inspect's reader, before anything of ours sees them.
"""

from __future__ import annotations

import codecs
import importlib
import io
import math
import os
import re
import shlex
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

from assay.errors import InputError, RefusedError
from assay.files.reading import MAX_BYTES
from assay.intake.document import Document
from assay.intake.node import Node, Source, shorten
from assay.models.base import JsonValue

MOST = 4 * MAX_BYTES
"""Largest content of an archive."""

_JSON_LOG = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":\s*\{'
)
"""How a JSON log begins."""

_SAMPLE = {
    "id",
    "epoch",
    "input",
    "messages",
    "output",
    "scores",
    "metadata",
    "model_usage",
    "error",
    "error_retries",
    "limit",
    "uuid",
    "started_at",
    "invalidation",
}
_EVENT = {"id", "function", "arguments", "result", "error", "timestamp", "working_time", "pending"}
_LOG = {"version", "status", "error", "eval"}


def load(path: Path, name: str) -> Document:
    """Read a log.

    Args:
        path: the log, ``.eval`` or JSON.
        name: the file's name for messages.

    Raises:
        InputError: it is no log that Inspect can read, or it is far too large.
        RefusedError: Inspect is not installed.
    """
    try:
        api = importlib.import_module("inspect_ai.log")
    except ImportError:
        raise RefusedError(
            "Logs of Inspect are read through Inspect itself, which is not installed.",
            path=name,
            hint=_how_to_install(),
        ) from None
    archive = is_archive(path)
    if archive:
        _measured(path, name)
    try:
        log = api.read_eval_log(
            _unmarked(path) or path.resolve().as_posix(),
            resolve_attachments=True,
            format="eval" if archive else "json",
        )
        value = exact(_plain(log))
    except Exception as error:
        # Whatever Inspect raises on a broken log, it is the log that is broken.
        raise InputError(
            f"Inspect cannot read the log: {shorten(f'{type(error).__name__}: {error}', 300)}",
            path=name,
            hint=f"inspect log dump {shlex.quote(name)}",
        ) from None
    source = Source(name)
    return Document(source, "json", (Node(value, source),))


def _unmarked(path: Path) -> io.BytesIO | None:
    """A JSON log without its byte order mark, which Inspect refuses; None without one."""
    with path.open("rb") as stream:
        return io.BytesIO(stream.read()) if stream.read(3) == codecs.BOM_UTF8 else None


def _how_to_install() -> str:
    """The launcher's environment comes from its lock; any other takes a package."""
    root = os.environ.get("ASSAY_ROOT")
    if root:
        return shlex.join([os.path.relpath(Path(root, "scripts/bootstrap")), "conformance"])
    return "python -m pip install inspect-ai"


def is_log(path: Path) -> bool:
    """Whether a file is a log as Inspect itself writes it; never raises.

    Its JSON may hold NaN, which is no JSON, so that nobody else could read it.
    """
    if is_archive(path):
        return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return _JSON_LOG.match(stream.read(256)) is not None
    except (OSError, ValueError):
        return False


def is_archive(path: Path) -> bool:
    """Whether a file is an archive as ``.eval`` logs are; never raises."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            if stream.read(4) != b"PK\x03\x04":
                return False
        if path.suffix == ".eval":
            return True
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith(("header.json", "_journal/")) for name in archive.namelist())
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def _measured(path: Path, name: str) -> None:
    """Refuse an archive whose content is far larger than any log."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(item.file_size for item in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            f"The archive cannot be read: {shorten(str(error), 200)}",
            path=name,
            hint=f"unzip -t {shlex.quote(name)}",
        ) from None
    if size > MOST:
        raise InputError(
            f"The archive holds {size:,} bytes; at most {MOST:,} are read.",
            path=name,
            hint="evaluate with fewer samples to a log",
        )


def _plain(log: Any) -> dict[str, Any]:
    """The parts of a log that are read, as plain values."""
    plain: dict[str, Any] = log.model_dump(mode="json", include=_LOG)
    samples = log.samples
    plain["samples"] = None if samples is None else [_sample(sample) for sample in samples]
    return plain


def _sample(sample: Any) -> dict[str, Any]:
    plain: dict[str, Any] = sample.model_dump(mode="json", include=_SAMPLE)
    plain["tool_events"] = [
        event.model_dump(mode="json", include=_EVENT)
        for event in sample.events
        if event.event == "tool"
    ]
    return plain


def exact(value: Any) -> JsonValue:
    """The value with decimals for floating point numbers; null for those that are no number."""
    if isinstance(value, float):
        return Decimal(repr(value)) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
