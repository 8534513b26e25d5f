"""DVC's pointer files, ``NAME.dvc`` beside the data: read strictly, written only on request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.files.writing import write_text
from assay.files.yamls import read_yaml
from assay.telemetry.digests import Digest

_MD5 = re.compile(r"[0-9a-f]{32}(\.dir)?")
_FIRST = ("telemetry", "cassettes")


@dataclass(frozen=True)
class Pointer:
    """One pointer file and what it promises."""

    name: str
    """Name of the data's folder or file, relative to the root."""
    digest: Digest
    """What the data must be."""

    @property
    def file(self) -> str:
        """Name of the pointer file, relative to the root."""
        return f"{self.name}.dvc"


def pointers(root: Path) -> list[Pointer]:
    """The pointers in the root: telemetry, cassettes, then others by name.

    Raises:
        InputError: one is not a pointer that DVC could have written.
    """
    names = {file.name.removesuffix(".dvc") for file in root.glob("?*.dvc") if file.is_file()}
    ordered = [name for name in _FIRST if name in names] + sorted(names - set(_FIRST))
    return [read_pointer(root, name) for name in ordered]


def read_pointer(root: Path, name: str) -> Pointer:
    """The pointer to `name`.

    Raises:
        InputError: it is missing, or no pointer to exactly that.
    """
    file = f"{name}.dvc"
    text = read_yaml(root / file, name=file)
    value = text.value if isinstance(text.value, dict) else {}
    outs = value.get("outs")
    out = outs[0] if isinstance(outs, list) and len(outs) == 1 else None
    # An MD5 of digits alone, plain as DVC writes it, was read as a number.
    md5 = str(out.get("md5", "")) if isinstance(out, dict) else ""
    if not isinstance(out, dict) or out.get("path") != name or not _MD5.fullmatch(md5):
        raise InputError(
            f"This is not a pointer to {name} with an md5.",
            path=file,
            hint=f"git checkout {file}",
        )
    size, nfiles = out.get("size"), out.get("nfiles")
    return Pointer(
        name,
        Digest(
            md5, size if isinstance(size, int) else -1, nfiles if isinstance(nfiles, int) else None
        ),
    )


def write_pointer(root: Path, name: str, digest: Digest) -> None:
    """Write a pointer as DVC writes it. Only ever called because a person asked for it."""
    nfiles = "" if digest.nfiles is None else f"  nfiles: {digest.nfiles}\n"
    write_text(
        root / f"{name}.dvc",
        f"outs:\n- md5: {digest.md5}\n  size: {digest.size}\n{nfiles}  hash: md5\n  path: {name}\n",
    )
