"""Two names to two sides: stored results as they are, runs scored now, tables as they stand."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from assay.comparing import sides
from assay.comparing.sides import Side
from assay.errors import InputError, RefusedError, UsageError
from assay.models.run import ObservedRun
from assay.pipeline.naming import (
    Named,
    PublishedResult,
    RunFile,
    ScoredResult,
    ScoreLines,
    StoredRun,
    VerdictTable,
    lines_of,
    run_of_result,
    score_again,
)

if TYPE_CHECKING:
    from assay.pipeline.direct import Judged

_LOST = ("IRU002", "IRU006")
"""Findings after which a row of a table is not there."""


@dataclass(frozen=True)
class Loaded:
    """One side and where it came from."""

    side: Side
    """What is known of it."""
    named: Named
    """What its name means."""
    now: bool = False
    """Whether it was scored just now, by the code and the truth that are here."""
    policies: tuple[str, ...] = ()
    """Policy versions that the agent was given, where its run is here and says so."""

    @property
    def commit(self) -> str | None:
        """The commit that it can be made from again."""
        if self.now or not isinstance(self.named, PublishedResult):
            return None
        return self.named.published.made_from.commit


@dataclass
class Loader:
    """Loads sides; to be used as a context, since it owns temporary folders."""

    root: Path | None
    """The benchmark repository."""
    suite: str | None = None
    """The suite that was asked for."""
    allow_empty: bool = False
    """Whether a run that no label is left for is loaded all the same."""
    stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    @cached_property
    def judged(self) -> Judged:
        """The repository, checked and compiled; done once.

        Raises:
            UsageError: there is none.
        """
        from assay.ledger.repository import Repository
        from assay.pipeline.direct import judge

        return judge(Repository.load(self._root()))

    @cached_property
    def alpha(self) -> Decimal | None:
        """`gate.alpha` of the repository; none where there is no repository.

        Raises:
            InputError: ``params.yaml`` is wrong.
        """
        if self.root is None:
            return None
        from assay.files.yamls import read_yaml
        from assay.ledger.layout import PARAMS
        from assay.models.params import Params

        return read_yaml(self.root / PARAMS, name=PARAMS).require(Params).gate.alpha

    def _root(self) -> Path:
        if self.root is None:
            raise UsageError(
                "There is no benchmark repository here, and a run without verdicts can only be"
                " compared under its truth.",
                hint="assay -C FOLDER compare A B",
            )
        return self.root

    def stored(self, name: str, named: Named) -> Loaded:
        """A side as it stands; what has no verdicts yet is scored now.

        Raises:
            RefusedError: the lines of a result are not here.
            InputError: a file cannot be read.
        """
        if isinstance(named, VerdictTable):
            return Loaded(sides.of_table(name, _table(named.path)), named)
        if isinstance(named, ScoreLines):
            return Loaded(sides.of_lines(name, named.lines), named)
        if isinstance(named, ScoredResult | PublishedResult):
            return Loaded(sides.of_result(name, "result", named.result, lines_of(named)), named)
        return self.graded(name, named)

    def graded(self, name: str, named: Named) -> Loaded:
        """A side scored now, by the code and the truth that are here.

        Raises:
            RefusedError: there are only verdicts, or its run is no longer what was scored.
            InputError: the run is not here.
            UsageError: nobody can tell which run or suite is meant.
        """
        from assay.pipeline.direct import score_files
        from assay.scoring.selection import Selection

        suite = self.suite
        if isinstance(named, ScoredResult | PublishedResult):
            suite = named.result.context.suite
        elif isinstance(named, StoredRun):
            suite = named.suite
        file = self.run_file(named)
        scored = score_files(
            self.judged, [file], Selection(allow_empty=self.allow_empty), suite=suite
        )
        if len(scored) > 1:
            names = ", ".join(f"{item.suite}/{item.result.subject.run}" for item in scored)
            raise UsageError(
                f"The file holds {len(scored)} runs: {names}.",
                path=file.as_posix(),
                hint="name one suite with --suite, or keep one run in a file",
            )
        (item,) = scored
        side = sides.of_result(name, "run", item.result, item.lines)
        given = sorted({entry.policy for entry in item.observed if entry.policy})
        return Loaded(side, named, now=True, policies=tuple(given))

    def run_file(self, named: Named) -> Path:
        """The run behind a side; of a published result as it was, though it may have changed since.

        Raises:
            RefusedError: there are only verdicts, or a stored result's run has changed.
            InputError: it is not here.
        """
        if isinstance(named, StoredRun | RunFile):
            return named.path
        if isinstance(named, VerdictTable | ScoreLines):
            raise RefusedError(
                "There are only verdicts in it: no truth can be applied to them.",
                path=named.path.as_posix(),
                hint="name the run itself: assay runs import FILE --out runs",
            )
        root = self._root()
        if isinstance(named, PublishedResult):
            return self._published(root, named)
        file = run_of_result(root, named)
        _require_same(named, file)
        return file

    def _published(self, root: Path, named: PublishedResult) -> Path:
        from tempfile import TemporaryDirectory

        from assay.ledger.past import take_back
        from assay.pipeline.publishing import file_digest

        run, path = named.published.run, root / named.published.run.path
        if path.is_file() and file_digest(path) == run.sha256:
            return path
        folder = Path(self.stack.enter_context(TemporaryDirectory(prefix="assay-run-")))
        take_back(root, named.published.made_from.commit, (run.path,), folder)
        return folder / run.path


def _require_same(named: ScoredResult, file: Path) -> None:
    """See that a stored result's run still says what it said."""
    from assay.intake.runs.read import read_runs
    from assay.scoring.observed_digest import observed_digest

    if named.lines is None:
        return
    now = {(run.case_id, run.trial): run for run in read_runs(file).runs}
    for line in named.lines:
        run = now.get((line.case_id, line.trial))
        if run is None or observed_digest(run) != line.observed:
            result = named.result
            raise RefusedError(
                f"The run has changed since result {result.id} was made from it: case"
                f" {line.case_id}.",
                path=file.as_posix(),
                hint=score_again(named),
            )


def _table(path: Path) -> tuple[ObservedRun, ...]:
    """The rows of a table of verdicts.

    Raises:
        InputError: a row cannot be read, or two rows are one case and trial.
    """
    from assay.intake.runs.formats.records.table import read_table

    read = read_table(path)
    for found in read.findings:
        if found.code in _LOST:
            raise InputError(found.message, path=path.as_posix(), line=found.line, hint=found.hint)
    return read.runs
