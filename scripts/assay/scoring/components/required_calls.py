"""Evidence for required calls: what was met by which call, and why the rest was not."""

from __future__ import annotations

from assay.models.result import Evidence
from assay.scoring.build import evidence
from assay.scoring.compiled import Entry
from assay.scoring.matchers import Sight
from assay.scoring.matching import Assigned, argument_meets
from assay.scoring.observed import SeenCall, SeenRun
from assay.scoring.values import MISSING, shown

CALLS_UNKNOWN = "The run's format does not carry tool calls."


def blind_piece(kind: str, pointer: str) -> Evidence:
    """A question that cannot be answered, since the format does not carry calls."""
    return evidence(kind, "not_evaluated", pointer, CALLS_UNKNOWN)


def times(count: int) -> str:
    """``1 time``, ``2 times``."""
    return f"{count} time{'s' * (count != 1)}"


def calls_in_words(count: int) -> str:
    """``1 call``, ``2 calls``."""
    return f"{count} call{'s' * (count != 1)}"


def surely_fine(call: SeenCall, seen: SeenRun) -> bool:
    """Whether a call without error counts as successful beyond doubt.

    Where the format carries outcomes and this one is not known, the call counts; where it
    cannot carry them, a repetition may have been a retry.
    """
    return call.call.outcome == "ok" or "call_outcomes" not in seen.unknown


def required_pieces(
    row: Assigned, reason: str, seen: SeenRun, sight: Sight, blind: bool
) -> list[Evidence]:
    """Reasons for one expectation: every call that meets it, and what is missing or too much.

    Args:
        row: the expectation and the calls that were assigned to it.
        reason: why it could not be told whether a call meets it.
        seen: the run.
        sight: what comparisons may look at.
        blind: whether the format does not carry calls.
    """
    entry = row.entry
    found = [_met(entry, seen.calls[index]) for index in row.calls]
    if row.outcome is True:
        over = _over(row, seen)
        if over is not None:
            found.append(over)
        elif not found:
            found.append(
                evidence(
                    "optional_call",
                    "passed",
                    entry.pointer,
                    f"`{entry.tool}` may be called and need not be.",
                    expected=entry.label,
                )
            )
        return found
    if blind:
        return [*found, blind_piece("call_unknown", entry.pointer)]
    if row.outcome is None:
        return [
            *found,
            evidence(
                "call_unknown",
                "not_evaluated",
                entry.pointer,
                f"It cannot be told whether `{entry.tool}` was called as asked: {reason}.",
                expected=entry.label,
            ),
        ]
    found.append(_missing(row, seen, sight))
    over = _over(row, seen)
    return found if over is None else [*found, over]


def _met(entry: Entry, call: SeenCall) -> Evidence:
    known = "" if call.call.outcome == "ok" else ", its result is not known"
    return evidence(
        "required_call",
        "passed",
        entry.pointer,
        f"{call.label} was called as asked{known}.",
        call=call.index,
        turn=call.turn,
        expected=entry.label,
        observed=call.label,
    )


def _over(row: Assigned, seen: SeenRun) -> Evidence | None:
    most = row.entry.most
    if most is None or len(row.perhaps) <= most:
        return None
    sure = [i for i in row.sure if surely_fine(seen.calls[i], seen)]
    if len(sure) > most:
        last = seen.calls[sure[most]]
        return evidence(
            "too_many_calls",
            "failed",
            row.entry.pointer,
            f"`{row.entry.tool}` was called so {times(len(sure))}, at most {most}.",
            call=last.index,
            turn=last.turn,
            expected=f"at most {most} of {row.entry.label}",
            observed=calls_in_words(len(sure)),
        )
    return evidence(
        "too_many_calls",
        "not_evaluated",
        row.entry.pointer,
        f"It cannot be told whether `{row.entry.tool}` was called so more than {most} times.",
        expected=f"at most {most} of {row.entry.label}",
    )


def _missing(row: Assigned, seen: SeenRun, sight: Sight) -> Evidence:
    """Why a required call counts as missing, with the call that came nearest."""
    entry = row.entry
    same_tool = [call for call in seen.calls if not entry.names.isdisjoint(call.names)]
    if not same_tool:
        return evidence(
            "missing_call",
            "failed",
            entry.pointer,
            f"`{entry.tool}` was never called.",
            expected=entry.label,
            observed="no call of it",
        )
    fine = [call for call in same_tool if call.fine]
    if not fine:
        last = same_tool[-1]
        what = "blocked" if last.call.outcome == "blocked" else "failed"
        return evidence(
            "failed_call",
            "failed",
            entry.pointer,
            f"`{entry.tool}` is not satisfied: every attempt {what}"
            + (f" ({last.call.error})." if last.call.error else "."),
            call=last.index,
            turn=last.turn,
            expected=entry.label,
            observed=f"{last.label}: {last.call.error or what}",
        )
    wrong = [call for call in fine if call.index not in row.perhaps]
    if not wrong:
        needed = entry.least
        return evidence(
            "missing_call",
            "failed",
            entry.pointer,
            f"`{entry.tool}` was called {times(len(fine))}; "
            + (
                f"{needed} calls are required." if needed > 1 else "no call is left for this entry."
            ),
            expected=entry.label,
            observed=calls_in_words(len(fine)),
        )
    here = [call for call in wrong if entry.turn in (None, call.turn)]
    if entry.turn is not None and not here:
        return evidence(
            "wrong_turn",
            "failed",
            entry.pointer,
            f"`{entry.tool}` was called in turn {wrong[0].turn + 1}, not in turn {entry.turn + 1}.",
            call=wrong[0].index,
            turn=wrong[0].turn,
            expected=f"{entry.label} in turn {entry.turn + 1}",
            observed=f"turn {wrong[0].turn + 1}",
        )
    return _wrong_argument(entry, here, sight)


def _wrong_argument(entry: Entry, calls: list[SeenCall], sight: Sight) -> Evidence:
    def misses(call: SeenCall) -> list[int]:
        sight.before = call.index
        return [i for i, a in enumerate(entry.args) if argument_meets(a, call.args, sight) is False]

    nearest = min(calls, key=lambda call: (len(misses(call)), call.index))
    parts = []
    for i in misses(nearest):
        argument = entry.args[i]
        value = nearest.args.get(argument.name, MISSING)
        parts.append(f"{argument.name} is {shown(value)}, expected {argument.expected}")
    return evidence(
        "wrong_argument",
        "failed",
        entry.pointer,
        f"{nearest.label} was called, but {'; '.join(parts)}.",
        call=nearest.index,
        turn=nearest.turn,
        expected=entry.label,
        observed=f"{nearest.call.name} {shown(nearest.call.args)}",
    )
