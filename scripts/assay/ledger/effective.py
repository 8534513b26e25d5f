"""The record that counts: a fold over the revisions of a case.

The latest revision whose `applies_from` has come; only then its status is looked at, so that a
disputed revision hides the older gold one instead of falling back to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.ledger.policies import applies_from
from assay.ledger.records import StoredRecord
from assay.ledger.renames import MappedRecord, map_record
from assay.ledger.toolnames import ToolNames
from assay.models.catalog import Policies


def record_that_counts(
    revisions: Sequence[StoredRecord], policies: Policies, today: str
) -> StoredRecord | None:
    """The revision that counts on a day.

    Args:
        revisions: all revisions of one case, in any order.
        policies: for the day on which a revision's policy takes effect.
        today: the day, ``YYYY-MM-DD``.

    Returns:
        None where no revision counts yet.
    """
    counting = [
        stored for stored in revisions if (applies_from(policies, stored.record) or "") <= today
    ]
    return max(counting, key=lambda stored: stored.revision, default=None)


def judged_revisions(
    revisions: Sequence[StoredRecord], policies: Policies, today: str
) -> tuple[StoredRecord, ...]:
    """The revision that counts and every later one not yet in force, in order.

    Content rules judge these; older revisions must only parse.
    """
    counting = record_that_counts(revisions, policies, today)
    first = counting.revision if counting is not None else 0
    return tuple(
        sorted(
            (stored for stored in revisions if stored.revision >= first),
            key=lambda stored: stored.revision,
        )
    )


def mapped(stored: StoredRecord, names: ToolNames) -> MappedRecord:
    """The record with today's tool names."""
    return map_record(stored.record, names)
