"""Whole sessions of pytest: what runs, what it comes to, and what is said."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import assay.testing.collecting
import assay.testing.running  # noqa: F401  (inner sessions forget what they import)
from assay.checks.runner import rules
from assay.intake.runs.load import load_runs
from assay.ledger.repository import Repository
from assay.pipeline.direct import judge, score_files
from assay.scoring.selection import Selection
from tests.architecture.source import ROOT
from tests.plugin.bench import CHECK, LOAD, agent_test, make_bench

pytest_plugins = ["pytester"]

rules()  # As the imports above: else each inner session imports them anew, and so doubles them.

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, bench: Path) -> Run:
    """Run a test module against the benchmark."""

    def call(source: str, *arguments: str, at: Path | None = bench) -> pytest.RunResult:
        pytester.makepyfile(test_agent=source)
        named = () if at is None else (f"--assay-bench={at}",)
        return pytester.runpytest_inprocess(*LOAD, *named, *arguments)

    return call


def text(result: pytest.RunResult) -> str:
    return "\n".join(result.outlines)


def test_one_test_a_case(run: Run) -> None:
    result = run(CHECK, "-v")
    result.assert_outcomes(passed=1, failed=1, skipped=3)
    lines = [line.split("::")[1].split(" [")[0] for line in result.outlines if "::" in line]
    assert [name.split()[:2] for name in lines[:5]] == [
        ["test_hasty[refund-0142]", "PASSED"],
        ["test_hasty[refund-0143]", "FAILED"],
        ["test_hasty[refund-0144]", "SKIPPED"],
        ["test_hasty[refund-0145]", "SKIPPED"],
        ["test_hasty[refund-0146]", "SKIPPED"],
    ]
    assert "expected 5 = passed 1 + failed 1 + not evaluated 1 + errors 0 + excluded 2" in text(
        result
    )
    assert result.ret == 1


def test_a_failure_says_what_why_says(run: Run, bench: Path, pytester: pytest.Pytester) -> None:
    result = run(CHECK, "--assay-record=out")
    said = [line[2:].strip() for line in result.outlines if line.startswith("E ")]
    said[0] = said[0].removeprefix("assay.testing.CaseFailedError: ")
    command = [sys.executable, "-m", "assay.cli.main", "-C", str(bench), "why", "refund-0143"]
    done = subprocess.run(
        [*command, "--run", "out/shop/hasty.jsonl"],
        cwd=pytester.path,
        env={"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    wanted = [line.strip() for line in done.stdout.strip().split("\n")]

    def commands(line: str) -> str:
        return " ".join(line.replace(f"assay -C {bench} ", "assay ").split())

    assert list(map(commands, said)) == list(map(commands, wanted))
    assert "assay -C" in text(result)


def test_the_traceback_ends_in_the_test(run: Run) -> None:
    shown = text(run(CHECK))
    assert ">       assay_case.check(hasty(assay_case.question))" in shown
    assert "testing/case.py" not in shown
    assert "test_agent.py:29: CaseFailedError" in shown or "CaseFailedError" in shown


def test_the_record_scores_the_same(run: Run, bench: Path, pytester: pytest.Pytester) -> None:
    result = run(CHECK, "--assay-record=out", "--assay-trials", "2")
    judged = judge(Repository.load(bench))
    path = pytester.path / "out/shop/hasty.jsonl"
    (scored,) = score_files(judged, [path], Selection())
    assert f"result {scored.result.id} " in text(result)
    verdicts = [(line.case_id, line.trial, line.outcome) for line in scored.lines]
    assert verdicts == [
        ("refund-0142", 0, "passed"),
        ("refund-0142", 1, "passed"),
        ("refund-0143", 0, "failed"),
        ("refund-0143", 1, "failed"),
        ("refund-0145", 0, "not_evaluated"),
        ("refund-0145", 1, "not_evaluated"),
    ]
    tally = scored.result.overall
    assert (
        f"expected {tally.expected} = passed {tally.passed} + failed {tally.failed}"
        f" + not evaluated {tally.not_evaluated} + errors {tally.errored}"
        f" + excluded {tally.excluded} + unmatched {tally.unmatched}"
    ) in text(result)
    assert "test_hasty[refund-0142-trial2]" in text(run(CHECK, "--assay-trials", "2", "--co"))


@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is missing")
def test_workers_change_nothing(run: Run, pytester: pytest.Pytester) -> None:
    alone = run(CHECK, "--assay-record=one", "--assay-trials", "2", "-p", "no:randomly")
    pytester.syspathinsert(ROOT / "scripts")
    named = next(line for line in alone.outlines if line.startswith("  result "))
    several = pytester.runpytest_subprocess(
        *LOAD, "-n", "2", f"--assay-bench={_bench(alone)}", "--assay-record=two",
        "--assay-trials", "2",
    )  # fmt: skip
    several.assert_outcomes(passed=2, failed=2, skipped=4)
    assert named in several.outlines
    files = [pytester.path / name / "shop/hasty.jsonl" for name in ("one", "two")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert [entry.trial for entry in load_runs(files[1])] == [0, 1, 0, 1, 0, 1]
    empty = pytester.runpytest_subprocess(
        *LOAD, "-n", "2", f"--assay-bench={_bench(alone)}", "--assay-slice", "wndow"
    )
    assert empty.ret == 5
    assert "assay: No case has the slice `wndow`." in text(empty)


def _bench(result: pytest.RunResult) -> str:
    line = next(line for line in result.outlines if "next  assay -C " in line)
    return line.split(" -C ")[1].split(" score ")[0]


@pytest.mark.parametrize(
    ("arguments", "outcomes"),
    [
        (["--assay-status", "gold"], {"passed": 1, "failed": 1, "skipped": 1, "deselected": 2}),
        (["--assay-slice", "late"], {"failed": 1, "deselected": 4}),
        (["--assay-category", "decision"], {"failed": 1, "deselected": 4}),
        (["--assay-case", "*-0142"], {"passed": 1, "deselected": 4}),
        (["--assay-suite", "shop", "--assay-slice", "late"], {"failed": 1, "deselected": 4}),
        (["-m", "assay(slice='late')"], {"failed": 1, "deselected": 4}),
        (["-m", "assay(suite='shop', status='silver')"], {"skipped": 1, "deselected": 4}),
        (["-m", "assay(gating=True)"], {"passed": 1, "failed": 1, "deselected": 3}),
        (["-m", "not assay"], {"deselected": 5}),
        (["-k", "refund-0142"], {"passed": 1, "deselected": 4}),
        (["test_agent.py::test_hasty[refund-0142]"], {"passed": 1}),
        (["--assay-status", "draft"], {"passed": 1, "deselected": 4}),
        (["--assay-today", "2026-10-01"], {"passed": 1, "failed": 2, "skipped": 2}),
    ],
)
def test_selecting(run: Run, arguments: list[str], outcomes: dict[str, int]) -> None:
    result = run(CHECK, "--strict-markers", *arguments)
    result.assert_outcomes(**outcomes)
    if "draft" in arguments:
        assert "exploratory: drafts were scored" in text(result)


def test_markers_select(run: Run) -> None:
    source = agent_test(
        """
        @pytest.mark.assay_cases(suite="shop", status=["gold", "silver"])
        class TestShop:
            @pytest.mark.assay_cases(case="refund-014[23]", run="fast", trials=2)
            def test_it(self, assay_case):
                assert (assay_case.run, assay_case.trials) == ("fast", 2)
                assay_case.check(hasty(assay_case.question))
        """
    )
    result = run(source, "--strict-markers", "--assay-record=out")
    result.assert_outcomes(passed=2, failed=2)
    assert "recorded out/shop/fast.jsonl" in text(result)


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ('suite="shp"', "No case has the suite `shp`."),
        ('slice="lte"', "did you mean late?"),
        ('suit="shop"', "Did you mean `suite`?"),
        ('status="golden"', "there is no status `golden`"),
        ('case="refund-9*"', "No case is called `refund-9*`."),
        ('slice="late", status="silver"', "No case fits slice=late, status=silver."),
        ("trials=0", "0 trials run nothing."),
        ('run="My Run"', "`My Run` cannot name a run."),
        ('"shop"', "`assay_cases` takes names only."),
    ],
)
def test_a_wrong_marker_errs(run: Run, marker: str, message: str) -> None:
    source = f"import pytest\n@pytest.mark.assay_cases({marker})\ndef test_a(assay_case): ...\n"
    result = run(source + "def test_b(): ...\n")
    result.assert_outcomes(errors=1, passed=1)
    assert message in text(result)
    assert "Traceback" not in text(result)


def test_a_marker_without_its_argument_is_refused(run: Run) -> None:
    result = run('import pytest\n@pytest.mark.assay_cases(suite="shop")\ndef test_a(): ...\n')
    assert result.ret == 2
    assert "next  def test_a(assay_case): …" in text(result)


@pytest.mark.parametrize("option", ["slice", "suite", "category", "case"])
def test_an_option_that_fits_nothing_is_no_success(run: Run, option: str) -> None:
    result = run(CHECK + "\n\ndef test_other(): ...\n", f"--assay-{option}", "nothing")
    assert result.ret == 5
    result.assert_outcomes(passed=1, deselected=5)
    assert "`nothing`." in text(result)


def test_without_a_benchmark_only_its_tests_err(run: Run) -> None:
    result = run(CHECK + "\n\ndef test_other(): ...\n", at=None)
    result.assert_outcomes(errors=1, passed=1)
    assert "pytest --assay-bench=PATH, or ASSAY_BENCH=PATH" in text(result)
    result = run(CHECK, "-k", "refund-0142", at=None)
    assert result.ret == 5
    assert "assay: The test needs a benchmark, and none is named." in text(result)


def test_a_session_without_cases_notices_nothing(run: Run, pytester: pytest.Pytester) -> None:
    result = run("def test_a(): ...\n", at=Path("/nowhere"))
    result.assert_outcomes(passed=1)
    assert "assay" not in text(result).partition("collected")[2]


def test_where_the_benchmark_is_named(
    run: Run, bench: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\nassay_bench = door\n")
    (pytester.path / "door").symlink_to(bench)
    (pytester.path / "sub").mkdir()
    run(CHECK, at=None).assert_outcomes(passed=1, failed=1, skipped=3)
    monkeypatch.setenv("ASSAY_BENCH", "/nowhere")
    run(CHECK, at=None).assert_outcomes(errors=1)
    run(CHECK, "-p", "no:cacheprovider").assert_outcomes(passed=1, failed=1, skipped=3)


def test_a_path_after_a_blank_is_refused(run: Run, bench: Path) -> None:
    result = run(CHECK, "--assay-bench", str(bench), at=None)
    assert result.ret == 4
    assert f"next  --assay-bench={bench}" in "\n".join(result.errlines)


def test_strict(run: Run) -> None:
    result = run(CHECK, "--assay-strict")
    result.assert_outcomes(passed=1, failed=2, skipped=2)
    assert "No verdict on `kind` is recorded for this run." in text(result)


def test_gating(run: Run, tmp_path: Path) -> None:
    source = agent_test(
        """
        @pytest.mark.assay_cases(status=["gold", "silver"])
        def test_hasty(assay_case):
            assay_case.check(hasty(assay_case.question))
        """
    )
    bench = make_bench(tmp_path / "bench")
    (bench / "truth/quarantine.yaml").write_text(
        "schema_version: 1\nquarantine:\n"
        '  - {case: refund-0143, reason: being looked at, until: "2027-01-01"}\n'
    )
    result = run(source, "--assay-gating", "-rx", at=bench)
    result.assert_outcomes(passed=1, xfailed=1, skipped=2)
    assert result.ret == 0
    assert "refund-0143 does not gate:" in text(result)
    assert "being looked at" in text(result)
    assert "failed 1" in text(result)
    run(source, at=bench).assert_outcomes(passed=1, failed=1, skipped=2)
    result = run(source, "--assay-gating", "--assay-case", "refund-0143", at=bench)
    assert result.ret == 5
    assert "No test that was selected is about a case that gates." in text(result)


def test_an_error_is_no_failure(run: Run, pytester: pytest.Pytester) -> None:
    source = agent_test(
        """
        def test_limit(assay_case):
            assay_case.infrastructure_error("rate limit")

        def test_crash(assay_case):
            raise ConnectionError("reset")
        """
    )
    result = run(
        source, "--assay-case", "refund-0142", "--assay-record=out", "--junitxml", "report.xml"
    )
    result.assert_outcomes(errors=2, deselected=8)
    assert "ERROR at call of test_limit[refund-0142]" in text(result)
    assert text(result).count("errors 1 + excluded 0 + unmatched 0") == 2
    (limit,) = load_runs(pytester.path / "out/shop/limit.jsonl")
    (crash,) = load_runs(pytester.path / "out/shop/crash.jsonl")
    assert limit.infrastructure_errors == ("rate limit",)
    assert crash.infrastructure_errors == ("ConnectionError: reset",)
    assert ET.parse(pytester.path / "report.xml").getroot().tag == "testsuites"


def test_a_test_without_a_check_fails(run: Run) -> None:
    result = run("def test_idle(assay_case): ...\n", "--assay-case", "refund-0142")
    result.assert_outcomes(failed=1, deselected=4)
    assert "the test ended without a check" in text(result)
    assert "unmatched 1" in text(result)


def test_a_second_check_is_refused(run: Run) -> None:
    source = "def test_twice(assay_case):\n" + "    assay_case.check('$40.00', calls=[])\n" * 2
    result = run(source.replace("check", "score"), "--assay-case", "refund-0142")
    assert "refund-0142 has its verdict already." in text(result)


def test_parameters_make_runs(run: Run, pytester: pytest.Pytester) -> None:
    source = agent_test(
        """
        @pytest.mark.parametrize("model", ["Big/One", "small"])
        def test_hasty(model, assay_case):
            assay_case.check(hasty(assay_case.question), model=model)
        """
    )
    run(source, "--assay-record=out", "--assay-case", "refund-0142")
    names = sorted(path.name for path in (pytester.path / "out/shop").iterdir())
    assert names == ["hasty-big-one.jsonl", "hasty-small.jsonl"]
    (entry,) = load_runs(pytester.path / "out/shop/hasty-small.jsonl")
    assert entry.model == "small"


def test_two_tests_of_one_run_are_refused(run: Run) -> None:
    body = "    def test_it(self, assay_case):\n        assay_case.check('x', calls=[])\n"
    source = f"class TestA:\n{body}\nclass TestB:\n{body}"
    result = run(source, "--assay-case", "refund-0142")
    result.assert_outcomes(errors=2, deselected=8)
    assert "Two tests are the run `it` of refund-0142" in text(result)


def test_held_out_cases_stay_out(run: Run, tmp_path: Path) -> None:
    bench = make_bench(tmp_path / "bench", "split: {holdout_groups: ['template:refund-0143']}\n")
    result = run(CHECK, at=bench)
    result.assert_outcomes(passed=1, skipped=3)
    assert "held out, not run: 1; --assay-holdout runs them" in text(result)
    assert "refund-0143" not in text(result)
    result = run(CHECK, "--assay-holdout", at=bench)
    result.assert_outcomes(passed=1, failed=1, skipped=3)
    assert "its truth is not shown" in text(result)
    assert "lookup_order" not in text(result)


def test_an_asynchronous_agent(run: Run) -> None:
    pytest.importorskip("anyio")
    source = agent_test(
        """
        async def slow(question):
            return hasty(question)

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        @pytest.mark.anyio
        async def test_check(assay_case):
            assay_case.check(await slow(assay_case.question))

        @pytest.mark.anyio
        async def test_converse(assay_case):
            assay_case.check(await assay_case.aconverse(slow))

        def test_forgotten(assay_case):
            assay_case.check(slow(assay_case.question))

        def test_mixed_up(assay_case):
            assay_case.check(assay_case.converse(slow))
        """
    )
    result = run(source, "--assay-case", "refund-0142")
    result.assert_outcomes(passed=2, errors=2, deselected=16)
    assert "assay_case.check(await my_agent(…))" in text(result)
    assert "await assay_case.aconverse(agent)" in text(result)
    assert "never awaited" not in text(result)


def test_the_first_verdict_counts_when_a_test_runs_again(bench: Path) -> None:
    from assay.models.run import ObservedRun
    from assay.testing.recording import Recorder

    recorder = Recorder()
    broken = ObservedRun(run="a", case_id="refund-0142", infrastructure_errors=("limit",))
    wrong = ObservedRun(run="a", case_id="refund-0142", final_answer="no")
    right = ObservedRun(run="a", case_id="refund-0142", final_answer="$40.00")
    for entry in (broken, wrong, right):
        recorder.keep("shop", entry)
    assert recorder.of("shop", "a") == [wrong]


def test_a_record_that_cannot_be_written_fails_the_session(
    run: Run, pytester: pytest.Pytester
) -> None:
    (pytester.path / "out").write_text("a file")
    result = run(CHECK, "--assay-record=out", "--assay-case", "refund-0142")
    assert result.ret == 1
    assert "assay: out" in text(result) or "Cannot be written" in text(result)


def test_markers_are_listed(run: Run) -> None:
    shown = text(run("", "--markers"))
    assert "@pytest.mark.assay_cases(suite, slice, status" in shown
    assert "@pytest.mark.assay(suite, slice, status" in shown


def test_xfail_and_skip_of_the_user_are_left_alone(run: Run) -> None:
    source = agent_test(
        """
        @pytest.mark.xfail(reason="known")
        def test_known(assay_case):
            assay_case.check(hasty(assay_case.question))

        def test_left(assay_case):
            pytest.skip("not today")
        """
    )
    result = run(source, "--assay-case", "refund-0143")
    result.assert_outcomes(xfailed=1, skipped=1, deselected=8)
    assert "unmatched 1" in text(result)


def test_the_record_is_canonical(run: Run, pytester: pytest.Pytester) -> None:
    run(CHECK, "--assay-record=out", "--assay-status", "gold")
    lines = (pytester.path / "out/shop/hasty.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["case_id"] for line in lines] == ["refund-0142", "refund-0143"]
