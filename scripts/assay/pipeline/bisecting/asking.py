"""What a bisection is asked: which run, on which suite."""

from __future__ import annotations

from assay.errors import RefusedError, UsageError
from assay.ledger.repository import Repository
from assay.pipeline.bisecting.search import MOST, Question
from assay.pipeline.naming import (
    PublishedResult,
    RunFile,
    ScoredResult,
    StoredRun,
    resolve,
    run_of_result,
)


def question_of(
    repository: Repository,
    name: str,
    suite: str | None,
    case_id: str | None,
    good: str | None,
    bad: str | None,
    most: int | None,
) -> Question:
    """The question that a command line asks.

    Raises:
        UsageError: nothing has the name, or nobody can tell the suite.
        RefusedError: there is only a table of verdicts: no truth can be applied to it.
        InputError: the file cannot be read.
    """
    case = repository.cases.get(case_id) if case_id else None
    home = suite or (case.suite if case else None)
    named = resolve(repository.root, name, suite=home)
    if isinstance(named, StoredRun):
        home, run, file = named.suite, named.run, named.path
    elif isinstance(named, ScoredResult | PublishedResult):
        home, run = named.result.context.suite, named.result.subject.run
        file = run_of_result(repository.root, named)
    elif isinstance(named, RunFile):
        run, file = named.path.stem, named.path.resolve()
        if home is None and len(repository.suites) == 1:
            home = next(iter(repository.suites))
    else:
        raise RefusedError(
            "There are only verdicts in it: no truth can be applied to them.",
            path=named.path.as_posix(),
            hint="name the run itself: assay runs import FILE --out runs",
        )
    if home is None:
        raise UsageError(
            "Nobody can tell which suite this file was run on.",
            path=file.as_posix(),
            hint=f"--suite NAME, one of {', '.join(repository.suites)}",
        )
    return Question(home, run, file, case_id, good, bad, most or MOST)
