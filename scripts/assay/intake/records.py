"""Truth records from an interchange file: JSONL keyed by (case id, revision).

Reads our own export, and the shape that the source text gives (camelCase keys, upper-case
status, rubric and rationale as one text, null for what is absent). Every deviation is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError
from assay.files.reading import parse_json, raw_lines
from assay.files.validation import validate
from assay.models.base import JsonValue
from assay.models.finding import Finding
from assay.models.truth import TruthRecord

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")
_RENAMED = {"rubric_text": "rubric", "case_sha256": "case_digest"}

READ = "IMP001"
SHAPE = "IMP002"
FIELD = "IMP003"
DOUBLED = "IMP004"


@dataclass(frozen=True)
class RecordImport:
    """What an interchange file holds."""

    records: tuple[TruthRecord, ...]
    """The records that could be read, in order of case and revision."""
    canaries: tuple[str, ...]
    """Canary texts of header lines."""
    findings: tuple[Finding, ...]
    """Errors, and a note for every deviation."""

    @property
    def broken(self) -> bool:
        """Whether a line could not be read."""
        return any(finding.severity == "error" for finding in self.findings)


def read_truth(path: Path, *, name: str | None = None) -> RecordImport:
    """Read an interchange file. Never raises for what is in the file."""
    label = name or path.as_posix()
    records: dict[tuple[str, int], tuple[int, TruthRecord]] = {}
    canaries: list[str] = []
    findings: list[Finding] = []
    try:
        for line, value in _lines(path, label, findings):
            if isinstance(value, dict) and set(value) == {"_canary"}:
                canaries.append(str(value["_canary"]))
                continue
            record = _record(value, label, line, findings)
            if record is None:
                continue
            key = (record.case_id, record.revision)
            first = records.setdefault(key, (line, record))
            if first[0] != line:
                same = "the same" if first[1] == record else "other"
                message = (
                    f"{key[0]}, revision {key[1]} stands twice, with {same} content:"
                    f" lines {first[0]} and {line}."
                )
                findings.append(
                    _finding(DOUBLED, label, line, "", message, "keep one of the two lines")
                )
    except AssayError as error:
        findings.append(
            Finding(
                code=READ,
                severity="error",
                path=error.path or label,
                line=error.line,
                message=error.message,
                hint=error.hint,
            )
        )
    ordered = tuple(record for _, (_, record) in sorted(records.items()))
    return RecordImport(ordered, tuple(canaries), tuple(findings))


def _finding(code: str, path: str, line: int, pointer: str, message: str, hint: str) -> Finding:
    return Finding(
        code=code,
        severity="error",
        path=path,
        line=line,
        pointer=pointer,
        message=message,
        hint=hint,
    )


def _lines(path: Path, label: str, findings: list[Finding]) -> Iterator[tuple[int, JsonValue]]:
    for line, raw in raw_lines(path, name=label):
        try:
            yield line, parse_json(raw, name=label, first_line=line)
        except AssayError as error:
            findings.append(_finding(READ, label, line, "", error.message, error.hint))


def _record(value: JsonValue, label: str, line: int, findings: list[Finding]) -> TruthRecord | None:
    if not isinstance(value, dict):
        findings.append(
            _finding(SHAPE, label, line, "", "The line is no object.", "one record a line")
        )
        return None
    tidy, deviations = _canonical_shape(value)
    record, problems = validate(TruthRecord, tidy)
    for problem in problems:
        findings.append(
            _finding(FIELD, label, line, problem.pointer, problem.message, problem.hint)
        )
    if record is not None and deviations:
        findings.append(
            Finding(
                code=SHAPE,
                severity="note",
                path=label,
                line=line,
                case_id=record.case_id,
                message=f"Read in another shape: {'; '.join(deviations)}.",
            )
        )
    return record


def _canonical_shape(value: dict[str, JsonValue]) -> tuple[dict[str, JsonValue], list[str]]:
    """The value in our shape, and what had to be changed."""
    deviations: list[str] = []
    tidy: dict[str, JsonValue] = {}
    for key, item in value.items():
        name = _HUMP.sub(r"_\1", key).lower() if key != key.lower() else key
        name = _RENAMED.get(name, name)
        if name != key:
            deviations.append(f"`{key}` is `{name}`")
        if item is None and name not in ("final_out",):
            continue
        tidy[name] = item
    status = tidy.get("status")
    if isinstance(status, str) and status != status.lower():
        tidy["status"] = status.lower()
        deviations.append(f"status {status} is {status.lower()}")
    rationale = tidy.get("rationale")
    if isinstance(rationale, str):
        tidy["rationale"] = [rationale]
        deviations.append("rationale is one text")
    rubric = tidy.get("rubric")
    if isinstance(rubric, str):
        tidy["rubric"] = [{"id": "rubric", "text": rubric}]
        deviations.append("rubric is one text")
    if "change" not in tidy:
        tidy["change"] = "new" if tidy.get("revision") == 1 else "correction"
        deviations.append(f"change is taken to be {tidy['change']}")
    tidy.setdefault("schema_version", 1)
    return tidy, deviations
