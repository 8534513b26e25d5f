"""Every revision of a case: when, by whom, why, and what it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.files.model_text import plain
from assay.ledger.hashes import content_hash
from assay.ledger.history import Commit
from assay.ledger.records import StoredRecord
from assay.models.base import JsonValue
from assay.reporting.history import Step, changed_words
from assay.reporting.words import WIDTH, safe, wrap


@dataclass(frozen=True)
class RecordHistory:
    """All revisions of one case."""

    case_id: str
    """The case."""
    suite: str
    """Its suite."""
    today: str
    """The day at which it is told which revision counts."""
    question: str
    """What the user says; empty where there is no case."""
    steps: tuple[Step, ...]
    """Revisions, the latest first."""
    stored: Mapping[int, StoredRecord]
    """Number to revision."""
    commits: Mapping[int, Commit]
    """Number to the commit that brought it, where git knows."""
    later: Mapping[int, str]
    """Number to the day from which it counts, where that has not come."""


def history_text(found: RecordHistory) -> str:
    """The latest first, a paragraph a revision."""
    lines = [safe(f"{found.case_id}  ({found.suite})  on {found.today}")]
    if found.question:
        lines += wrap(safe(found.question), WIDTH, indent="    ", first="  ")
    for step in found.steps:
        lines += ["", *_step(found, step)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _step(found: RecordHistory, step: Step) -> list[str]:
    record, number = step.record, step.record.revision
    mark = "*" if step.counts else " "
    commit = found.commits.get(number)
    when = f"{commit.day}  {commit.author}  {commit.short}" if commit else "not committed"
    said = f"{mark} r{number:04d}  {record.status:<8}  {record.change:<10}  {when}"
    lines = [safe(said)]
    indent = " " * 9
    if step.counts:
        lines.append(f"{indent}counts today")
    if number in found.later:
        lines.append(f"{indent}counts from {found.later[number]} on")
    if record.redacted is not None:
        people = ", ".join(record.redacted.approved_by)
        lines += wrap(safe(f"redacted, approved by {people}"), WIDTH, indent=indent)
    for sentence in record.rationale:
        lines += wrap(safe(sentence), WIDTH, indent=indent)
    changed = changed_words(step, most=9)
    if changed:
        lines += wrap(safe(f"changed: {changed}"), WIDTH, indent=indent)
    if step.people:
        lines += wrap(safe(step.people), WIDTH, indent=indent)
    return lines


def history_json(found: RecordHistory) -> JsonValue:
    """What ``assay truth history --format json`` prints."""
    return {
        "schema_version": 1,
        "case_id": found.case_id,
        "suite": found.suite,
        "today": found.today,
        "revisions": [_step_json(found, step) for step in found.steps],
    }


def _step_json(found: RecordHistory, step: Step) -> JsonValue:
    number = step.record.revision
    commit = found.commits.get(number)
    changed: Sequence[JsonValue] = list(step.changed)
    return {
        "revision": number,
        "path": found.stored[number].path,
        "counts": step.counts,
        "counts_from": found.later.get(number),
        "content_hash": content_hash(step.record),
        "changed": list(changed),
        "commit": None
        if commit is None
        else {"id": commit.id, "day": commit.day, "author": commit.author},
        "record": plain(step.record),
    }
