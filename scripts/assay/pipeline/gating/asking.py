"""What the gate judges by: the run and the baseline scored alike, and what the benchmark says."""

from __future__ import annotations

import fnmatch
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.comparing.gate import Asked, decide
from assay.errors import AssayError, UsageError
from assay.files.reading import read_json
from assay.files.validation import require
from assay.ledger.commits import commits_of
from assay.ledger.history import commit_id, first_parents
from assay.ledger.layout import RUNS, SCORES
from assay.models.compiled import EffectiveTruth
from assay.models.gate import GateReport
from assay.models.result import CaseResult, Result
from assay.pipeline.comparing.asking import differing
from assay.pipeline.comparing.loading import Loaded, Loader
from assay.pipeline.direct import Judged, score_files
from assay.pipeline.naming import Named, RunFile, ScoreLines, StoredRun, VerdictTable, resolve
from assay.scoring.selection import Selection


@dataclass(frozen=True)
class GateRequest:
    """What is asked."""

    run: str
    """The run: a name, the id of a result, or a file."""
    baseline: str
    """The same, or a commit of the benchmark, at which the run of this name is taken."""
    suite: str | None = None
    """The suite, where several have the name."""
    only: tuple[str, ...] = ()
    """Case ids or patterns; every case where empty."""
    allow_empty: bool = False
    """Whether nothing to judge is fine."""
    regrade: bool = False
    """Whether a stored result is scored again, now."""
    peers: bool = True
    """Whether other stored runs are asked about cases that fail."""
    bench: str | None = None
    """The benchmark as it was named, where it lies elsewhere."""
    place: str = ""
    """The repository as it was named with ``-C``; it must be in a hint too."""

    @property
    def prefix(self) -> str:
        """How any command on this benchmark begins."""
        if self.bench:
            return _prefix_of(self.bench)
        return f"assay -C {shlex.quote(self.place)}" if self.place else "assay"

    def words(self) -> list[str]:
        """The command as it was typed, without ``--regrade`` and ``--allow-empty``."""
        words = ["assay", "-C", self.place] if self.place else ["assay"]
        words += ["gate", self.run, "--baseline", self.baseline]
        words += ["--bench", self.bench] if self.bench else []
        words += ["--suite", self.suite] if self.suite else []
        for pattern in self.only:
            words += ["--only", pattern]
        return words


def _prefix_of(bench: str) -> str:
    from assay.pipeline.gating.bench import parse_bench

    source, tag = parse_bench(bench)
    if tag is None and Path(source).is_dir():
        return f"assay -C {shlex.quote(source)}"
    branch = f" --branch {shlex.quote(tag)}" if tag else ""
    return f"git clone -q{branch} {shlex.quote(source)} bench && assay -C bench"


def gate(root: Path, request: GateRequest) -> GateReport:
    """Judge a run.

    Args:
        root: the benchmark repository.
        request: what is asked.

    Raises:
        RefusedError: a result's run or lines are not here.
        UsageError: a name means nothing or too much, or verdicts alone were given.
        InputError: a file cannot be read, or the benchmark cannot be judged.
    """
    with Loader(root, request.suite, allow_empty=True) as loader:
        run_named = _with_runs(
            resolve(root, request.run, suite=request.suite), request.run, request
        )
        run = _loaded(loader, request.run, run_named, request.regrade)
        loader.suite = _suite(run)
        base_named = _baseline(root, loader, request, run)
        baseline = _loaded(loader, request.baseline, base_named, request.regrade)
        asked = _asked(loader, request, run, baseline)
        report = decide(asked)
        if report.failures and request.peers:
            names = [case.case_id for case in report.failures]
            lines = _verdicts(loader, run, names)
            asked = replace(asked, evidence=lines[0], peers=lines[1])
            report = decide(asked)
        return report


def _with_runs(named: Named, name: str, request: GateRequest) -> Named:
    if isinstance(named, VerdictTable | ScoreLines):
        words = ["assay", "-C", request.place] if request.place else ["assay"]
        words += ["compare", request.baseline, request.run, "--on", "verdicts"]
        raise UsageError(
            f"`{name}` holds verdicts and no run: nobody knows what they were judged by.",
            hint=f"name the run itself; or  {shlex.join(words)}",
        )
    return named


def _loaded(loader: Loader, name: str, named: Named, regrade: bool) -> Loaded:
    return loader.graded(name, named) if regrade else loader.stored(name, named)


def _suite(run: Loaded) -> str:
    assert run.side.result is not None
    return run.side.result.context.suite


def _baseline(root: Path, loader: Loader, request: GateRequest, run: Loaded) -> Named:
    """What the baseline is: a name, or the run as it was at a commit."""
    try:
        return _with_runs(
            resolve(root, request.baseline, suite=loader.suite), request.baseline, request
        )
    except UsageError as error:
        try:
            commit = commit_id(root, request.baseline)
        except AssayError:
            raise error from None
        return _at_commit(root, loader, commit, run)


