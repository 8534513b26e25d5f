"""What one session of pytest knows: its benchmark, what was asked for, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assay.errors import AssayError, UsageError
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.intake.ids import file_name
from assay.models.run import ObservedRun
from assay.reporting.session_text import result_lines
from assay.testing.bench import Bench
from assay.testing.case import AssayCase
from assay.testing.filters import why_nothing
from assay.testing.options import VARIABLE, Options
from assay.testing.plugin import FIXTURE
from assay.testing.recording import Recorder

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from assay.testing.collecting import Spec

_NO_TESTS = int(pytest.ExitCode.NO_TESTS_COLLECTED)


class Session:
    """The state of one process; with xdist each worker and the one who started them have one."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.recorder = Recorder()
        self.held_out: set[str] = set()
        self.empty = ""
        """Why nothing was selected; the empty text where something was."""
        self.problems: list[str] = []
        """Why tests could not be made; each is also a test that errs."""
        self.failures: list[str] = []
        """What went wrong at the end."""
        self.written: list[Path] = []
        """Files of runs that were written."""
        self._runs: dict[str, str] = {}
        self._doubled: set[str] = set()

    @cached_property
    def options(self) -> Options:
        """The options; may raise `UsageError`."""
        return Options.of(self.config)

    @cached_property
    def bench(self) -> Bench:
        """The benchmark, loaded once a process.

        Raises:
            UsageError: none is named, or there is none.
            InputError: it has an error that every case depends on.
        """
        if self.options.bench is None:
            raise UsageError(
                "The test needs a benchmark, and none is named.",
                hint=f"pytest --assay-bench=PATH, or {VARIABLE}=PATH, or `assay_bench = PATH` in"
                " pytest's settings",
            )
        return Bench.load(self.options.bench, self.options.today)

    # -- collecting ---------------------------------------------------------------------------

    def narrow(self, items: list[pytest.Item]) -> None:
        """Deselect what the options do not ask for."""
        ours = [item for item in items if spec_of(item) is not None]
        left_out = {id(item) for item in ours if not _spec(item).asked_for}
        if not left_out:
            return
        if len(left_out) == len(ours):
            wanted = [self.options.wanted]
            rows = [row for item in ours if (row := _spec(item).row) is not None]
            known = self.bench.rows if not self.bench.chosen(wanted) else rows
            self.empty = str(why_nothing(wanted, known))
        self.config.hook.pytest_deselected(items=[i for i in items if id(i) in left_out])
        items[:] = [item for item in items if id(item) not in left_out]

    def plan(self, items: Sequence[pytest.Item]) -> None:
        """Name the run of each test, and note what is expected."""
        ours = [item for item in items if (spec := spec_of(item)) is not None and spec.row]
        taken: dict[tuple[str, str, int], str] = {}
        gates = False
        asked: list[list[Any]] = []
        for item in ours:
            spec = _spec(item)
            assert spec.row is not None
            run = self._runs[item.nodeid] = run_name(item, spec)
            gates = gates or spec.row.gates
            asked.append([spec.row.suite, run, spec.row.case_id, list(spec.statuses)])
            key = (run, spec.row.case_id, spec.trial)
            if not spec.excluded and taken.setdefault(key, item.nodeid) != item.nodeid:
                self._doubled |= {taken[key], item.nodeid}
        if ours and self.options.gating and not gates:
            self.empty = "No test that was selected is about a case that gates."
        given = {
            "asked": asked,
            "held_out": sorted(self.held_out),
            "empty": self.empty,
            "problems": self.problems,
        }
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["assay"] = given
        else:
            self.adopt(given)

    def adopt(self, given: dict[str, Any]) -> None:
        """Take over a plan: one's own, or the same one again from each worker."""
        for suite, run, case_id, statuses in given["asked"]:
            self.recorder.ask(suite, run, case_id, statuses)
        self.held_out.update(given["held_out"])
        self.empty = self.empty or given["empty"]
        self.problems = given["problems"]

    def case(self, request: pytest.FixtureRequest) -> AssayCase:
        """The case of a test."""
        __tracebackhide__ = True
        spec: Spec | None = getattr(request, "param", None)
        if spec is None:
            pytest.fail(f"Take `{FIXTURE}` as an argument of the test function.", pytrace=False)
        if spec.row is None:
            pytest.fail(spec.problem, pytrace=False)
        node = request.node.nodeid
        if node in self._doubled:
            pytest.fail(
                f"Two tests are the run `{self._runs[node]}` of {spec.id}; give each a name of its"
                ' own.\n  next  @pytest.mark.assay_cases(run="…")',
                pytrace=False,
            )
        return AssayCase(
            self.bench, spec.row, run=self._runs[node], trial=spec.trial, trials=spec.trials
        )

    # -- reporting ----------------------------------------------------------------------------

    def keep(self, given: Sequence[str]) -> None:
        """Keep an observed run that a report carried."""
        suite, line = given
        value = parse_json(line, name="a test's report")
        self.recorder.keep(suite, require(ObservedRun, value, name="a test's report"))

    def finish(self, exitstatus: int) -> int:
        """Write the record; returns the exit status of the session."""
        if self.config.getoption("collectonly"):
            return exitstatus
        try:
            if self.recorder.entries and self.options.record is not None:
                self.written = self.recorder.write(self.options.record)
        except AssayError as error:
            self.failures.append(str(error))
            exitstatus = exitstatus or int(pytest.ExitCode.TESTS_FAILED)
        if self.empty and exitstatus == 0:
            return _NO_TESTS
        if exitstatus == _NO_TESTS:  # The tests that would have said so were deselected.
            self.failures += dict.fromkeys(self.problems)
        return exitstatus

    def print(self, terminal: TerminalReporter) -> None:
        """Print what the session came to."""
        lines = self._lines()
        if not (lines or self.empty or self.failures):
            return
        terminal.write_sep("=", "assay")
        for line in lines:
            terminal.write_line(line)
        for message in (*self.failures, *([self.empty] if self.empty else ())):
            terminal.write_line(f"assay: {message}", red=True)

    def _lines(self) -> list[str]:
        if self.config.getoption("collectonly") or not self.recorder.asked:
            return []
        try:
            results = self.recorder.results(self.bench)
        except AssayError as error:
            self.failures.append(str(error))
            return []
        lines = [line for result in results for line in result_lines(result)]
        if self.held_out:
            lines.append(f"held out, not run: {len(self.held_out)}; --assay-holdout runs them")
        if self.bench.judged.broken:
            lines.append(
                "A file of the benchmark is wrong; what it spoils is excluded:"
                f" assay -C {self.bench.shown} check"
            )
        for path in self.written:
            shown = _shown(path)
            lines.append(f"recorded {shown}")
            lines.append(f"  next  assay -C {self.bench.shown} score --runs {shown}")
        return lines


def spec_of(item: pytest.Item) -> Spec | None:
    """What a test is about; none for a test that is not ours."""
    callspec = getattr(item, "callspec", None)
    found: Spec | None = callspec.params.get(FIXTURE) if callspec is not None else None
    return found


def _spec(item: pytest.Item) -> Spec:
    found = spec_of(item)
    assert found is not None
    return found


def run_name(item: pytest.Item, spec: Spec) -> str:
    """Name of the run that a test belongs to.

    The one that marker or command give, else that of the test function without ``test_``; with the
    ids of the test's other parameters behind it.
    """
    name = str(getattr(item, "originalname", None) or item.name)
    base = spec.run or re.sub(r"^test_?", "", name) or name
    whole: str = item.callspec.id  # type: ignore[attr-defined]
    rest = f"-{whole}-".replace(f"-{spec.id}-", "-", 1).strip("-")
    joined = f"{base}-{rest}" if rest else base
    return file_name(re.sub(r"[/\\]", "-", joined))


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
