"""Writing imported records into a repository: all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import UsageError
from assay.files.journal import write_all
from assay.files.model_text import model_text, plain
from assay.intake.records import DOUBLED, FIELD, read_truth
from assay.ledger import layout
from assay.ledger.records import StoredRecord, read_revision
from assay.models.base import JsonValue
from assay.models.finding import Finding, FindingReport
from assay.models.truth import TruthRecord


@dataclass(frozen=True)
class TruthImport:
    """What an import came to."""

    read: int
    """Records read."""
    written: tuple[str, ...]
    """Paths of the files written, or that would be."""
    present: int
    """Records that were there already, with the same content."""
    report: FindingReport
    """What was found in the files."""

    @property
    def broken(self) -> bool:
        """Whether something was wrong; then nothing was written."""
        return any(finding.severity == "error" for finding in self.report.findings)

    def as_json(self) -> JsonValue:
        """The documented shape."""
        return {
            "schema_version": 1,
            "read": self.read,
            "written": self.written,
            "present": self.present,
            "findings": [plain(finding) for finding in self.report.findings],
        }


def import_truth(
    root: Path, files: Sequence[Path], suite: str, *, dry_run: bool = False
) -> TruthImport:
    """Write the records of interchange files as revision files.

    A record that is there already with the same content is left alone; one with other content
    is an error, since a (case, revision) pair never changes. With any error nothing is written.

    Raises:
        UsageError: no such suite.
        RefusedError: another command is writing.
        InputError: the repository cannot be written.
    """
    suite_file = root / layout.CASES / suite / layout.SUITE_FILE
    if not suite_file.is_file():
        raise UsageError(
            f"No suite is called `{suite}`.", hint=f"write cases/{suite}/suite.yaml first"
        )
    findings: list[Finding] = []
    records: dict[tuple[str, int], TruthRecord] = {}
    for path in files:
        found = read_truth(path)
        findings += found.findings
        for record in found.records:
            key = (record.case_id, record.revision)
            if records.setdefault(key, record) != record:
                message = f"{key[0]}, revision {key[1]} stands in two files with other content."
                findings.append(_error(DOUBLED, path.as_posix(), record, message))
    present, new = _sort_out(root, suite, records, findings)
    files_to_write = [
        (layout.record_path(suite, *key), model_text(record).encode("utf-8"))
        for key, record in sorted(new.items())
    ]
    broken = any(finding.severity == "error" for finding in findings)
    if files_to_write and not dry_run and not broken:
        write_all(root, files_to_write)
    return TruthImport(
        len(records),
        tuple(path for path, _ in files_to_write) if not broken else (),
        present,
        FindingReport(findings=tuple(findings), checked={"records": len(records)}),
    )


def _error(code: str, path: str, record: TruthRecord, message: str) -> Finding:
    return Finding(
        code=code,
        severity="error",
        path=path,
        case_id=record.case_id,
        message=message,
        hint="give one of them the next revision number",
    )


def _sort_out(
    root: Path,
    suite: str,
    records: dict[tuple[str, int], TruthRecord],
    findings: list[Finding],
) -> tuple[int, dict[tuple[str, int], TruthRecord]]:
    """How many records are there already, and those that are new."""
    present = 0
    new: dict[tuple[str, int], TruthRecord] = {}
    for key, record in records.items():
        path = layout.record_path(suite, *key)
        if not (root / path).exists():
            new[key] = record
            continue
        there = read_revision(root, path)
        if isinstance(there, StoredRecord) and there.record == record:
            present += 1
        else:
            findings.append(_error(FIELD, path, record, "The revision exists with other content."))
    for case_id in sorted({case for case, _ in new}):
        numbers = sorted(number for case, number in new if case == case_id)
        before = numbers[0] - 1
        complete = numbers == list(range(numbers[0], numbers[-1] + 1))
        if not complete or (
            before and not (root / layout.record_path(suite, case_id, before)).exists()
        ):
            record = new[case_id, numbers[0]]
            message = f"Revisions of {case_id} have gaps: {', '.join(map(str, numbers))}."
            findings.append(_error(FIELD, layout.RECORDS, record, message))
    return present, new
