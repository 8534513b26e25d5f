"""Who can sign for a record on a day, where nobody is named."""

from __future__ import annotations

from assay.errors import UsageError
from assay.ledger.editing import nearest
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository

ADJUDICATOR = "adjudicator"


def adjudicators(repository: Repository, stored: StoredRecord, day: str) -> tuple[str, ...]:
    """Handles that may sign for a record on a day, the most likely one first.

    The record's own adjudicator, then the owner of the case, then everybody else by name; nobody
    who labelled it, and nobody without the role on that day.
    """
    record = stored.record
    suite = repository.suite_of(stored)
    first = [record.adjudicator, suite.owner(stored.case_id) if suite is not None else None]
    handles = [*first, *sorted(repository.people.model.people)]
    return tuple(
        handle
        for handle in dict.fromkeys(handles)
        if handle is not None
        and handle not in record.labelers
        and repository.who.has_role(handle, ADJUDICATOR, day)
    )


def adjudicator(
    repository: Repository, stored: StoredRecord, day: str, given: str | None
) -> str | None:
    """Who signs: the one that is named, else the record's own, else the owner, else the only one.

    Args:
        repository: for people and owners.
        stored: the latest revision.
        day: the day on which they sign.
        given: a handle from the command line.

    Returns:
        None where nobody can be told.

    Raises:
        UsageError: the one that is named is not known, is no adjudicator, or labelled the case.
    """
    able = adjudicators(repository, stored, day)
    if given is not None:
        require_person(repository, given)
        if given in able:
            return given
        reason = "labelled it" if given in stored.record.labelers else f"is no adjudicator on {day}"
        raise UsageError(
            f"`{given}` cannot sign for {stored.case_id}: {reason}.",
            hint=f"--adjudicator: {', '.join(able) or 'nobody can; see truth/people.yaml'}",
        )
    suite = repository.suite_of(stored)
    likely = {stored.record.adjudicator, suite.owner(stored.case_id) if suite else None}
    if able and (able[0] in likely or len(able) == 1):
        return able[0]
    return None


def require_person(repository: Repository, handle: str) -> None:
    """See that somebody is known.

    Raises:
        UsageError: nobody of this name is.
    """
    people = repository.people.model.people
    if handle not in people:
        raise UsageError(f"Nobody is called `{handle}`.", hint=nearest(handle, people))
