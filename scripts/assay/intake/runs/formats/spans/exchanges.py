"""Calls and results that the messages a model was given tell of."""

from __future__ import annotations

from assay.intake.runs.formats.spans.said import Result, Said
from assay.intake.runs.imported import Call


def exchanges(said: list[Said]) -> list[tuple[list[Call], dict[int, Result]]]:
    """Messages that ask for calls, with the results that follow them.

    A result belongs to the call with its id, else to the first open call of its name, else, where
    it has no name, to the first open call.
    """
    found: list[tuple[list[Call], dict[int, Result]]] = []
    open_calls: list[Call] = []
    for item in said:
        if item.calls:
            found.append((item.calls, {}))
            open_calls = [call for call in open_calls if not _has(found, call)] + item.calls
        named = {call.id for call in open_calls if call.id is not None}
        exact = any(result.id in named for result in item.results)
        for result in item.results:
            call = next((c for c in open_calls if c.id is not None and c.id == result.id), None)
            if call is None and not exact:
                call = next((c for c in open_calls if result.name in (None, c.name)), None)
            if call is None:
                continue
            open_calls.remove(call)
            for calls, results in found:
                if any(other is call for other in calls):
                    results[id(call)] = result
    return found


def _has(found: list[tuple[list[Call], dict[int, Result]]], call: Call) -> bool:
    return any(id(call) in results for _, results in found)
