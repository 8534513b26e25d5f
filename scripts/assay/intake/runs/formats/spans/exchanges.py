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
    home: dict[int, dict[int, Result]] = {}
    """A call that is not answered, to the results of the message that asks for it."""
    open_calls: dict[int, Call] = {}
    by_id: dict[str, list[Call]] = {}
    for item in said:
        if item.calls:
            results: dict[int, Result] = {}
            found.append((item.calls, results))
            for call in item.calls:
                open_calls[id(call)] = call
                home[id(call)] = results
                if call.id is not None:
                    by_id.setdefault(call.id, []).append(call)
        exact = any(result.id in by_id for result in item.results)
        for result in item.results:
            waiting = by_id.get(result.id or "", [])
            call_ = next((call for call in waiting if id(call) in open_calls), None)
            if call_ is None and not exact:
                call_ = next(
                    (c for c in open_calls.values() if result.name in (None, c.name)), None
                )
            if call_ is not None:
                home[id(call_)][id(call_)] = result
                del open_calls[id(call_)]
    return found
