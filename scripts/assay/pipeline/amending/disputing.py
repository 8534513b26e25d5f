"""Putting a label in doubt, with what a run did as evidence; taking a case out of use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import RefusedError, UsageError
from assay.ledger.editing import Draft, latest_of, next_revision
from assay.ledger.layout import QUARANTINE, WAIVERS
from assay.ledger.repository import Repository
from assay.ledger.signers import adjudicator, adjudicators, require_person
from assay.models.base import JsonValue
from assay.pipeline.amending.preview import reason_of
from assay.pipeline.explaining import explain
from assay.reporting.judging import Standing
from assay.reporting.why import WhyInput
from assay.reporting.words import count


@dataclass(frozen=True)
class Written:
    """A revision, and what should be known beside it."""

    draft: Draft
    """The revision."""
    notes: tuple[str, ...] = ()
    """Sentences."""


def dispute(
    repository: Repository,
    case_id: str,
    why: Sequence[str],
    *,
    run: str | None = None,
    by: str | None = None,
) -> Written:
    """The revision that puts a label in doubt.

    Args:
        repository: the records.
        case_id: the case.
        why: the reason, in sentences.
        run: a run that speaks against the label: its name, the id of a result, or a file.
        by: handle of who disputes it.

    Raises:
        UsageError: no such case, run or person.
        RefusedError: the record is retired.
    """
    stored = latest_of(repository, case_id)
    rationale: list[JsonValue] = list(why)
    changes: dict[str, JsonValue] = {"status": "disputed", "change": "dispute"}
    if by is not None:
        require_person(repository, by)
        rationale.append(f"Disputed by {by}.")
    notes: tuple[str, ...] = ()
    if run is not None:
        seen = explain(repository, case_id, run, None)
        did = what_the_run_did(seen)
        notes = others(seen)
        changes["evidence"] = list(dict.fromkeys([*stored.record.evidence, did]))
    changes["rationale"] = rationale
    return Written(next_revision(repository, case_id, changes), notes)


def what_the_run_did(seen: WhyInput) -> str:
    """What a run came to on the case, in a sentence that can stand as evidence."""
    if seen.result is None:
        return f"Run {seen.run} has no verdict on {seen.case_id}."
    calls = [call.name for _, call in seen.observed.tool_calls] if seen.observed else []
    called = f"called {', '.join(calls)}" if calls else "called no tool"
    verdict = {"passed": "passed", "failed": "failed", "error": "ended with an error"}.get(
        seen.result.outcome, "was not evaluated"
    )
    reason = reason_of(seen.result)
    number = f" under revision {seen.counting}" if seen.counting else ""
    return f"Run {seen.run} {called} and {verdict}{number}{f': {reason}' if reason else '.'}"


def others(seen: WhyInput) -> tuple[str, ...]:
    """Whether other agents fail alike: if most do, the label is the likelier fault."""
    rest = [standing for standing in seen.everybody if standing.run != seen.run]
    if not rest:
        return ("No other run has this case.",)
    failing = [standing for standing in rest if standing.outcome == "failed"]
    if not failing:
        return (f"None of the {count(len(rest), 'other run')} fails: look at the agent first.",)
    mine = _tags(seen.everybody, seen.run)
    alike = [standing.run for standing in failing if mine and _tags([standing], "") & mine]
    names = ", ".join(standing.run for standing in failing)
    some = "" if not alike else f"; for the same reason: {', '.join(alike)}"
    too = " too" if seen.result is not None and seen.result.outcome == "failed" else ""
    return (f"{len(failing)} of {count(len(rest), 'other run')} fail{too}: {names}{some}.",)


def _tags(standings: Sequence[Standing], run: str) -> frozenset[str]:
    return frozenset(
        tag
        for standing in standings
        if not run or standing.run == run
        for line in standing.trials
        if line.outcome == "failed"
        for tag in line.tags
    )


def retire(
    repository: Repository,
    case_id: str,
    why: Sequence[str],
    *,
    signer: str | None = None,
) -> Written:
    """The last revision of a record.

    Args:
        repository: the records.
        case_id: the case.
        why: the reason, in sentences.
        signer: handle of the adjudicator; the one that can be told where absent.

    Raises:
        UsageError: no such case or person, or nobody can be told to sign.
        RefusedError: the record is retired already.
    """
    stored = latest_of(repository, case_id)
    if stored.record.status == "retired":
        raise RefusedError(
            f"`{case_id}` is retired already, since revision {stored.revision}.",
            hint=f"assay truth history {case_id}",
        )
    day = repository.params.model.today
    who = adjudicator(repository, stored, day, signer)
    if who is None:
        able = adjudicators(repository, stored, day)
        raise UsageError(
            "An adjudicator signs for the end of a case, and the record names none who can.",
            hint=f"--adjudicator: {', '.join(able) or 'nobody can; see truth/people.yaml'}",
        )
    changes: dict[str, JsonValue] = {
        "status": "retired",
        "change": "retire",
        "rationale": list(why),
        "adjudicator": who,
    }
    return Written(next_revision(repository, case_id, changes), _left_behind(repository, case_id))


def _left_behind(repository: Repository, case_id: str) -> tuple[str, ...]:
    """What else names the case and has to go with it."""
    notes = ["Retired is final: the id is never used again, and past results stay as they are."]
    params = repository.params.model
    if case_id in params.gate.require.cases:
        notes.append("params.yaml requires this case for the gate: take it from `gate.require`.")
    if any(waiver.case == case_id for waiver in repository.waivers.model.waivers):
        notes.append(f"{WAIVERS} has a waiver for it, which is then needed no longer.")
    if any(entry.case == case_id for entry in repository.quarantine.model.quarantine):
        notes.append(f"{QUARANTINE} has an entry for it, which is then needed no longer.")
    return tuple(notes)
