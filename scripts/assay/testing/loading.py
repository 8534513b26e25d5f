"""Cases without pytest: for scripts, notebooks and other test frameworks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from assay.errors import UsageError
from assay.intake.ids import is_safe
from assay.models.result import ExcludedCase, Result
from assay.models.truth import Status
from assay.reporting.session_text import result_lines
from assay.testing.bench import Bench
from assay.testing.case import AssayCase
from assay.testing.filters import Filter, statuses, why_nothing
from assay.testing.recording import Recorder

Texts = str | Sequence[str] | None


@dataclass(frozen=True)
class CaseList(Sequence[AssayCase]):
    """Cases in order of suite, id and trial; what cannot be scored today stands apart."""

    bench: Bench
    """The benchmark."""
    cases: tuple[AssayCase, ...]
    """The cases that can be checked."""
    excluded: tuple[ExcludedCase, ...]
    """Cases without valid truth today, with the reasons."""
    held_out: int
    """How many held-out cases were left out."""
    _asked: tuple[tuple[str, str], ...]
    _run: str
    _statuses: tuple[Status, ...]

    @overload
    def __getitem__(self, index: int) -> AssayCase: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AssayCase]: ...
    def __getitem__(self, index: int | slice) -> AssayCase | Sequence[AssayCase]:
        """A case by its place."""
        return self.cases[index]

    def __iter__(self) -> Iterator[AssayCase]:
        """Every case that can be checked."""
        return iter(self.cases)

    def __len__(self) -> int:
        """How many cases and trials can be checked."""
        return len(self.cases)

    def _recorder(self) -> Recorder:
        recorder = Recorder()
        for suite, case_id in self._asked:
            recorder.ask(suite, self._run, case_id, self._statuses)
        for case in self.cases:
            if case.verdict is not None:
                recorder.keep(case.suite, case.verdict.observed)
        return recorder

    def results(self) -> list[Result]:
        """What was checked so far comes to, by suite: as ``assay score`` says."""
        return self._recorder().results(self.bench)

    def summary(self) -> str:
        """The results in lines for a person."""
        return "\n".join(line for result in self.results() for line in result_lines(result))

    def record(self, folder: Path | str) -> list[Path]:
        """Write what was observed to ``<folder>/<suite>/<run>.jsonl``; returns the paths.

        Raises:
            InputError: the folder cannot be written.
        """
        return self._recorder().write(Path(folder))


def load_cases(
    benchmark: Path | str,
    *,
    suite: Texts = None,
    slice: Texts = None,
    status: Texts = None,
    category: Texts = None,
    case: Texts = None,
    gating: bool | None = None,
    trials: int = 1,
    run: str = "agent",
    today: str | None = None,
    holdout: bool = False,
) -> CaseList:
    """The cases of a benchmark, without pytest.

    Args:
        benchmark: its folder.
        suite: only these suites.
        slice: only these slices.
        status: only these statuses; a draft is scored only where it is named here.
        category: only these categories.
        case: only these ids, or patterns with ``*`` and ``?``.
        gating: only cases that may block a merge, or only those that may not.
        trials: how often each case is run.
        run: name of the run.
        today: the day to judge at; that of the benchmark where absent.
        holdout: held-out cases too.

    Raises:
        UsageError: no benchmark there, or nothing fits.
        InputError: the benchmark has an error that every case depends on.
    """
    require_run_name(run)
    if trials < 1:
        raise UsageError(f"`trials={trials}` runs nothing.", hint="trials=1 or more")
    bench = Bench.load(benchmark, today)
    given = {
        "suite": suite,
        "slice": slice,
        "status": status,
        "category": category,
        "case": case,
        "gating": gating,
    }
    wanted = Filter.of(given, "load_cases")
    scored = statuses([wanted])
    rows = bench.chosen([wanted])
    if not rows:
        raise why_nothing([wanted], bench.rows)
    shown = [row for row in rows if holdout or not row.held_out]
    excluded = {row.case_id: bench.excluded(row, scored) for row in shown}
    return CaseList(
        bench,
        tuple(
            AssayCase(bench, row, run=run, trial=trial, trials=trials)
            for row in shown
            if excluded[row.case_id] is None
            for trial in range(trials)
        ),
        tuple(item for item in excluded.values() if item is not None),
        len(rows) - len(shown),
        tuple((row.suite, row.case_id) for row in shown),
        run,
        scored,
    )


def require_run_name(run: str) -> None:
    """Refuse a name of a run that cannot name its file.

    Raises:
        UsageError: it cannot.
    """
    if not is_safe(run):
        raise UsageError(
            f"`{run}` cannot name a run.",
            hint="small letters, digits, '.', '_' and '-'; begin with a letter or digit",
        )
