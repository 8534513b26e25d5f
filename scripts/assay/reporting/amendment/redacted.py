"""Revisions that become tombstones, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from assay.files.model_text import plain
from assay.ledger.redacting import KEPT, Tombstone
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord
from assay.reporting.words import WIDTH, safe, wrap


def redacted_text(case_id: str, found: Sequence[Tombstone], counts: bool) -> str:
    """What goes, what stays, and what this does not do.

    Args:
        case_id: the case.
        found: the tombstones.
        counts: whether the latest revision, which is in use, is among them.
    """
    lines: list[str] = []
    for item in found:
        gone = [
            name
            for name in TruthRecord.model_fields
            if name not in (*KEPT, "redacted")
            and getattr(item.before.record, name)
            != TruthRecord.model_fields[name].get_default(call_default_factory=True)
        ]
        redaction = item.record.redacted
        assert redaction is not None
        lines.append(safe(f"{case_id}  revision {item.record.revision}  {item.record.status}"))
        for label, said in (
            ("goes", ", ".join(name.replace("_", " ") for name in gone)),
            (
                "stays",
                f"hash {redaction.content_hash[:8]}, file {redaction.file_digest[:8]}",
            ),
            ("approved by", ", ".join(redaction.approved_by)),
        ):
            lines += wrap(safe(said), WIDTH, indent=" " * 16, first=f"  {label:<14}")
    notes = [
        "Published results stay: they name the hash, which is kept.",
        "Git still has the old content in its history. Where it must go from there as well, the"
        " history is rewritten (git filter-repo) and the forge is asked to forget it.",
    ]
    if counts:
        notes.insert(
            0,
            "The latest one is among them: the case is not scored until there is a next one.",
        )
    lines.append("")
    for note in notes:
        lines += wrap(note, WIDTH, indent="  ")
    return "\n".join(lines) + "\n"


def redacted_json(
    case_id: str, found: Sequence[Tombstone], steps: Sequence[str], written: Sequence[str]
) -> JsonValue:
    """What ``assay truth redact --format json`` prints."""
    return {
        "schema_version": 1,
        "case_id": case_id,
        "revisions": [{"path": item.before.path, "record": plain(item.record)} for item in found],
        "next": list(steps),
        "written": list(written),
    }
