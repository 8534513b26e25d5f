"""Refusing a comparison: what differs, and the command that works instead."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress

from assay.comparing.alike import OF_LABELS, REACH_REGRADE, WORDS, Unlike
from assay.comparing.pairs import pair
from assay.errors import AssayError, RefusedError
from assay.pipeline.comparing.loading import Loaded, Loader
from assay.pipeline.naming import PublishedResult, ScoredResult, StoredRun


def refuse(
    found: Sequence[Unlike],
    a: Loaded,
    b: Loaded,
    loader: Loader,
    retry: Sequence[str],
) -> RefusedError:
    """The refusal, with every part that differs and a command that works.

    Args:
        found: what differs, at least one part.
        a: the first side.
        b: the second side.
        loader: finds the runs, where they are here.
        retry: words of the command without what would make it work, ``assay`` first.
    """
    told = "; ".join(_told(item) for item in found)
    message = f"These two were not measured alike. {told}."
    parts = {item.part for item in found}
    ways: list[str] = []
    again = " ".join(map(shlex.quote, retry))
    if parts <= OF_LABELS:
        kept = pair(a.side, b.side, unchanged=True, same_revision="cases" in parts).pairs
        if kept:
            ways.append(f"{again} --on unchanged  ({len(kept)} cases have the same label in both)")
    if parts <= REACH_REGRADE and _runs_are_here(a, b, loader):
        ways.append(f"{again} --regrade  (scores both again, under the truth that is here)")
    if parts == {"context"}:
        ways.append(f"{again} --on verdicts  (takes them as they are, whatever judged them)")
    if not ways:
        ways.append(_last(a, b))
    return RefusedError(message, hint="\n  or    ".join(ways))


def _told(item: Unlike) -> str:
    tail = f" ({item.detail})" if item.detail else ""
    return f"{WORDS[item.part].capitalize()}: {item.a} and {item.b}{tail}"


def _runs_are_here(a: Loaded, b: Loaded, loader: Loader) -> bool:
    for side in (a, b):
        try:
            loader.run_file(side.named)
        except AssayError:
            return False
    return True


def _last(a: Loaded, b: Loaded) -> str:
    """Both beside each other, without a difference; else where the runs went."""
    runs: list[str] = []
    for side in (a, b):
        named = side.named
        if isinstance(named, StoredRun):
            runs.append(f"{named.suite}/{named.run}")
        elif isinstance(named, ScoredResult | PublishedResult):
            runs.append(f"{named.result.context.suite}/{named.result.subject.run}")
        else:
            with suppress(AttributeError):
                runs.append(named.path.as_posix())
    shown = " ".join(f"--runs {shlex.quote(name)}" for name in runs)
    return f"assay score {shown}  (shows both beside each other, and no difference)"
