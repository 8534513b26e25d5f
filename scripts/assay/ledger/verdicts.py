"""Recorded verdicts: what people and judge models said, line by line, read and never asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError
from assay.files.reading import parse_json, raw_lines
from assay.files.validation import validate
from assay.ledger.faults import LoadFault
from assay.ledger.layout import verdict_folder
from assay.models.verdict import Verdict


@dataclass(frozen=True)
class StoredVerdict:
    """One verdict and where it stands."""

    path: str
    """The file, relative to the root."""
    line: int
    """One-based line."""
    verdict: Verdict
    """The verdict."""


@dataclass(frozen=True)
class VerdictFile:
    """One file of recorded verdicts."""

    suite: str
    """The suite."""
    path: str
    """The file, relative to the root."""
    verdicts: tuple[StoredVerdict, ...]
    """Its verdicts, in order of line."""
    faults: tuple[LoadFault, ...] = ()
    """Lines that are no verdict, in order of line."""


def load_verdicts(root: Path, suite: str) -> tuple[VerdictFile, ...]:
    """Every file of recorded verdicts of a suite, sorted by path.

    A header line that holds nothing but a canary is skipped. A line that is no verdict becomes
    a fault; the other lines still count.
    """
    folder = root / verdict_folder(suite)
    if not folder.is_dir():
        return ()
    return tuple(
        _load(path, path.relative_to(root).as_posix(), suite)
        for path in sorted(folder.glob("*.jsonl"))
    )


def _load(path: Path, label: str, suite: str) -> VerdictFile:
    verdicts: list[StoredVerdict] = []
    faults: list[LoadFault] = []
    try:
        for line, raw in raw_lines(path, name=label):
            try:
                value = parse_json(raw, name=label, first_line=line)
            except AssayError as error:
                faults.append(LoadFault.of(error, suite=suite))
                continue
            if isinstance(value, dict) and set(value) == {"_canary"}:
                continue
            verdict, problems = validate(Verdict, value)
            if verdict is not None:
                verdicts.append(StoredVerdict(label, line, verdict))
            for problem in problems:
                faults.append(
                    LoadFault(
                        "schema",
                        label,
                        problem.message,
                        problem.hint,
                        line,
                        1,
                        problem.pointer,
                        suite,
                    )
                )
    except AssayError as error:
        faults.append(LoadFault.of(error, suite=suite))
    return VerdictFile(suite, label, tuple(verdicts), tuple(faults))
