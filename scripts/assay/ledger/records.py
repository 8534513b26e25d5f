"""Revision files: reading them, one by one or by the ten thousand."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from assay.errors import AssayError
from assay.files.locate import locate
from assay.files.reading import BOMS, decode, parse_json, raw_lines, read_bytes
from assay.files.validation import Problem, validate
from assay.ledger.faults import LoadFault
from assay.ledger.layout import RECORDS, RecordKey, record_key, record_path
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord

UTF8_BOM = b"\xef\xbb\xbf"


class StoredRecord(NamedTuple):
    """One revision and where it stands."""

    suite: str
    """The suite; empty for records of an interchange file."""
    path: str
    """File, relative to the root."""
    record: TruthRecord
    """The revision."""
    data: bytes
    """The file's bytes, or the line's."""
    line: int = 1
    """Line of the file on which it begins: 1 for a revision file."""

    @property
    def case_id(self) -> str:
        """The case."""
        return self.record.case_id

    @property
    def revision(self) -> int:
        """The revision."""
        return self.record.revision

    @property
    def has_bom(self) -> bool:
        """Whether the file begins with a byte order mark."""
        return self.data.startswith(UTF8_BOM)

    @property
    def has_crlf(self) -> bool:
        """Whether a line of the file ends in CRLF."""
        return b"\r\n" in self.data

    @property
    def text(self) -> str:
        """The file's text, without byte order mark and CRLF."""
        return decode(self.data, name=self.path)

    def place(self, pointer: str) -> tuple[int, int]:
        """One-based line and column of a value in the file."""
        return locate(self.text, pointer, first_line=self.line) or (self.line, 1)


@dataclass(frozen=True)
class RecordSet:
    """All revisions that could be read, and what could not."""

    records: tuple[StoredRecord, ...]
    """In order of suite, case and revision; as they stand for an interchange file."""
    faults: tuple[LoadFault, ...]
    """In order of path and line."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector while many objects that are kept are made.

    It would scan all of them again and again (8×). What was made is then set aside for good:
    records hold no cycles, and are freed by their reference counts all the same.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()


def record_faults(
    problems: tuple[Problem, ...], data: bytes, path: str, line: int, key: RecordKey | None
) -> list[LoadFault]:
    """Problems of a record as faults with line and column."""
    text = decode(data, name=path)
    faults = []
    for problem in problems:
        place = locate(text, problem.pointer, first_line=line) or (line, 1)
        faults.append(
            LoadFault(
                "schema",
                path,
                problem.message,
                problem.hint,
                *place,
                problem.pointer,
                key.suite if key else None,
                key.case_id if key else None,
            )
        )
    return faults


def read_revision(root: Path, path: str) -> StoredRecord | list[LoadFault]:
    """One revision file, or everything that is wrong with it."""
    key = record_key(path)
    if key is None:
        return [_stray(path)]
    try:
        data = read_bytes(f"{root}/{path}", name=path)
        value = _parse(data, path)
    except AssayError as error:
        return [LoadFault.of(error, suite=key.suite, case_id=key.case_id)]
    return stored_record(data, value, path, 1, key)


def _parse(data: bytes, path: str) -> JsonValue:
    # The parser takes UTF-8 with LF or CRLF as it is; only a mark in front must go.
    if data.startswith(UTF8_BOM):
        data = data[3:]
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff") and any(data.startswith(m) for m, _ in BOMS):
        decode(data, name=path)
    try:
        return parse_json(data, name=path)
    except AssayError:
        decode(data, name=path)  # Not UTF-8 is the better message, where it is the reason.
        raise


def stored_record(
    data: bytes, value: JsonValue, path: str, line: int, key: RecordKey | None
) -> StoredRecord | list[LoadFault]:
    """A parsed value as a record at its place, or everything that is wrong with it."""
    record, problems = validate(TruthRecord, value)
    if record is None:
        return record_faults(problems, data, path, line, key)
    if key is not None and (record.case_id, record.revision) != (key.case_id, key.revision):
        return [
            LoadFault(
                "place",
                path,
                f"The path says {key.case_id}, revision {key.revision}; the file says"
                f" {record.case_id}, revision {record.revision}.",
                f"git mv {path} {record_path(key.suite, record.case_id, record.revision)}",
                1,
                1,
                "/case_id" if record.case_id != key.case_id else "/revision",
                key.suite,
                key.case_id,
            )
        ]
    return StoredRecord(key.suite if key else "", path, record, data, line)


def _stray(path: str) -> LoadFault:
    return LoadFault(
        "stray",
        path,
        "This is no revision file: <suite>/<case>.r<four digits>.json.",
        f"git mv or git rm {path}",
    )


def read_records(root: Path) -> RecordSet:
    """Every revision file below ``truth/records/``."""
    records: list[StoredRecord] = []
    faults: list[LoadFault] = []
    with collector_paused():
        for path in _record_files(root):
            found = read_revision(root, path)
            if isinstance(found, StoredRecord):
                records.append(found)
            else:
                faults += found
    records.sort(key=lambda stored: (stored.suite, stored.case_id, stored.revision))
    return RecordSet(tuple(records), tuple(faults))


def _record_files(root: Path) -> Iterator[str]:
    """All files below the records folder, sorted, at any depth: a stray one is reported."""
    top = root / RECORDS
    if not top.is_dir():
        return
    for folder, folders, files in os.walk(top):
        folders.sort()
        base = Path(folder).relative_to(root).as_posix()
        for name in sorted(files):
            yield f"{base}/{name}"


def read_interchange(path: Path, *, name: str | None = None) -> RecordSet:
    """Records of a JSONL file keyed by (case id, revision), the form of the source text.

    Header lines that hold nothing but a canary are skipped. Only the keys, not a path, say
    which case a record is about; `suite` is empty.
    """
    label = name or path.as_posix()
    records: list[StoredRecord] = []
    faults: list[LoadFault] = []
    with collector_paused():
        try:
            for number, raw in raw_lines(path, name=label):
                value = parse_json(raw, name=label, first_line=number)
                if isinstance(value, dict) and set(value) == {"_canary"}:
                    continue
                found = stored_record(raw, value, label, number, None)
                if isinstance(found, StoredRecord):
                    records.append(found)
                else:
                    faults += found
        except AssayError as error:
            faults.append(LoadFault.of(error))
    return RecordSet(tuple(records), tuple(faults))
