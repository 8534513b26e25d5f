"""Derived fields of a record, and the finished file."""

from __future__ import annotations

from assay.files.model_text import model_text
from assay.ledger.hashes import case_digest, content_hash
from assay.models.case import EvalCase
from assay.models.truth import TruthRecord


def finished(
    record: TruthRecord,
    previous: TruthRecord | None,
    case: EvalCase | None,
) -> TruthRecord:
    """The record with its derived fields filled in where they are missing.

    What a person wrote is never changed: a wrong `supersedes` or an old `case_digest` stays
    and is reported by the check.

    Args:
        record: the record as written.
        previous: the revision before, if there is one.
        case: the case, if there is one.
    """
    update: dict[str, object] = {}
    if record.supersedes is None and previous is not None:
        # Names as they were written: the chain must hold whatever is renamed later.
        update["supersedes"] = content_hash(previous)
    if record.case_digest is None and case is not None:
        update["case_digest"] = case_digest(case)
    return record.model_copy(update=update) if update else record


def finished_text(
    record: TruthRecord,
    previous: TruthRecord | None,
    case: EvalCase | None,
) -> str:
    """The canonical file of the finished record."""
    return model_text(finished(record, previous, case))
