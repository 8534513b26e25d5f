"""What an importing command reports, and how it writes: all files, or none of one that differs."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import RefusedError
from assay.files.model_text import plain
from assay.files.reading import open_binary, read_text
from assay.files.writing import locked, sweep, write_blocks, write_text
from assay.intake.codes import finding, sorted_findings
from assay.intake.replaced import Replaced
from assay.ledger.layout import find_root
from assay.models.base import JsonValue
from assay.models.finding import Finding, FindingReport


@dataclass
class Outcome:
    """Totals over all files of one import."""

    read: int = 0
    """Cases or runs that were read."""
    dropped: Counter[str] = field(default_factory=Counter)
    """What was left out, by rule."""
    replaced: Counter[str] = field(default_factory=Counter)
    """What became a placeholder, by kind."""
    unknown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """File to what it cannot tell; files that tell everything are not listed."""
    findings: list[Finding] = field(default_factory=list)
    """What was noticed."""
    written: list[str] = field(default_factory=list)
    """Files that were written or had this content already, in order."""

    def add(
        self,
        name: str,
        read: int,
        dropped: Mapping[str, int],
        unknown: Iterable[str],
        findings: Iterable[Finding],
    ) -> None:
        """Add what one file gave."""
        self.read += read
        self.dropped.update(dropped)
        parts = tuple(unknown)
        if parts:
            self.unknown[name] = parts
        self.findings += findings

    def replace(self, replaced: Replaced, path: str, *codes: str) -> None:
        """Add what one file had replaced; `codes` for secrets and for addresses."""
        self.replaced.update(replaced.counts)
        self.findings += replaced.findings(path, *codes)

    def drop(self, rule: str, count: int) -> None:
        """Count something that is left out."""
        if count:
            self.dropped[rule] += count

    @property
    def failed(self) -> bool:
        """Whether anything is wrong with a file: then the command exits with 1."""
        return any(item.severity == "error" for item in self.findings)

    def report(self, what: str) -> FindingReport:
        """What was noticed, in order, for a renderer."""
        return FindingReport(findings=sorted_findings(self.findings), checked={what: self.read})

    def as_json(self) -> dict[str, JsonValue]:
        """What ``--format json`` prints."""
        return {
            "schema_version": 1,
            "read": self.read,
            "dropped": {key: self.dropped[key] for key in sorted(self.dropped)},
            "replaced": {key: self.replaced[key] for key in sorted(self.replaced)},
            "unknown": {key: list(self.unknown[key]) for key in sorted(self.unknown)},
            "findings": [
                plain(item, keep=frozenset({"severity"})) for item in sorted_findings(self.findings)
            ],
            "written": list(self.written),
        }


def write_lines(
    out: Path,
    blocks: Mapping[Path, Callable[[], Iterator[bytes]]],
    outcome: Outcome,
    *,
    replace: bool,
    code: str,
) -> None:
    """Write large files under one lock; one that exists with other content is kept and reported.

    Args:
        out: folder that the command writes to.
        blocks: file to what gives its bytes, in blocks of whole lines; it is called twice where
            the file exists.
        outcome: where the paths and findings go.
        replace: write over files with other content.
        code: code of the finding about a file that was kept.

    Raises:
        InputError: a folder cannot be written.
        RefusedError: another command is writing.
    """
    if not blocks:
        return
    with locked(find_root(out.absolute()) or out):
        for folder, suffix in sorted({(path.parent, path.suffix) for path in blocks}):
            sweep(folder, suffix)
        for path, made in blocks.items():
            same = path.exists() and _same_lines(path, made())
            if path.exists() and not same and not replace:
                outcome.findings.append(_kept(path, code))
                continue
            if not same:
                write_blocks(path, made())
            outcome.written.append(path.as_posix())


def _same_lines(path: Path, blocks: Iterator[bytes]) -> bool:
    """Whether a file has these lines; CRLF counts as LF."""
    stream, _ = open_binary(path, name=path.as_posix())
    with stream, io.BufferedReader(stream) as lines:
        for block in blocks:
            for line in block.splitlines(keepends=True):
                found = lines.readline(len(line) + 2)
                if found != line and found != line.removesuffix(b"\n") + b"\r\n":
                    return False
        return not lines.read(1)


def _kept(path: Path, code: str) -> Finding:
    return finding(
        code,
        "The file exists with other content and was kept.",
        path=path.as_posix(),
        hint="add --replace to write over it, or choose another --suite",
    )


def write_files(
    out: Path,
    texts: Mapping[Path, str],
    outcome: Outcome,
    *,
    replace: bool,
    code: str,
    grown: Mapping[Path, str | None] | None = None,
) -> None:
    """Write files under one lock; one that exists with other content is kept and reported.

    Args:
        out: folder that the command writes to.
        texts: file to its text, in the order in which they are written.
        outcome: where the paths and findings go.
        replace: write over files with other content.
        code: code of the finding about a file that was kept.
        grown: files that are only added to, to the text that was added to; None where there
            was no file. They are written over, unless somebody else wrote them meanwhile.

    Raises:
        InputError: a folder cannot be written.
        RefusedError: another command is writing, or has written one of the grown files.
    """
    if not texts:
        return
    with locked(find_root(out.absolute()) or out):
        before = {path: read_text(path) if path.exists() else None for path in texts}
        for path, known in (grown or {}).items():
            if path in before and before[path] != known:
                raise RefusedError(
                    "Another command has changed the file meanwhile; nothing was written.",
                    path=path.as_posix(),
                    hint="type the command again",
                )
        for path, text in texts.items():
            kept = before[path] is not None and before[path] != text
            if kept and not replace and path not in (grown or {}):
                outcome.findings.append(_kept(path, code))
                continue
            if before[path] != text:
                write_text(path, text)
            outcome.written.append(path.as_posix())
