"""A digest of the code that decides a verdict, for the context of a result."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import assay

PARTS: Final = (
    "models",
    "statistics/intervals.py",
    "statistics/trials.py",
    "files",
    "ledger/toolnames.py",
    "scoring",
)
"""Files and folders of the package that take part in scoring."""


@cache
def code_digest() -> str:
    """SHA-256 over path and content of every source file of `PARTS`, sorted by path.

    Line ends are read as LF, so that a checkout with CRLF has the same digest.
    """
    root = Path(assay.__file__).parent
    files = [
        path
        for part in PARTS
        for path in ([root / part] if part.endswith(".py") else (root / part).rglob("*.py"))
    ]
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        content = hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
        digest.update(f"{name} {content}\n".encode())
    return digest.hexdigest()
