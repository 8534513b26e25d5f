"""A revision before it is written, or just written, as the documented JSON shape."""

from __future__ import annotations

from assay.files.model_text import plain
from assay.ledger.hashes import content_hash
from assay.models.base import JsonValue
from assay.reporting.amendment.inputs import Amendment


def as_json(shown: Amendment) -> JsonValue:
    """One revision, its surroundings and its effect."""
    record = shown.draft.record
    return {
        "schema_version": 1,
        "case_id": record.case_id,
        "suite": shown.draft.suite,
        "path": shown.draft.path,
        "revision": record.revision,
        "status": record.status,
        "change": record.change,
        "content_hash": content_hash(record),
        "question": shown.question,
        "clauses": dict(shown.clauses),
        "fields": [
            {"field": name, "before": before, "after": after}
            for name, before, after in shown.draft.changed()
        ],
        "day": shown.day,
        "standing": {"before": shown.before, "after": shown.after},
        "signs": shown.signs,
        "signers": list(shown.signers),
        "missing": list(shown.missing),
        "runs": [
            {"run": run.run, "before": run.before, "after": run.after, "reason": run.reason}
            for run in shown.runs
        ],
        "unscored": shown.unscored,
        "notes": list(shown.notes),
        "findings": [plain(finding) for finding in shown.findings],
        "record": plain(record),
        "next": list(shown.next),
        "written": list(shown.written),
    }
