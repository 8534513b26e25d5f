"""The interchange form: all revisions of a suite as JSONL, behind the suite's canary."""

from __future__ import annotations

from collections.abc import Iterator

from assay.files.model_text import compact_text, model_line
from assay.ledger.effective import record_that_counts
from assay.ledger.repository import Repository


def export_lines(
    repository: Repository, suites: tuple[str, ...], *, effective_on: str | None = None
) -> Iterator[str]:
    """Lines, each with its line feed: a canary for each suite, then the records.

    Args:
        repository: what is exported.
        suites: which suites; sorted.
        effective_on: only the record that counts on this day.
    """
    for name in suites:
        if name in repository.suites:
            yield compact_text({"_canary": repository.suites[name].suite.canary}) + "\n"
    policies = repository.policies.model
    for revisions in repository.revisions.values():
        chosen = revisions
        if effective_on is not None:
            counting = record_that_counts(revisions, policies, effective_on)
            chosen = (counting,) if counting is not None else ()
        for stored in chosen:
            if stored.suite in suites:
                yield model_line(stored.record)
