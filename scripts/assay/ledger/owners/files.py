"""CODEOWNERS as it lies in a repository, and the files that it must protect."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.ledger.owners.syntax import OwnersText, parse_owners
from assay.ledger.owners.wanted import PROTECTED, TRUTH_FOLDERS
from assay.models.forge import Forge, ForgeKind

OWNERS = "CODEOWNERS"
"""The file, relative to the root."""

_BEFORE: dict[ForgeKind, tuple[str, ...]] = {"github": (".github/CODEOWNERS",), "gitlab": ()}
_SKIPPED = frozenset({"__pycache__", ".git", ".venv", ".assay"})


@dataclass(frozen=True)
class OwnersFile:
    """CODEOWNERS, as far as it is there."""

    kind: ForgeKind
    """Whose rules hold; GitHub's where no forge is configured."""
    data: bytes | None
    """Its content; None where there is none."""
    text: OwnersText
    """The same, understood."""
    shadow: str | None
    """A file that the forge reads in its place."""
    paths: tuple[str, ...]
    """Files that somebody must own, sorted."""
    root: Path
    """The repository."""

    def exists(self, pattern: str) -> bool:
        """Whether there is what an anchored pattern without wildcards names."""
        return os.path.lexists(self.root / pattern.strip("/"))


def load_owners(root: Path, forge: Forge | None) -> OwnersFile | None:
    """CODEOWNERS of a repository; None where there is neither the file nor a forge."""
    path = root / OWNERS
    try:
        data: bytes | None = path.read_bytes()
    except OSError:
        data = None
    if data is None and forge is None:
        return None
    kind: ForgeKind = forge.kind if forge is not None else "github"
    shadow = next((name for name in _BEFORE[kind] if os.path.lexists(root / name)), None)
    paths = tuple(sorted(_files(root))) if forge is not None else ()
    return OwnersFile(kind, data, parse_owners(data or b"", kind), shadow, paths, root)


def _files(root: Path) -> Iterator[str]:
    """Files that must have a certain owner."""
    top = sorted(entry.name for entry in root.iterdir()) if root.is_dir() else []
    yield from (name for name in top if name.endswith(".dvc") and (root / name).is_file())
    for entry in (*TRUTH_FOLDERS, *(pattern.lstrip("/") for pattern in PROTECTED)):
        if not entry.endswith("/"):
            if "*" not in entry and entry.count("/") == 0 and (root / entry).is_file():
                yield entry
            continue
        for folder, names, files in os.walk(root / entry):
            names[:] = [name for name in names if name not in _SKIPPED]
            below = Path(folder).relative_to(root).as_posix()
            yield from (f"{below}/{name}" for name in files)
