"""Digests that say what a result was measured against.

The content hash of a record covers what decides a verdict and nothing else, so that a bulk
rename, a renewal or a better rationale does not break a comparison. The digest of a case
covers what a labeler saw. Both are SHA-256 over canonical JSON.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.files.canonical import digest
from assay.files.model_text import plain
from assay.ledger.renames import map_record
from assay.ledger.toolnames import ToolNames
from assay.models.base import JsonValue
from assay.models.case import EvalCase
from assay.models.truth import TruthRecord

DECIDING = (
    "required_tools",
    "forbidden_tools",
    "order",
    "max_calls",
    "acceptable_answers",
    "facts",
    "must_not_state",
    "rubric",
    "state",
    "plan",
    "final_out",
    "score_basis",
    "policy_version",
    "as_of",
)
"""Fields of a record that decide a verdict."""

_EMPTY_IS_A_VALUE = frozenset({"state", "final_out", "score_basis"})
"""Fields that decide otherwise when they are empty than when they are absent."""


def content_hash(record: TruthRecord, names: ToolNames | None = None) -> str:
    """SHA-256 of what decides a verdict, after the rename map.

    Args:
        record: the record, before or after the map.
        names: the rename map; none where the record has been mapped already.

    Returns:
        For a tombstone the hash that the revision had.
    """
    if record.redacted is not None:
        return record.redacted.content_hash
    if names is not None:
        record = map_record(record, names).record
    values: dict[str, JsonValue] = {}
    for name in DECIDING:
        value = getattr(record, name)
        if name == "required_tools":
            value = tuple(plain(entry) for entry in record.required)
        elif name == "forbidden_tools":
            value = tuple(sorted(set(record.forbidden_tools)))
        elif name == "policy_version":
            value = tuple(sorted(record.policies))
        else:
            value = plain(value)
        if value is None or (name not in _EMPTY_IS_A_VALUE and value in ((), {})):
            continue
        values[name] = value
    return digest(values)


def case_digest(case: EvalCase) -> str:
    """SHA-256 of the case as a labeler saw it: what the user says and the seeded world.

    Timestamps, ids of turns and the example expectations (final responses, tool uses, final
    state) are outside: changing them does not make a label stale.
    """
    turns = [turn.user_content.model_dump(exclude_none=True) for turn in case.conversation or ()]
    return digest(
        {
            "eval_id": case.eval_id,
            "turns": turns,
            "scenario": case.conversation_scenario,
            "session": (
                case.session_input.model_dump(exclude_none=True) if case.session_input else None
            ),
        }
    )


def truth_hash(entries: Iterable[tuple[str, str, str]]) -> str:
    """SHA-256 over sorted (case id, content hash, status) of every case that counts.

    Args:
        entries: one triple for each case whose record that counts is neither draft nor
            retired, whether it is expired or excluded or not.
    """
    return digest(sorted(list(entry) for entry in entries))
