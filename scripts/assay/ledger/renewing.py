"""Extending the life of labels that were looked at again and still hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.ledger.bulk import Bulk, Skipped, next_revisions
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.signers import adjudicator
from assay.models.base import JsonValue


def reason(day: str) -> str:
    """The sentence of the rationale where nobody gives one."""
    return f"Looked at again on {day}: what the label says still holds."


def renewals(
    repository: Repository,
    chosen: Iterable[StoredRecord],
    until: str,
    *,
    why: str,
    signer: str | None = None,
    day: str,
) -> Bulk:
    """The next revision of every chosen record, with a later end.

    Nothing that decides changes, `as_of` included: results before and after can be compared.

    Args:
        repository: the records.
        chosen: latest revisions.
        until: the day from which they no longer count.
        why: a sentence that is added to the rationale.
        signer: the adjudicator for all of them; each record's own where absent.
        day: today, for whom can sign.

    Returns:
        Revisions to write; with a reason, records that have no end, end later already, or whose
        life does not allow it.

    Raises:
        UsageError: the signer is not known, or cannot sign for one of them.
    """
    ready: list[StoredRecord] = []
    skipped: list[Skipped] = []
    signs: dict[str, str] = {}
    for stored in chosen:
        unable = _unable(stored, until, day)
        who = adjudicator(repository, stored, day, signer) if not unable else None
        if not unable and stored.record.status == "gold" and who is None:
            unable = "nobody can be told to sign for it: name one with --adjudicator"
        if unable:
            skipped.append(Skipped(stored.case_id, stored.path, unable))
            continue
        if who is not None:
            signs[stored.case_id] = who
        ready.append(stored)

    def changes(stored: StoredRecord) -> Mapping[str, JsonValue]:
        wanted: dict[str, JsonValue] = {
            "change": "renewal",
            "expires": until,
            "rationale": list(dict.fromkeys([*stored.record.rationale, why])),
        }
        if stored.record.status == "gold":
            wanted["adjudicator"] = signs[stored.case_id]
        return wanted

    bulk = next_revisions(repository, ready, changes)
    every = sorted([*bulk.skipped, *skipped], key=lambda item: item.case_id)
    return Bulk(bulk.drafts, tuple(every))


def _unable(stored: StoredRecord, until: str, day: str) -> str:
    record = stored.record
    if record.status == "retired":
        return "it is retired, which is final"
    if record.status == "disputed":
        return "it is disputed: uphold or correct it first"
    if record.redacted is not None:
        return "it is redacted: write what is right first"
    if record.expires is None:
        return "it has no end"
    if record.expires >= until:
        return f"it holds until {record.expires} already"
    if until <= day:
        return f"{until} is not after today, {day}"
    return ""
