"""Recorded verdicts: whether they are what they say, and whether the judge may judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, nearest, of_fault
from assay.checks.world import World
from assay.ledger.verdicts import StoredVerdict
from assay.models.truth import Criterion, TruthRecord


class VER001(Rule):
    """A line of recorded verdicts is no verdict.

    It counts for nothing, and the criterion is not evaluated.

    Write what the hint says, or remove the line.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Lines below ``verdicts/`` that cannot be read."""
        for file in world.verdict_files:
            for fault in file.faults:
                yield of_fault(fault)


def _verdicts(world: World) -> Iterator[tuple[str, StoredVerdict, TruthRecord | None]]:
    """Suite, verdict, and the record of its case that counts."""
    for file in world.verdict_files:
        for stored in file.verdicts:
            if world.looks_at(stored.verdict.case_id):
                counting = world.counting.get(stored.verdict.case_id)
                yield file.suite, stored, counting.record if counting else None


def _criterion(record: TruthRecord | None, name: str) -> Criterion | None:
    for criterion in record.rubric if record is not None else ():
        if criterion.id == name:
            return criterion
    return None


def _at(suite: str, stored: StoredVerdict, pointer: str, message: str, hint: str) -> Found:
    case_id = stored.verdict.case_id
    return Found(message, hint, stored.path, stored.line, 1, pointer, case_id, suite)


class VER002(Rule):
    """A verdict is about a case or criterion that does not exist.

    It counts for nothing; the criterion that it was meant for is not evaluated.

    Correct the name; or leave it, where a later revision dropped the criterion.
    """

    severity = "warning"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Verdicts whose case the suite lacks or whose criterion the record lacks."""
        for suite, stored, record in _verdicts(world):
            verdict = stored.verdict
            cases = world.repository.suites[suite].cases
            if verdict.case_id not in cases:
                message = f"There is no case `{verdict.case_id}` in {suite}."
                yield _at(suite, stored, "/case_id", message, nearest(verdict.case_id, cases))
            elif record is not None and _criterion(record, verdict.criterion) is None:
                known = [criterion.id for criterion in record.rubric]
                yield _at(
                    suite,
                    stored,
                    "/criterion",
                    f"The record of {verdict.case_id} has no criterion `{verdict.criterion}`.",
                    nearest(verdict.criterion, known),
                )


class VER003(Rule):
    """The judge drafted the label, or is the model that ran.

    It would find in its own words what it expects. Models are compared over all spellings and
    route prefixes; one that is not named may be any, so it is not trusted.

    Let another model or a person judge.
    """

    severity = "error"
    scope = "nothing"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Verdicts by a model that drafted the record or made the run."""
        for suite, stored, record in _verdicts(world):
            verdict = stored.verdict
            if verdict.judge_kind != "model":
                continue
            drafter = record.drafted_by if record is not None else None
            if drafter is not None and _same(world, drafter, verdict.judge):
                message = f"The judge `{verdict.judge}` drafted the label (`{drafter}`)."
                if not drafter.strip():
                    message = "The label does not name its drafter; it may be its own judge."
                hint = f"assay truth show {verdict.case_id}   then let somebody else judge"
                yield _at(suite, stored, "/judge", message, hint)
            models = world.models_of_run(suite, verdict.run) or {}
            for model in models.get((verdict.case_id, verdict.trial), ()):
                if world.who.same_model(model, verdict.judge):
                    message = f"The judge `{verdict.judge}` is the model that ran (`{model}`)."
                    if model is None:
                        message = f"{verdict.run} does not name its model; it may be its own judge."
                    hint = "let another model or a person judge; name the model in the run"
                    yield _at(suite, stored, "/judge", message, hint)


def _same(world: World, drafter: str, judge: str) -> bool:
    """Whether a model drafted the label that it judges; a person is no model."""
    return not world.who.known(drafter) and world.who.same_model(drafter, judge)


class VER004(Rule):
    """The verdict is none of the criterion's labels.

    It counts as not evaluated: neither met nor not met.

    Write one of the labels, or record the verdict again.
    """

    severity = "warning"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Verdicts whose text the criterion does not permit."""
        for suite, stored, record in _verdicts(world):
            verdict = stored.verdict
            criterion = _criterion(record, verdict.criterion)
            if criterion is None or verdict.verdict is None:
                continue
            if verdict.verdict not in criterion.labels:
                yield _at(
                    suite,
                    stored,
                    "/verdict",
                    f"`{verdict.verdict}` is no label of `{criterion.id}`: not evaluated.",
                    f"write one of {', '.join(criterion.labels)}",
                )


class VER005(Rule):
    """The judge is not in ``truth/people.yaml``, or may not judge.

    Nobody can say how well it agrees with people, or that it is not the model that ran.

    Add the person, or the model with `may: [judge]`.
    """

    severity = "error"
    scope = "nothing"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Verdicts by unknown people, and by models that may not judge."""
        for suite, stored, _ in _verdicts(world):
            judge = stored.verdict.judge
            if stored.verdict.judge_kind == "person":
                if not world.who.known(judge):
                    hint = nearest(judge, world.who.people.people)
                    message = f"`{judge}` is not in truth/people.yaml."
                    yield _at(suite, stored, "/judge", message, hint)
                continue
            model = world.who.model(judge)
            if model is None or "judge" not in model.may:
                reason = "is not in truth/people.yaml" if model is None else "may not judge"
                message = f"The model `{judge}` {reason}."
                hint = "add it to `models` in truth/people.yaml with `may: [judge]`"
                yield _at(suite, stored, "/judge", message, hint)
