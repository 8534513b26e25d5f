"""Records as a person reads them: one with its history, a listing, a draft before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.checks.compiling import CompiledRepository
from assay.checks.world import World
from assay.errors import UsageError
from assay.files.model_text import compact_text, plain, plain_object
from assay.ledger.editing import Draft
from assay.ledger.hashes import DECIDING, content_hash
from assay.models.base import JsonValue
from assay.models.compiled import EffectiveTruth
from assay.models.finding import Finding, FindingReport
from assay.models.truth import TruthRecord
from assay.reporting.words import WIDTH, safe, safe_lines, wrap

_SHOWN = (
    *DECIDING,
    "expires",
    "applies_from",
    "labelers",
    "adjudicator",
    "drafted_by",
    "evidence",
)


@dataclass(frozen=True)
class RecordView:
    """One case with its record, as it is shown."""

    case_id: str
    """The case."""
    suite: str
    """Its suite."""
    today: str
    """The day it is judged at."""
    question: str | None
    """What the user says; none where there is no case."""
    revisions: tuple[TruthRecord, ...]
    """All revisions in order."""
    shown: TruthRecord | None
    """The revision that is shown."""
    counting: int | None
    """Number of the revision that counts."""
    path: str | None
    """File of the revision shown."""
    effective: EffectiveTruth | None
    """What the compilation makes of the case."""
    findings: tuple[Finding, ...]
    """What the rules find about it."""


def record_view(
    world: World,
    compiled: CompiledRepository,
    report: FindingReport,
    case_id: str,
    revision: int | None = None,
) -> RecordView:
    """One case with the record that counts, or with a given revision.

    Raises:
        UsageError: the case has no such revision.
    """
    repository = world.repository
    revisions = repository.revisions.get(case_id, ())
    counting = world.counting.get(case_id)
    shown = counting
    if revision is not None:
        shown = next((stored for stored in revisions if stored.revision == revision), None)
        if shown is None:
            known = ", ".join(str(stored.revision) for stored in revisions) or "none"
            raise UsageError(f"`{case_id}` has no revision {revision}.", hint=f"there are: {known}")
    case = repository.cases.get(case_id)
    suite = case.suite if case else (revisions[0].suite if revisions else "")
    return RecordView(
        case_id,
        suite,
        world.today,
        case.case.user_text if case else None,
        tuple(stored.record for stored in revisions),
        shown.record if shown else None,
        counting.revision if counting else None,
        shown.path if shown else None,
        compiled.entry(case_id),
        tuple(finding for finding in report.findings if finding.case_id == case_id),
    )


def listing(
    compiled: CompiledRepository, *, suite: str | None, status: str | None
) -> tuple[EffectiveTruth, ...]:
    """What counts for every case, or for those of a suite or with a status."""
    return tuple(
        entry
        for entries in compiled.suites.values()
        for entry in entries
        if (suite is None or entry.suite == suite)
        and (status is None or (entry.record is not None and entry.record.status == status))
    )


def record_text(view: RecordView, *, width: int = WIDTH) -> str:
    """The view for a terminal of so many columns."""
    lines = [f"{safe(view.case_id)}  ({safe(view.suite)})  on {view.today}"]
    if view.question:
        lines += ["", "  user says"]
        for said in safe_lines(view.question):
            lines += wrap(said, width, indent="    ")
    record = view.shown
    if record is None:
        lines += ["", "  no record counts"]
    else:
        counts = "counts" if record.revision == view.counting else "does not count"
        head = f"  revision {record.revision}, {record.status}, {record.change}: {counts}"
        lines += ["", head, f"  {safe(view.path or '')}"]
        for sentence in record.rationale:
            lines += wrap(safe(sentence), width, indent="    ")
        lines.append("")
        lines += _fields(record, width)
    lines += ["", *_standing(view, width)]
    if len(view.revisions) > 1:
        lines += ["", "  history"]
        for revision in view.revisions:
            mark = "*" if revision.revision == view.counting else " "
            first = f"  {mark} r{revision.revision:<3} {revision.status:<9} {revision.change:<11} "
            lines += wrap(safe(revision.rationale[0]), width, indent=" " * len(first), first=first)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _fields(record: TruthRecord, width: int) -> list[str]:
    values = plain_object(record)
    lines: list[str] = []
    for name in ("clauses", *_SHOWN):
        if name not in values:
            continue
        value = values[name]
        many = isinstance(value, Sequence) and not isinstance(value, str)
        label = name.replace("_", " ")
        for item in value if many and isinstance(value, Sequence) else [value]:
            text = item if isinstance(item, str) else compact_text(item)
            lines += wrap(safe(text), width, indent=" " * 21, first=f"  {label:<19}")
            label = ""
    return lines


def _standing(view: RecordView, width: int) -> list[str]:
    entry = view.effective
    if entry is None:
        return ["  not in a suite"]
    if entry.exclusions:
        lines = ["  cannot be scored today"]
        for exclusion in entry.exclusions:
            first = f"    {exclusion.code}  "
            lines += wrap(safe(exclusion.reason), width, indent=" " * len(first), first=first)
        return lines
    if entry.gates:
        return ["  scored, and gates"]
    return [f"  scored, does not gate: {'; '.join(entry.not_gating) or 'no reason given'}"]


def record_json(view: RecordView) -> JsonValue:
    """The view as the documented JSON shape."""
    return {
        "schema_version": 1,
        "case_id": view.case_id,
        "suite": view.suite,
        "today": view.today,
        "counting": view.counting,
        "record": plain(view.shown) if view.shown else None,
        "content_hash": content_hash(view.shown) if view.shown else None,
        "exclusions": [plain(item) for item in view.effective.exclusions] if view.effective else [],
        "gates": view.effective.gates if view.effective else False,
        "history": [plain(revision) for revision in view.revisions],
        "findings": [plain(finding) for finding in view.findings],
    }


def listing_text(entries: Sequence[EffectiveTruth]) -> str:
    """One line a case."""
    if not entries:
        return "No case fits.\n"
    width = max(len(entry.case_id) for entry in entries)
    lines = []
    for entry in entries:
        record = entry.record
        state = f"r{record.revision:<3} {record.status:<9}" if record else f"{'-':<4} {'-':<9}"
        if entry.exclusions:
            note = ", ".join(exclusion.code for exclusion in entry.exclusions)
        else:
            note = "gates" if entry.gates else "scored"
        lines.append(f"{entry.case_id:<{width}}  {entry.suite}  {state} {note}")
    return "\n".join(lines) + "\n"


def listing_json(entries: Sequence[EffectiveTruth]) -> JsonValue:
    """The listing as the documented JSON shape."""
    return {
        "schema_version": 1,
        "cases": [
            {
                "case_id": entry.case_id,
                "suite": entry.suite,
                "revision": entry.record.revision if entry.record else None,
                "status": entry.record.status if entry.record else None,
                "content_hash": entry.content_hash,
                "gates": entry.gates,
                "exclusions": [plain(item) for item in entry.exclusions],
            }
            for entry in entries
        ],
    }


def draft_text(draft: Draft) -> str:
    """What a revision that is about to be written changes, field by field."""
    record = draft.record
    head = f"{record.case_id}  revision {record.revision}  {record.status}  {record.change}"
    lines = [head]
    for name, before, after in draft.changed():
        if name in ("status", "change") and draft.previous is None:
            continue
        label = name.replace("_", " ")
        if before is not None:
            lines += wrap(
                safe(compact_text(before)), WIDTH, indent=" " * 23, first=f"  - {label:<19}"
            )
        if after is not None:
            lines += wrap(
                safe(compact_text(after)), WIDTH, indent=" " * 23, first=f"  + {label:<19}"
            )
    return "\n".join(lines) + "\n"
