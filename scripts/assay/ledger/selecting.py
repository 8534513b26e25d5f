"""Which records a bulk command is about: ``--where KEY=VALUE``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from assay.errors import UsageError
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository

Values = Callable[[Repository, StoredRecord], Iterable[str]]


def _attribute(name: str) -> Values:
    def values(repository: Repository, stored: StoredRecord) -> Iterable[str]:
        suite = repository.suite_of(stored)
        found = suite.attributes(stored.case_id) if suite is not None else None
        value = getattr(found, name, None)
        return (str(value),) if value is not None else ()

    return values


def _owner(repository: Repository, stored: StoredRecord) -> Iterable[str]:
    suite = repository.suite_of(stored)
    return (suite.owner(stored.case_id),) if suite is not None else ()


def _tools(repository: Repository, stored: StoredRecord) -> Iterable[str]:
    record = stored.record
    return [*(entry.tool for entry in record.required), *record.forbidden_tools, *record.max_calls]


KEYS: Mapping[str, Values] = {
    "category": _attribute("category"),
    "change": lambda repository, stored: (stored.record.change,),
    "clause": lambda repository, stored: stored.record.clauses,
    "expires": lambda repository, stored: filter(None, (stored.record.expires,)),
    "labeler": lambda repository, stored: stored.record.labelers,
    "owner": _owner,
    "policy": lambda repository, stored: stored.record.policies,
    "slice": _attribute("slice"),
    "status": lambda repository, stored: (stored.record.status,),
    "suite": lambda repository, stored: (stored.suite,),
    "template": _attribute("template"),
    "tool": _tools,
}
"""What ``--where`` can ask, and what a record has there."""


def parse_where(conditions: Iterable[str]) -> dict[str, str]:
    """``KEY=VALUE`` conditions; all of them must hold.

    Raises:
        UsageError: no such key, no value, or a key twice.
    """
    found: dict[str, str] = {}
    for text in conditions:
        key, mark, value = text.partition("=")
        if not mark or not value or key not in KEYS:
            raise UsageError(
                f"`--where {text}` cannot be understood.",
                hint=f"KEY=VALUE with one of: {', '.join(KEYS)}",
            )
        if key in found:
            raise UsageError(f"`{key}` is asked twice.", hint="one condition for each key")
        found[key] = value
    return found


def fits(repository: Repository, stored: StoredRecord, where: Mapping[str, str]) -> bool:
    """Whether a record meets all conditions."""
    return all(value in KEYS[key](repository, stored) for key, value in where.items())


def latest(repository: Repository) -> list[StoredRecord]:
    """The latest revision of every record that is not retired, by suite and case."""
    found = [revisions[-1] for revisions in repository.revisions.values()]
    return sorted(
        (stored for stored in found if stored.record.status != "retired"),
        key=lambda stored: (stored.suite, stored.case_id),
    )
