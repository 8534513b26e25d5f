"""Every stored run under both truths; nothing is scored whose verdict cannot have moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import AssayError
from assay.intake.runs.case_ids import known_cases, resolve_cases
from assay.intake.runs.read import read_runs
from assay.ledger.repository import Repository
from assay.models.case import CaseAttributes, EvalCase
from assay.models.compiled import EffectiveTruth
from assay.models.result import CaseResult, Context
from assay.models.run import ObservedRun
from assay.models.verdict import Verdict
from assay.pipeline.direct import from_repository
from assay.pipeline.naming import StoredRun, all_runs
from assay.reviewing.impact import Both, Under
from assay.reviewing.sides import Side
from assay.scoring.case import Scorer
from assay.scoring.run import SuiteTruth, score_run
from assay.scoring.selection import Selection

_EVERY = Selection(allow_empty=True)

_PARTS = ("truth", "cases", "policies", "weights", "split", "verdicts")
"""Parts of the context of a result that must agree before two are compared."""


@dataclass(frozen=True)
class Pair:
    """What the runs of one suite are scored against on both sides."""

    before: SuiteTruth
    """At the base."""
    after: SuiteTruth
    """At the head."""
    same_eyes: bool
    """Whether both read runs alike: rename map, language, models, verdicts, weights."""

    @property
    def moved(self) -> tuple[str, ...]:
        """Parts of the context that are another one."""
        first, second = self.before.context, self.after.context
        return tuple(name for name in _PARTS if _part(first, name) != _part(second, name))

    def unchanged(self) -> frozenset[str]:
        """Cases whose verdicts cannot have moved, whatever a run did."""
        if not self.same_eyes:
            return frozenset()
        old = {truth.case_id: truth for truth in self.before.truths}
        return frozenset(
            truth.case_id
            for truth in self.after.truths
            if truth.case_id in old and self._same(old[truth.case_id], truth)
        )

    def _same(self, old: EffectiveTruth, new: EffectiveTruth) -> bool:
        name = new.case_id
        return (
            _standing(old) == _standing(new)
            and self.before.cases.get(name) == self.after.cases.get(name)
            and self.before.attributes(name) == self.after.attributes(name)
            and self.before.reference_date(name) == self.after.reference_date(name)
        )

    @property
    def nothing_moved(self) -> bool:
        """Whether every result of the suite is the same on both sides."""
        before, after = self.before, self.after
        return (
            self.same_eyes
            and [truth.case_id for truth in before.truths]
            == [truth.case_id for truth in after.truths]
            and len(self.unchanged()) == len(after.truths)
            and before.elsewhere == after.elsewhere
        )


def _part(context: Context, name: str) -> object:
    return getattr(context, name)


def _standing(truth: EffectiveTruth) -> tuple[object, ...]:
    record = truth.record
    return (
        truth.content_hash,
        record.status if record is not None else None,
        truth.gates,
        tuple(item.code for item in truth.exclusions),
    )


def pairs(base: Side, head: Side) -> dict[str, Pair]:
    """Suites that are on both sides, by name."""
    found = {}
    first, second = base.world.repository, head.world.repository
    for name in sorted(first.suites.keys() & second.suites.keys()):
        # Equal cases are divided equally; whether they are is a question of one pass.
        placed = _divided(first, name) != _divided(second, name)
        before = from_repository(first, base.compiled, name, placed=placed)
        after = from_repository(second, head.compiled, name, placed=placed)
        people = first.people.model, second.people.model
        same = (
            first.names.digest == second.names.digest
            and first.suites[name].suite.language == second.suites[name].suite.language
            and (people[0].models, people[0].route_prefixes)
            == (people[1].models, people[1].route_prefixes)
            and before.context.verdicts == after.context.verdicts
            and before.context.weights == after.context.weights
        )
        found[name] = Pair(before, after, same)
    return found


def _divided(repository: Repository, name: str) -> tuple[object, ...]:
    """Everything that the split of a suite depends on."""
    suite = repository.suites[name]
    cases = {case_id: stored.case for case_id, stored in suite.cases.items()}
    return cases, suite.suite.cases, repository.params.model.split


@dataclass(frozen=True)
class Recalling(Scorer):
    """A scorer that takes the verdicts of unchanged cases from the other side."""

    known: Mapping[tuple[str, int], CaseResult] = field(default_factory=dict)
    """Case and trial to the line on the other side."""

    def score(
        self,
        truth: EffectiveTruth,
        case: EvalCase | None,
        attributes: CaseAttributes | None,
        reference_date: str | None,
        run: ObservedRun,
        verdicts: Mapping[str, Sequence[Verdict]],
    ) -> CaseResult:
        """The verdict of a case, from memory where it cannot be another one."""
        line = self.known.get((truth.case_id, run.trial))
        if line is None or truth.record is None:
            return super().score(truth, case, attributes, reference_date, run, verdicts)
        return line.model_copy(update={"revision": truth.record.revision})


def score_both(root: Path, found: Mapping[str, Pair]) -> Iterator[Both]:
    """Every stored run of these suites, by suite and name.

    Args:
        root: folder whose ``runs/`` are taken.
        found: suite to what is scored against.
    """
    quiet = {name: pair.nothing_moved for name, pair in found.items()}
    for stored in all_runs(root):
        pair = found.get(stored.suite)
        if pair is None:
            continue
        if quiet[stored.suite]:
            yield Both(stored.suite, stored.run, None, None, scored=False)
        else:
            yield _both(stored, pair)


def _both(stored: StoredRun, pair: Pair) -> Both:
    try:
        entries = read_runs(stored.path).runs
        before = _under(stored, entries, pair.before)
        unchanged = pair.unchanged()
        known = {
            (line.case_id, line.trial): line for line in before.lines if line.case_id in unchanged
        }
        scorer = pair.after.scorer
        recalling = Recalling(
            scorer.names,
            scorer.language,
            scorer.same_model,
            scorer.weights,
            scorer._compiled,  # Records are made ready once for all runs.
            scorer._judges,
            known,
        )
        after = _under(stored, entries, replace(pair.after, scorer=recalling))
    except AssayError as error:
        return Both(stored.suite, stored.run, None, None, problem=error.message)
    return Both(stored.suite, stored.run, before, after)


def _under(stored: StoredRun, entries: Sequence[ObservedRun], against: SuiteTruth) -> Under:
    mine = resolve_cases(entries, known_cases([against.suite]))
    # A file of the repository holds one run; its name is that of the file.
    names = sorted({entry.run for entry in mine}) or [stored.run]
    lines, result = score_run(
        names[0], [entry for entry in mine if entry.run == names[0]], against, _EVERY
    )
    return Under(result, lines)
