"""The plugin of pytest: options, markers, the fixture ``assay_case``, and hooks that do little.

It is loaded into every session of an environment that has the package. So it imports pytest and
nothing else, touches only tests that ask for ``assay_case``, and leaves the work to modules that
are imported when the first such test is collected.

Its asserts need not be explained: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from assay.testing.case import AssayCase
    from assay.testing.session import Session

FIXTURE = "assay_case"
SELECT = "assay_cases"
LABEL = "assay"

_state: pytest.StashKey[Session] = pytest.StashKey()

_MARKERS = (
    f"{SELECT}(suite, slice, status, category, case, gating, trials, run): which cases of the"
    " benchmark a test with `assay_case` runs on, and under which name of a run.",
    f"{LABEL}(suite, slice, status, category, case, gating): set on every such test by the plugin,"
    " to select by: -m \"assay(suite='refunds', status='gold')\".",
)

_PARTS = (
    ("suite", "SUITE", "only cases of this suite"),
    ("slice", "SLICE", "only cases of this slice"),
    ("status", "STATUS", "only cases whose record has this status: gold, silver, draft …"),
    ("category", "CATEGORY", "only cases of this category"),
    ("case", "CASE", "only these cases; * and ? fit"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options, all of which begin with ``--assay-``."""
    group = parser.getgroup("assay", "agents against a benchmark (assay)")
    group.addoption("--assay-bench", metavar="PATH", help="folder of the benchmark")
    for name, value, text in _PARTS:
        group.addoption(
            f"--assay-{name}",
            action="append",
            default=[],
            metavar=value,
            help=f"{text}; may be repeated",
        )
    group.addoption("--assay-trials", type=int, metavar="N", help="run each case N times")
    group.addoption("--assay-today", metavar="DAY", help="the day to judge at, YYYY-MM-DD")
    group.addoption("--assay-run", metavar="NAME", help="name of the run; else the test's name")
    group.addoption(
        "--assay-record", metavar="DIR", help="write what was observed to DIR/<suite>/<run>.jsonl"
    )
    group.addoption(
        "--assay-strict", action="store_true", help="a case that cannot be evaluated fails"
    )
    group.addoption(
        "--assay-gating",
        action="store_true",
        help="a failing case that does not gate is an expected failure (xfail)",
    )
    group.addoption("--assay-holdout", action="store_true", help="run held-out cases too")
    parser.addini("assay_bench", "folder of the benchmark, relative to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; reports are gathered where they all arrive, not in workers."""
    for line in _MARKERS:
        config.addinivalue_line("markers", line)
    if not hasattr(config, "workerinput"):
        _require_equals(config)
        config.pluginmanager.register(_Gatherer(config), "assay-gatherer")


def _require_equals(config: pytest.Config) -> None:
    """Refuse ``--assay-bench PATH`` for ``--assay-bench=PATH``.

    pytest looks for its settings before it knows our options, takes a path after a blank for a
    place of tests, and would then use the benchmark's settings in place of the project's.
    """
    given = [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *config.invocation_params.args]
    for option, path in zip(map(str, given), map(str, given[1:]), strict=False):
        if option in ("--assay-bench", "--assay-record") and os.path.exists(path):  # noqa: PTH110  (never raises)
            raise pytest.UsageError(
                f"assay: pytest takes a path after a blank for a place of tests.\n"
                f"  next  {option}={path}"
            )


def _session(config: pytest.Config) -> Session:
    """The session's state, made when it is first needed."""
    if _state not in config.stash:
        from assay.testing.session import Session

        config.stash[_state] = Session(config)
    return config.stash[_state]


def _is_ours(item: pytest.Item) -> bool:
    return FIXTURE in getattr(item, "fixturenames", ())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a case and trial."""
    if FIXTURE in metafunc.fixturenames:
        from assay.testing.collecting import parameters

        metafunc.parametrize(
            FIXTURE, parameters(_session(metafunc.config), metafunc.definition), indirect=True
        )
    elif any(mark.name == SELECT for mark in metafunc.definition.own_markers):
        raise pytest.Collector.CollectError(
            f"{metafunc.definition.name}: `{SELECT}` selects cases for the argument `{FIXTURE}`,"
            f" which the test does not take.\n  next  def {metafunc.definition.name}({FIXTURE}): …"
        )


@pytest.fixture
def assay_case(request: pytest.FixtureRequest) -> AssayCase:
    """One case of the benchmark in one trial: `question`, `turns`, `tools` …, and `check`."""
    return _session(request.config).case(request)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out what ``--assay-suite`` and its like do not ask for."""
    if _state in config.stash:
        _session(config).narrow(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what will run."""
    if _state in session.config.stash:
        _session(session.config).plan(session.items)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Turn *not evaluated* into a skip, and refuse a test that checked nothing."""
    if not _is_ours(pyfuncitem):
        return (yield)
    from assay.testing.outcomes import NotEvaluatedError
    from assay.testing.running import called, not_evaluated

    try:
        result = yield
    except NotEvaluatedError as error:
        reason = not_evaluated(pyfuncitem, error)
        if reason is None:
            raise
    else:
        called(pyfuncitem)
        return result
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the observed run into the report: so it comes through from every worker."""
    report = yield
    if call.when == "call" and _is_ours(item):
        from assay.testing.running import annotate

        annotate(item, call, report)
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """An error of the harness is an error, not a failure."""
    if getattr(report, "assay_error", False) and report.failed:
        return "error", "E", "ERROR"
    return None


class _Gatherer:
    """Gathers the reports of a session, its own or those of its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the observed run of a test."""
        given = getattr(report, "assay", None)
        if given is not None:
            _session(self.config).keep(given)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Keep what a worker had planned."""
        given = getattr(node, "workeroutput", {}).get("assay")
        if given is not None:
            _session(self.config).adopt(given)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the record; an empty selection is no success."""
        if _state in self.config.stash:
            session.exitstatus = _session(self.config).finish(int(session.exitstatus))

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print what the session came to."""
        if _state in self.config.stash:
            _session(self.config).print(terminalreporter)
