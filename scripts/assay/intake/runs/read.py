"""From a file of traces to observed runs: format, cases, trials, names, findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from assay.errors import InputError
from assay.intake.codes import sorted_findings
from assay.intake.document import Document, open_document
from assay.intake.ids import file_name
from assay.intake.node import Node, shorten
from assay.intake.runs.case_ids import CaseIds
from assay.intake.runs.format import Format
from assay.intake.runs.formats.records.native import read_run
from assay.intake.runs.imported import ALL_FIELDS, RawRun, RunImport
from assay.models.run import ObservedPlanStep, ObservedRun, RunField


@dataclass
class Trials:
    """Hands out trials; shared by all files of one import."""

    taken: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Case id to the trials that are in use."""

    def take(self, case_id: str, trial: int | None) -> int | None:
        """The trial of a run: its own, else the first free one. None where it is taken."""
        used = self.taken[case_id]
        if trial is None:
            trial = next(number for number in range(len(used) + 1) if number not in used)
        elif trial in used:
            return None
        used.add(trial)
        return trial


@dataclass(frozen=True)
class RunOptions:
    """What the caller knows and the file does not tell."""

    run: str | None = None
    """Name of the run; made from the file's name when absent."""
    agent: str | None = None
    """Name of the agent; wins over the file."""
    model: str | None = None
    """Name of the model; wins over the file."""
    policy: str | None = None
    """The policy version that the agent was given."""
    case_ids: CaseIds = field(default_factory=CaseIds)
    """How the case is found."""


def read_runs(
    path: Path,
    format: str | None = None,
    run: str | None = None,
    *,
    name: str | None = None,
    options: RunOptions | None = None,
    trials: Trials | None = None,
) -> RunImport:
    """Read a file of traces.

    Args:
        path: the file.
        format: its format; found out when absent.
        run: name of the run; made from the file's name when absent.
        name: the file's name for messages.
        options: agent, model and case ids, where the caller knows them.
        trials: trials that other files of the same import took already.

    Raises:
        InputError: the file cannot be read or has no format that is known; what is wrong with a
            single run is a finding.
        UsageError: there is no such format.
    """
    # The formats are many; who reads only a table need not wait for them.
    from assay.intake.runs.registry import detect, format_named, opener

    chosen = options or RunOptions()
    if run is not None:
        chosen = replace(chosen, run=run)
    wanted = format_named(format) if format is not None else None
    label = name or path.as_posix()
    own = wanted if wanted is not None and wanted.load is not None else opener(path)
    if own is not None and own.load is not None:
        document = own.load(path, label)
    else:
        document = open_document(path, name=name)
    source = document.source
    with source.placed():
        used = wanted or own or detect(document)
        if used.load is not None and used is not own:
            document = used.load(path, label)
            source = document.source
        return read_document(document, used, chosen, trials)


def read_document(
    document: Document, used: Format, options: RunOptions, trials: Trials | None = None
) -> RunImport:
    """Read a file that is open already, and whose format is known; see `read_runs`."""
    source = document.source
    with source.placed():
        reader = _Reader(document, options, trials if trials is not None else Trials())
        reader.read(used)
    unknown = {part for run_ in reader.runs for part in run_.unknown}
    return RunImport(
        runs=tuple(sorted(reader.runs, key=lambda item: (item.case_id, item.trial))),
        format=used.name,
        read=len(reader.runs),
        dropped=dict(sorted(source.dropped.items())),
        unknown=tuple(part for part in ALL_FIELDS if part in unknown),
        findings=sorted_findings(source.findings()),
    )


class _Reader:
    """Reads one file, run by run."""

    def __init__(self, document: Document, options: RunOptions, trials: Trials) -> None:
        self.document = document
        self.source = document.source
        self.options = options
        self.trials = trials
        self.run_name = options.run or file_name(document.source.name)
        self.runs: list[ObservedRun] = []

    def read(self, used: Format) -> None:
        """Read every run that can be read; one that cannot becomes a finding and is counted."""
        if used.read is None:
            for record in self.document.records:
                self.guard(record, partial(self.native, record))
            return
        for record, reader in used.read(self.document):
            self.guard(record, partial(self.foreign, record, reader, used.name))

    def guard(self, record: Node, step: Callable[[], None]) -> None:
        try:
            step()
        except InputError as error:
            self.source.drop("run that cannot be read")
            self.source.failed(error, "IRU002")
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            self.source.drop("run that cannot be read")
            self.source.note("IRU002", f"`{where}`: {first['msg']}.", node=record)

    def native(self, record: Node) -> None:
        run = read_run(record)
        changes = {
            "run": self.options.run or run.run,
            "agent": self.options.agent or run.agent,
            "model": self.options.model or run.model,
            "policy": self.options.policy or run.policy,
        }
        case_id = self.options.case_ids.mapping.get(run.case_id, run.case_id)
        if self.trials.take(case_id, run.trial) is None:
            self.doubled(record, case_id, run.trial)
            return
        self.runs.append(run.model_copy(update={**changes, "case_id": case_id}))

    def foreign(self, record: Node, reader: Callable[[Node], RawRun], used: str) -> None:
        raw = reader(record)
        case_id, guessed = self.options.case_ids.of(raw.record, raw.case_id)
        if guessed:
            self.source.note(
                "IRU005",
                f"The format names no case; the file's name was taken: {shorten(case_id)}.",
                node=raw.record,
                hint="name it with --case-id-from",
            )
        trial = self.trials.take(case_id, raw.trial)
        if trial is None:
            self.doubled(raw.record, case_id, raw.trial)
            return
        self.runs.append(self.run(raw, used, case_id, trial))

    def doubled(self, record: Node, case_id: str, trial: int | None) -> None:
        self.source.drop("second run of one case and trial")
        self.source.note(
            "IRU006",
            f"Case {shorten(case_id)}, trial {trial}, stands there twice; the first one is kept.",
            node=record,
            case_id=case_id,
            hint="import the other one under another name: --run NAME",
        )

    def run(self, raw: RawRun, used: str, case_id: str, trial: int) -> ObservedRun:
        agent = self.options.agent or raw.agent
        model = self.options.model or raw.model
        told: tuple[tuple[RunField, object], ...] = (
            ("agent", agent),
            ("model", model),
            ("started_at", raw.started_at),
            ("tokens", raw.tokens_in if raw.tokens_in is not None else raw.tokens_out),
            ("cost", raw.cost),
        )
        unknown = raw.unknown | {part for part, value in told if value is None}
        unknown -= {part for part, value in told if value is not None}
        return ObservedRun(
            run=self.run_name,
            case_id=case_id,
            trial=trial,
            trace_id=raw.trace_id,
            agent=agent,
            model=model,
            started_at=raw.started_at,
            policy=self.options.policy or raw.policy,
            turns=tuple(turn.finished() for turn in raw.turns),
            final_answer=raw.final_answer,
            final_state=raw.final_state,
            planning_steps=tuple(
                ObservedPlanStep(agent=agent_, instruction=words)
                for agent_, words in raw.planning_steps
            ),
            arguments_as_text=raw.arguments_as_text,
            infrastructure_errors=tuple(raw.infrastructure_errors),
            tokens_in=raw.tokens_in,
            tokens_out=raw.tokens_out,
            cost=raw.cost,
            unknown=tuple(part for part in ALL_FIELDS if part in unknown),
            format=used,
            outcome_given=None if raw.outcome is None else "passed" if raw.outcome else "failed",
            score_given=raw.score,
            slice_given=raw.slice,
            cluster_given=raw.cluster,
        )