def _at_commit(root: Path, loader: Loader, commit: str, run: Loaded) -> Named:
    from tempfile import TemporaryDirectory

    from assay.ledger.past import take_back

    named = run.named
    path = named.path if isinstance(named, StoredRun) else None
    if path is None:
        raise UsageError(
            "A baseline at a commit is the same run as it was then, and the run is no file of"
            " this repository.",
            hint="name a run below runs/, or give the baseline as a file",
        )
    folder = Path(loader.stack.enter_context(TemporaryDirectory(prefix="assay-base-")))
    label = path.resolve().relative_to(root.resolve()).as_posix()
    take_back(root, commit, (label,), folder)
    return RunFile(folder / label, "native")


def _asked(loader: Loader, request: GateRequest, run: Loaded, baseline: Loaded) -> Asked:
    judged = loader.judged
    repository = judged.world.repository
    params = repository.params.model
    suite = _suite(run)
    entries = judged.compiled.suites.get(suite, ())
    alive = [e for e in entries if e.record is None or e.record.status != "retired"]
    gating = [entry for entry in alive if entry.gates]
    chosen = [entry.case_id for entry in gating if _selected(entry.case_id, request.only)]
    stored = repository.suites[suite]
    differs = differing(run, baseline, loader)
    return Asked(
        suite=suite,
        run=run.side,
        baseline=baseline.side,
        gating=frozenset(chosen),
        alive=len(alive),
        all_gating=len(gating),
        today=judged.world.today,
        commit_day=_commit_day(repository.root),
        alpha=params.gate.alpha,
        floor=params.gate.floors.get(suite),
        required=_required(judged, entries) & frozenset(chosen),
        owners={name: stored.owner(name) for name in stored.cases},
        quarantined=tuple(
            entry.case_id for entry in alive if entry.case_id in judged.world.quarantined
        ),
        unmeasured=params.gate.unmeasured == "allow",
        allow_empty=request.allow_empty,
        unlike=differs,
        again=_quoted(request.words()),
        prefix=request.prefix,
        other_baseline=_other_baseline(repository.root, request, suite, run),
    )


def _selected(case_id: str, only: Sequence[str]) -> bool:
    return not only or any(fnmatch.fnmatchcase(case_id, pattern) for pattern in only)


def _required(judged: Judged, entries: Sequence[EffectiveTruth]) -> frozenset[str]:
    """Cases that must pass on their own: named, or of a slice that is."""
    wanted = judged.world.repository.params.model.gate.require
    found = set(wanted.cases)
    for entry in entries:
        suite = judged.world.repository.suites.get(entry.suite)
        attributes = suite.attributes(entry.case_id) if suite is not None else None
        if attributes is not None and attributes.slice in wanted.slices:
            found.add(entry.case_id)
    return frozenset(found)


def _quoted(words: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, words))


def _other_baseline(root: Path, request: GateRequest, suite: str, run: Loaded) -> str:
    """The command with another run of the suite as the baseline."""
    for path in _others(root, suite, run.named.path):
        return _quoted(replace(request, baseline=f"{suite}/{path.stem}").words())
    return ""


def _others(root: Path, suite: str, own: Path) -> list[Path]:
    """Stored runs of a suite but one, which may have been named by any path to it."""
    stored = sorted((root / RUNS / suite).glob("*.jsonl"))
    return [path for path in stored if path.resolve() != own.resolve()]


def _commit_day(root: Path) -> str | None:
    """Day of the last commit; none without git."""
    try:
        with commits_of(root):
            pass
        return first_parents(root, commit_id(root, "HEAD"))[-1].day
    except (AssayError, IndexError):
        return None


def _verdicts(
    loader: Loader, run: Loaded, names: Sequence[str]
) -> tuple[dict[str, str], dict[str, tuple[int, int]]]:
    """Deciding evidence of the run, and how other stored runs do, on some cases."""
    judged = loader.judged
    root = judged.world.repository.root
    suite = _suite(run)
    only = Selection(only=tuple(names), allow_empty=True)
    own = loader.run_file(run.named)
    mine = [line for item in score_files(judged, [own], only, suite=suite) for line in item.lines]
    others = [path for path in _others(root, suite, own) if _counts(root, suite, path.stem)]
    told = {line.case_id: _deciding(line) for line in mine if line.outcome == "failed"}
    counts: dict[str, tuple[int, int]] = {}
    if others:
        for item in score_files(judged, others, only, suite=suite):
            for name in names:
                lines = [line for line in item.lines if line.case_id == name]
                judged_lines = [line for line in lines if line.outcome in ("passed", "failed")]
                if judged_lines:
                    failed = all(line.outcome == "failed" for line in judged_lines)
                    agree, total = counts.get(name, (0, 0))
                    counts[name] = (agree + failed, total + 1)
    return told, counts


def _counts(root: Path, suite: str, run: str) -> bool:
    """Whether an agent's failure says something of the label: not where it fails more often than
    not, as far as that is known.
    """
    path = root / SCORES / suite / f"{run}.json"
    if not path.is_file():
        return True
    try:
        rate = require(Result, read_json(path), name=path.as_posix()).overall.pass_rate
    except AssayError:
        return True
    return rate is None or rate >= 0.5


def _deciding(line: CaseResult) -> str:
    """The first piece of evidence that decides."""
    for component in line.components:
        if component.in_basis and component.outcome == "failed":
            for piece in component.evidence:
                if piece.outcome == "failed":
                    return piece.message
    return ""
