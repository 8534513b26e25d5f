"""Labels are proved: what does right passes, and what does nothing or one thing wrong fails."""

from __future__ import annotations

from collections.abc import Iterable

from assay.checks.proving import proofs
from assay.checks.rule import Found, Rule, at
from assay.checks.world import World
from assay.models.result import CaseResult, Evidence

PREREQUISITES = (
    "MAT001",
    "REC005",
    "REC006",
    "REC009",
    "REC010",
    "TOL004",
    "TOL005",
    "TOL008",
)
"""Faults of a label for which it proves nothing."""


def _first_reason(result: CaseResult) -> Evidence | None:
    """The first thing in the basis that speaks against a run."""
    for outcome in ("failed", "error", "not_evaluated"):
        for component in result.components:
            for piece in component.evidence if component.in_basis else ():
                if piece.outcome == outcome:
                    return piece
    return None


class PRF001(Rule):
    """A run that does what the label asks for does not pass it.

    Two expectations contradict each other; no agent can pass.

    Change one of the expectations that are named.
    """

    severity = "error"
    reads = ("catalog",)
    needs = PREREQUISITES

    def find(self, world: World) -> Iterable[Found]:
        """Labels that their own oracle run fails."""
        for judged, proof in proofs(world).proved:
            if proof.oracle is None or proof.oracle.outcome == "passed":
                continue
            reason = _first_reason(proof.oracle)
            why = reason.message if reason else "nothing in it decides."
            pointer = reason.pointer if reason else ""
            message = f"A run that does all that is asked for does not pass: {why}"
            yield at(judged, pointer, message, "change one of the expectations that contradict")
        crash = proofs(world).crash
        if crash is not None:
            raise crash  # The runner makes a finding of it; the others are out already.


class PRF002(Rule):
    """A run that does nothing passes the label.

    Whatever an agent does is then right, and a broken one scores.

    Add what must be different afterwards, or what the answer must state.
    """

    severity = "error"
    waivable = False
    reads = ("catalog",)
    needs = PREREQUISITES

    def find(self, world: World) -> Iterable[Found]:
        """Labels that a run without calls and answer passes."""
        for judged, proof in proofs(world).proved:
            if proof.do_nothing.outcome == "passed":
                pointer = proof.holds_at_start[0] if proof.holds_at_start else ""
                yield at(
                    judged,
                    pointer,
                    "Vacuous: a run without any call and without an answer passes.",
                    "add a fact, a required tool, or a state that does not hold at the start",
                )


class PRF003(Rule):
    """A run that only says the question again passes the label.

    The expected words stand in the question.

    Ask for something that the question does not say.
    """

    severity = "error"
    waivable = False
    reads = ("catalog",)
    needs = (*PREREQUISITES, "PRF002")

    def find(self, world: World) -> Iterable[Found]:
        """Labels that an echo of the question passes."""
        for judged, proof in proofs(world).proved:
            if proof.echo.outcome == "passed":
                record = judged.record
                pointer = "/facts" if record.facts else "/acceptable_answers"
                yield at(
                    judged,
                    pointer if record.facts or record.acceptable_answers else "",
                    "A run that only says the question again passes.",
                    "add a fact or a tool that the question does not give away",
                )


class PRF004(Rule):
    """A run with one required element removed or changed passes the label.

    The element decides nothing, so an agent that gets it wrong passes.

    Make the expectation stricter, or take it out.
    """

    severity = "error"
    reads = ("catalog",)
    needs = (*PREREQUISITES, "PRF001", "PRF002")

    def find(self, world: World) -> Iterable[Found]:
        """Expectations that a run may break and still pass."""
        for judged, proof in proofs(world).proved:
            for survivor in proof.survivors:
                yield at(
                    judged,
                    survivor.pointer,
                    f"A run in which {survivor.flaw} passes all the same.",
                    "make this expectation stricter, or remove it",
                )


class PRF005(Rule):
    """An expectation of the state holds before anything was done.

    It says nothing about what the agent did; as an invariant it should say so.

    Write `"unchanged": true` in its place, where that is meant.
    """

    severity = "note"
    needs = (*PREREQUISITES, "PRF002")

    def find(self, world: World) -> Iterable[Found]:
        """State checks that hold in the initial state."""
        for judged, proof in proofs(world).proved:
            for pointer in proof.holds_at_start:
                check = (judged.record.state or ())[int(pointer.split("/")[2])]
                yield at(
                    judged,
                    pointer,
                    f"`{check.path or '/'}` is so before anything was done.",
                    f'write {{"path": "{check.path}", "unchanged": true}} if nothing may change it',
                )


class PRF006(Rule):
    """The label is not proved, or not in full.

    No run can be built from it, so that whether it can be passed at all is only seen when an
    agent passes it; or it asks for so much that only a part of the flawed runs was tried.

    Give a witness: a small run that must pass, and one that must fail.
    """

    severity = "note"
    needs = PREREQUISITES

    def find(self, world: World) -> Iterable[Found]:
        """Labels without an oracle run, and why there is none; labels too large to prove."""
        for judged, proof in proofs(world).proved:
            if proof.in_part:
                message = f"Proved in part: only the first {proof.mutants} flawed runs were tried."
                yield at(judged, "", message, "split the case into smaller ones")
            only_rubric = proof.unproved == ("rubric",) and proof.oracle is None
            if proof.not_built and not only_rubric and judged.record.witnesses is None:
                yield at(
                    judged,
                    "",
                    f"Not proved: {proof.not_built}.",
                    "add `witnesses` with a run to accept and one to reject",
                )


class PRF007(Rule):
    """A witness is judged otherwise than the record says.

    Either the label does not mean what its author meant, or the witness is wrong.

    Correct the one or the other.
    """

    severity = "error"
    reads = ("catalog",)
    needs = PREREQUISITES

    def find(self, world: World) -> Iterable[Found]:
        """Witnesses to accept that do not pass, and to reject that do not fail."""
        for judged, proof in proofs(world).proved:
            for witness in proof.witnesses:
                if witness.as_it_must:
                    continue
                wanted = "pass" if "/accept/" in witness.pointer else "fail"
                reason = _first_reason(witness.result)
                came = witness.result.outcome.replace("_", " ")
                why = f": {reason.message}" if reason and wanted == "pass" else "."
                message = f"This witness must {wanted} and is {came}{why}"
                yield at(judged, witness.pointer, message, "correct the label or the witness")
