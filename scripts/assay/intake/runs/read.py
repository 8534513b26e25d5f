"""From a file of traces to observed runs: format, cases, trials, names, findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from assay.errors import InputError
from assay.intake.codes import sorted_findings
from assay.intake.document import Document
from assay.intake.ids import file_name
from assay.intake.node import Node, Source, shorten
from assay.intake.opening.stream import Stream, Watch
from assay.intake.runs.blame import agents_end
from assay.intake.runs.case_ids import CaseIds
from assay.intake.runs.disguised import failure, refusal
from assay.intake.runs.format import Format
from assay.intake.runs.formats.records.native import read_run
from assay.intake.runs.imported import ALL_FIELDS, RawRun, RunImport
from assay.intake.runs.trials import Trials
from assay.models.finding import Finding
from assay.models.run import ObservedPlanStep, ObservedRun, RunField


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


@dataclass(frozen=True)
class FileRead:
    """What one file gave, beside its runs."""

    format: str
    """The format that the file has."""
    read: int
    """Number of runs."""
    dropped: dict[str, int]
    """What was left out, by rule."""
    unknown: tuple[RunField, ...]
    """What the file does not tell of at least one run."""
    findings: tuple[Finding, ...]
    """What a person should know."""


def read_runs(
    path: Path,
    format: str | None = None,
    run: str | None = None,
    *,
    name: str | None = None,
    options: RunOptions | None = None,
    trials: Trials | None = None,
) -> RunImport:
    """Read a file of traces, all of it; a line that is no JSON is an error.

    Args:
        path: the file.
        format: its format; found out when absent.
        run: name of the run; made from the file's name when absent.
        name: the file's name for messages.
        options: agent, model and case ids, where the caller knows them.
        trials: trials that other files of the same run took already.

    Raises:
        InputError: the file cannot be read or has no format that is known; what is wrong with a
            single run is a finding.
        UsageError: there is no such format.
    """
    chosen = options or RunOptions()
    if run is not None:
        chosen = replace(chosen, run=run)
    shared = trials if trials is not None else Trials()
    runs: list[ObservedRun] = []
    told = read_file(path, chosen, runs.append, format=format, name=name, trials=lambda run: shared)
    return _imported(runs, told)


def read_document(document: Document, used: Format, options: RunOptions) -> RunImport:
    """Read a file that is open already, and whose format is known; see `read_runs`."""
    shared = Trials()
    runs: list[ObservedRun] = []
    reader = _Reader(document.source, options, runs.append, lambda run: shared, str, False)
    return _imported(runs, reader.all_of(used, document))


def _imported(runs: list[ObservedRun], told: FileRead) -> RunImport:
    return RunImport(
        runs=tuple(sorted(runs, key=lambda item: (item.case_id, item.trial))),
        format=told.format,
        read=told.read,
        dropped=told.dropped,
        unknown=told.unknown,
        findings=told.findings,
    )


def read_file(
    path: Path,
    options: RunOptions,
    sink: Callable[[ObservedRun], None],
    *,
    trials: Callable[[str], Trials],
    resolve: Callable[[str], str] = str,
    format: str | None = None,
    name: str | None = None,
    lenient: bool = False,
    watch: Watch | None = None,
) -> FileRead:
    """Read a file of traces run by run, in memory that does not grow with it where it can.

    Args:
        path: the file.
        options: what the caller knows.
        sink: takes every run, in the order in which they stand.
        trials: name of a run to the trials that it took already.
        resolve: gives our id of a case for the one that the trace names.
        format: its format; found out when absent.
        name: the file's name for messages.
        lenient: whether lines that are broken or have another format are findings, and what
            stands before a cut is kept.
        watch: told of the bytes that were read.

    Raises:
        InputError: as `read_runs`.
        UsageError: there is no such format.
    """
    # The formats are many; who reads only a table need not wait for them.
    from assay.intake.runs.parts import Parts
    from assay.intake.runs.registry import format_named, opener

    wanted = format_named(format) if format is not None else None
    label = name or path.as_posix()
    own = wanted if wanted is not None and wanted.load is not None else opener(path)
    if own is not None and own.load is not None:
        document = own.load(path, label)
        reader = _Reader(document.source, options, sink, trials, resolve, lenient)
        return reader.all_of(own, document)
    with Stream(path, label, watch) as stream:
        parts = Parts(stream, wanted, lenient)
        reader = _Reader(parts.source, options, sink, trials, resolve, lenient)
        with parts.source.placed():
            for document in parts.documents():
                assert parts.used is not None
                if parts.used.load is not None:
                    document = parts.used.load(path, label)
                    reader = _Reader(document.source, options, sink, trials, resolve, lenient)
                    return reader.all_of(parts.used, document)
                reader.read(parts.used, document)
        parts.check_unchanged()
    assert parts.used is not None
    return reader.told(parts.used)


class _Reader:
    """Turns the records of one file into runs."""

    def __init__(
        self,
        source: Source,
        options: RunOptions,
        sink: Callable[[ObservedRun], None],
        trials: Callable[[str], Trials],
        resolve: Callable[[str], str],
        lenient: bool,
    ) -> None:
        self.source = source
        self.lenient = lenient
        self.options = options
        self.sink = sink
        self.trials = trials
        self.resolve = resolve
        self.run_name = options.run or file_name(source.name)
        self.count = 0
        self.unknown: set[RunField] = set()

    def read(self, used: Format, document: Document) -> None:
        """Read every run that can be read; one that cannot becomes a finding and is counted."""
        if used.read is None:
            for record in document.records:
                self.guard(record, partial(self.native, record))
            return
        try:
            pieces = used.read(document)
        except InputError as error:
            if not (self.lenient and used.streams and document.layout == "lines"):
                raise
            # Something in one record: it alone is lost.
            if len(document.nodes) == 1:
                self.failed(error)
                return
            for node in document.nodes:
                self.read(used, Document(self.source, "lines", (node,)))
            return
        for record, reader in pieces:
            self.guard(record, partial(self.foreign, record, reader, used.name))

    def all_of(self, used: Format, document: Document) -> FileRead:
        """Read a file that lies there as a whole."""
        with self.source.placed():
            self.read(used, document)
        return self.told(used)

    def told(self, used: Format) -> FileRead:
        """What was read so far."""
        return FileRead(
            format=used.name,
            read=self.count,
            dropped=dict(sorted(self.source.dropped.items())),
            unknown=tuple(part for part in ALL_FIELDS if part in self.unknown),
            findings=sorted_findings(self.source.findings()),
        )

    def take(self, run: ObservedRun) -> None:
        """Hand a run on."""
        self.sink(run)
        self.count += 1
        self.unknown.update(run.unknown)

    def failed(self, error: InputError) -> None:
        self.source.drop("run that cannot be read")
        self.source.failed(error, "IRU002")

    def guard(self, record: Node, step: Callable[[], None]) -> None:
        try:
            step()
        except InputError as error:
            self.failed(error)
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
        case_id = self.resolve(self.options.case_ids.mapping.get(run.case_id, run.case_id))
        name = changes["run"] or run.run
        if self.trials(name).take(case_id, run.trial) is None:
            self.doubled(record, case_id, run.trial)
            return
        self.take(run.model_copy(update={**changes, "case_id": case_id}))

    def foreign(self, record: Node, reader: Callable[[Node], RawRun], used: str) -> None:
        raw = reader(record)
        self.unmask(raw)
        case_id, guessed = self.options.case_ids.of(raw.record, raw.case_id, raw.attributes)
        if guessed:
            self.source.note(
                "IRU005",
                f"The format names no case; the file's name was taken: {shorten(case_id)}.",
                node=raw.record,
                hint="name it with --case-id-from",
            )
        case_id = self.resolve(case_id)
        trial = self.trials(self.run_name).take(case_id, raw.trial)
        if trial is None:
            self.doubled(raw.record, case_id, raw.trial)
            return
        self.take(self.run(raw, used, case_id, trial))

    def unmask(self, raw: RawRun) -> None:
        """Calls whose result reports a failure failed, whatever the recorder called them; and
        a limit that the agent ran into is no failure of the harness.
        """
        for turn in raw.turns:
            for call in turn.calls:
                refused = refusal(call.result) or refusal(call.error)
                if refused is not None and call.outcome != "blocked":
                    call.outcome, call.error = "blocked", refused
                words = failure(call.result) if call.outcome in ("ok", "unknown") else None
                if words is not None:
                    call.outcome, call.error = "error", words
                    self.source.note(
                        "IRU030",
                        f"A failure of `{shorten(call.name, 40)}` was recorded as a success.",
                        node=raw.record,
                    )
        for words in [text for text in raw.infrastructure_errors if agents_end(text)]:
            raw.infrastructure_errors.remove(words)
            self.source.note(
                "IRU034",
                f"The run ended with `{shorten(words)}`, which is the agent's end and no failure"
                " of the harness.",
                node=raw.record,
                case_id=raw.case_id,
            )

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
