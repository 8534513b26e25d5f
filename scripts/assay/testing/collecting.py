"""From the markers of a test function to one parameter a case and trial."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from assay.errors import AssayError, UsageError
from assay.models.truth import Status
from assay.testing.bench import Bench
from assay.testing.filters import Filter, Row, statuses, told, why_nothing
from assay.testing.loading import require_run_name
from assay.testing.plugin import LABEL, SELECT
from assay.testing.session import Session


@dataclass(frozen=True)
class Spec:
    """What one test is about. Small: it stands in every test item."""

    id: str
    """What stands in the brackets of the test's name."""
    row: Row | None = None
    """The case; none where something is wrong."""
    trial: int = 0
    """Zero-based trial."""
    trials: int = 1
    """How many trials there are."""
    run: str | None = None
    """Name of the run, where the marker or the command gives one."""
    statuses: tuple[Status, ...] = ()
    """Statuses that are scored."""
    excluded: bool = False
    """Whether the case cannot be scored today."""
    asked_for: bool = True
    """Whether the options ask for it."""
    problem: str = ""
    """What is wrong; the test then errs and says so."""


def parameters(session: Session, node: pytest.Item) -> list[Any]:
    """The parameters of a test function: ``pytest.param`` with id and markers.

    Whatever is wrong becomes one test that errs with the message: the rest of the session runs.
    """
    try:
        return list(_parameters(session, node))
    except AssayError as error:
        session.problems.append(str(error))
        mark = pytest.mark.__getattr__(LABEL)
        return [pytest.param(Spec("no-case", problem=str(error)), id="no-case", marks=[mark])]


def _parameters(session: Session, node: pytest.Item) -> Iterable[Any]:
    filters: list[Filter] = []
    trials = session.options.trials
    run = None
    for mark in node.iter_markers(SELECT):  # The closest comes first.
        if mark.args:
            raise UsageError(f"`{SELECT}` takes names only.", hint=f'{SELECT}(suite="…")')
        given = dict(mark.kwargs)
        own_trials, own_run = given.pop("trials", None), given.pop("run", None)
        trials = trials if trials is not None else own_trials
        run = run if run is not None else own_run
        filters.append(Filter.of(given, SELECT))
    trials = 1 if trials is None else trials
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise UsageError(f"{trials!r} trials run nothing.", hint="--assay-trials 1 or more")
    run = run if run is not None else session.options.run
    if run is not None:
        require_run_name(str(run))
    bench = session.bench
    rows = bench.chosen(filters)
    if not rows:
        raise why_nothing(filters, bench.rows)
    wanted = session.options.wanted
    scored = statuses([*filters, wanted])
    for row in rows:
        if row.held_out and not session.options.holdout:
            session.held_out.add(row.case_id)
            continue
        yield from _of_case(bench, row, trials, run, scored, wanted.fits(row))
    if all(row.held_out for row in rows) and not session.options.holdout:
        raise UsageError(
            f"All {len(rows)} cases that fit are held out.", hint="--assay-holdout runs them"
        )


def _of_case(
    bench: Bench,
    row: Row,
    trials: int,
    run: str | None,
    scored: tuple[Status, ...],
    asked_for: bool,
) -> Iterable[Any]:
    label = pytest.mark.__getattr__(LABEL)(
        suite=row.suite,
        slice=row.slice,
        status=row.status,
        category=row.category,
        case=row.case_id,
        gating=row.gates,
    )
    excluded = bench.excluded(row, scored)
    marks = [label]
    if excluded is not None:
        # It counts once, however many trials there are.
        marks.append(pytest.mark.skip(reason=f"{row.case_id} excluded: {told(excluded)}"))
        trials = 1
    for trial in range(trials):
        name = row.case_id if trials == 1 else f"{row.case_id}-trial{trial + 1}"
        spec = Spec(name, row, trial, trials, run, scored, excluded is not None, asked_for)
        yield pytest.param(spec, id=name, marks=marks)
