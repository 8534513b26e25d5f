"""What an explanation is made of."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.models.case import EvalCase
from assay.models.compiled import Exclusion
from assay.models.result import CaseResult
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.reporting.judging import Standing, standings


@dataclass(frozen=True)
class WhyInput:
    """One case and one run."""

    suite: str
    """The case's suite."""
    case_id: str
    """The case."""
    run: str
    """The run."""
    case: EvalCase | None = None
    """What was asked; none where the case is gone."""
    revisions: Sequence[TruthRecord] = ()
    """All revisions of the record, in any order."""
    revision: int | None = None
    """The revision that counts; that of the result where absent."""
    path: str = ""
    """File of the revision that counts."""
    result: CaseResult | None = None
    """The verdict; none where the case is excluded or the run has no entry for it."""
    observed: ObservedRun | None = None
    """What the run did, in the trial of `result`."""
    exclusions: Sequence[Exclusion] = ()
    """Why the case cannot be scored today."""
    peers: Sequence[CaseResult] = ()
    """Results of all runs on this case, all trials; this run may be among them or not."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """Clause to its text, for those the record relies on."""
    label_suspected: bool = False
    """Whether several candidates agree against the label."""
    result_id: str = ""
    """The eight characters that name the result this verdict is part of."""
    today: str = ""
    """The day that everything was judged at."""
    nearness: str = ""
    """How near the plan in words is to the run's, by a local model where one is installed."""
    benchmark: str = ""
    """The benchmark's folder, where commands are typed somewhere else."""

    @property
    def counting(self) -> int | None:
        """Number of the revision that counts."""
        if self.revision is not None:
            return self.revision
        return self.result.revision if self.result else None

    @property
    def record(self) -> TruthRecord | None:
        """The revision that counts."""
        wanted = self.counting
        return next((r for r in self.revisions if r.revision == wanted), None)

    @property
    def everybody(self) -> list[Standing]:
        """All runs on this case, this one included, by name."""
        lines = {(line.run, line.trial): line for line in self.peers}
        if self.result is not None:
            lines.setdefault((self.result.run, self.result.trial), self.result)
        return standings(lines[key] for key in sorted(lines))


def trial_to_explain(lines: Sequence[CaseResult], run: str) -> CaseResult | None:
    """Of the trials of a run on one case the first of the gravest verdict; none without one."""
    own = standings(line for line in lines if line.run == run)
    if not own:
        return None
    return next(line for line in own[0].trials if line.outcome == own[0].outcome)


def next_commands(why: WhyInput) -> list[tuple[str, str]]:
    """What to type next, with what it does."""
    commands = _commands(why)
    if why.benchmark:
        there = f"assay -C {shlex.quote(why.benchmark)} "
        commands = [(there + text.removeprefix("assay "), remark) for text, remark in commands]
    return commands


def _commands(why: WhyInput) -> list[tuple[str, str]]:
    case, run = why.case_id, why.run
    if why.exclusions or why.record is None:
        return [(f"assay truth show {case}", "the record with all revisions")]
    if why.result is None:
        return [(f"assay score --runs runs/{run} --only {case}", "to score it")]
    commands = []
    if why.result.outcome == "failed":
        dispute = f'assay dispute {case} --run {run} --why "…"'
        commands.append((dispute, "if the label is wrong"))
    commands.append((f"assay truth show {case}", "the record with all revisions"))
    return commands
