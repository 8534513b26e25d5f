"""Drafts of truth from what other benchmarks expect. A draft is never more than a draft."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.errors import UsageError
from assay.intake.drafts.adk import draft_from_adk
from assay.intake.drafts.imported import DraftImport
from assay.intake.drafts.tau_bench import draft_from_tau_bench

__all__ = ["DraftImport", "draft", "draft_from_adk", "draft_from_tau_bench"]


def draft(
    source: str, path: Path, *, suite: str = "drafts", writes: Iterable[str] = ()
) -> DraftImport:
    """Draft records, cases and tools from a file.

    Args:
        source: ``tau-bench`` or ``adk``.
        path: the file.
        suite: suite of the cases; tau-bench's case ids begin with it.
        writes: tools that write, beside those that a catalogue or their names tell.

    Raises:
        InputError: the file cannot be read, or holds nothing of that kind.
        UsageError: there is no such source.
    """
    if source == "tau-bench":
        return draft_from_tau_bench(path, suite=suite, writes=writes)
    if source == "adk":
        return draft_from_adk(path, writes=writes)
    raise UsageError(f"Nothing is drafted from `{source}`.", hint="--from tau-bench, --from adk")
