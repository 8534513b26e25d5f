"""Files of runs: which case a run belongs to, names, trials over files, canonical lines."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.intake.cases.store import Target, import_cases
from assay.intake.runs import CaseIds, RunOptions, known_cases, read_runs, resolve_cases, run_line
from assay.intake.runs.case_ids import parse_case_ids
from assay.intake.runs.store import RunTarget, import_runs
from assay.models.case import CaseAttributes, Suite
from assay.models.run import ObservedRun, ObservedTurn, RunField, ToolCall
from tests.intake.support import RUN_SHAPES, adk_set, adk_turn, chat_messages, put, tau_result

_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=6,
)
_CALLS = st.builds(
    ToolCall,
    name=_TEXT.filter(bool),
    server=st.none() | _TEXT,
    id=st.none() | _TEXT,
    args=st.dictionaries(_TEXT, _JSON, max_size=3),
    outcome=st.sampled_from(["ok", "error", "blocked", "unknown"]),
    result=_JSON,
    error=st.none() | _TEXT,
    parallel_group=st.none() | st.integers(0, 3),
)
_RUNS = st.builds(
    ObservedRun,
    run=st.just("r"),
    case_id=_TEXT.filter(bool),
    trial=st.integers(0, 5),
    turns=st.lists(
        st.builds(
            ObservedTurn,
            user=st.none() | _TEXT,
            answer=st.none() | _TEXT,
            tool_calls=st.lists(_CALLS, max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    final_answer=st.none() | _TEXT,
    final_state=_JSON,
    unknown=st.lists(st.sampled_from(get_args(RunField)), unique=True, max_size=3).map(tuple),
    score_given=st.none() | st.decimals(allow_nan=False, allow_infinity=False),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_RUNS)
def test_any_run_survives_as_a_line(run: ObservedRun) -> None:
    line = run_line(run)
    assert "\n" not in line
    again = require(ObservedRun, parse_json(line, name="x"), name="x")
    assert again == run
    assert run_line(again) == line


def test_an_empty_state_is_no_missing_state() -> None:
    run = ObservedRun(run="r", case_id="a", final_state={})
    assert '"final_state": {}' in run_line(run)
    assert "final_state" not in run_line(run.model_copy(update={"final_state": None}))


def test_lines_keep_numbers_and_the_order_of_fields() -> None:
    call = ToolCall(name="t", args={"b": Decimal("0.10"), "a": 9007199254740993})
    run = ObservedRun(run="r", case_id="a", turns=(ObservedTurn(tool_calls=(call,)),))
    assert run_line(run) == (
        '{"schema_version": 1, "run": "r", "case_id": "a", "turns": [{"tool_calls": [{"name": "t",'
        ' "args": {"b": 0.10, "a": 9007199254740993}}]}]}'
    )


# -- which case ------------------------------------------------------------------------------


def test_the_case_from_a_field_or_the_file_s_name(tmp_path: Path) -> None:
    value = {"case_id": "x", "metadata": {"case": 7}, "messages": chat_messages()}
    path = put(tmp_path, "parcel-17.json", value)
    for how, wanted in (
        (None, "x"),
        ("metadata.case", "7"),
        ("case_id", "x"),
        ("filename", "parcel-17"),
    ):
        options = RunOptions(case_ids=parse_case_ids(how))
        (run,) = read_runs(path, options=options).runs
        assert run.case_id == wanted
    imported = read_runs(path, options=RunOptions(case_ids=parse_case_ids("metadata.nothing")))
    assert imported.read == 0
    assert "--case-id-from" in imported.findings[0].hint


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.json", '{"17": "parcel-17"}'),
        ("m.yaml", '"17": parcel-17\n'),
        ("m.csv", "source_id,case_id\n17,parcel-17\n"),
    ],
)
def test_the_case_from_a_mapping(tmp_path: Path, name: str, text: str) -> None:
    how = str(put(tmp_path, name, text))
    options = RunOptions(case_ids=parse_case_ids(how))
    path = put(tmp_path, "tau.json", [tau_result(), tau_result(task_id=18)])
    assert [run.case_id for run in read_runs(path, options=options).runs] == ["18", "parcel-17"]


@pytest.mark.parametrize("text", ["[]", '{"17": 3}', "{"])
def test_a_wrong_mapping(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        parse_case_ids(str(put(tmp_path, "m.json", text)))


def test_an_empty_rule_is_wrong_use() -> None:
    with pytest.raises(UsageError):
        parse_case_ids(" ")


def suite(**cases: str | None) -> Suite:
    return Suite(
        suite="s",
        owner="ana",
        canary="c",
        licence="l",
        cases={name: CaseAttributes(slice="x", source_id=source) for name, source in cases.items()},
    )


def test_foreign_ids_are_resolved() -> None:
    known = known_cases([suite(a="1", b="2", c="2", d=None)])
    assert known.resolve("a") == "a"
    assert known.resolve("1") == "a"
    assert known.resolve("2") == "2", "stands for two cases, so for none"
    assert known.resolve("z") == "z"
    runs = [ObservedRun(run="r", case_id=case) for case in ("z", "d", "1")]
    assert [run.case_id for run in resolve_cases(runs, known)] == ["a", "d", "z"]


def test_our_own_id_goes_before_a_foreign_one() -> None:
    known = known_cases([suite(a="b", b="a")])
    assert (known.resolve("a"), known.resolve("b")) == ("a", "b")


# -- files ------------------------------------------------------------------------------------


def test_import_writes_one_file_a_run(tmp_path: Path) -> None:
    paths = [put(tmp_path, f"in/{s}/{n}", v) for s, (n, v) in sorted(RUN_SHAPES.items())]
    outcome = import_runs(paths, RunTarget(tmp_path / "runs", "post"), RunOptions())
    assert not outcome.failed
    assert outcome.read == len(paths)
    assert len({Path(path).name for path in outcome.written}) == len(paths)
    for path in outcome.written:
        (run,) = read_runs(Path(path)).runs
        assert run.run == Path(path).name.removesuffix(".jsonl")


def test_files_of_one_named_run_are_trials(tmp_path: Path) -> None:
    chat = {"case_id": "a", "messages": chat_messages()}
    paths = [put(tmp_path, f"{i}.json", chat) for i in range(3)]
    options = RunOptions(run="careful", agent="desk", model="m-1")
    outcome = import_runs(paths, RunTarget(tmp_path / "runs", "post"), options)
    assert [Path(path).name for path in outcome.written] == ["careful.jsonl"]
    runs = read_runs(Path(outcome.written[0])).runs
    assert [run.trial for run in runs] == [0, 1, 2]
    assert {(run.agent, run.model) for run in runs} == {("desk", "m-1")}
    assert not {"agent", "model"} & set(runs[0].unknown)


def test_lines_stand_by_case_and_trial(tmp_path: Path) -> None:
    results = [tau_result(task_id=t, trial=n) for t in (3, 1, 2) for n in (1, 0)]
    path = put(tmp_path, "t.json", results)
    outcome = import_runs([path], RunTarget(tmp_path / "runs", "post"), RunOptions(run="r"))
    lines = Path(outcome.written[0]).read_text("utf-8").splitlines()
    order = [(json.loads(line)["case_id"], json.loads(line).get("trial", 0)) for line in lines]
    assert order == [(str(t), n) for t in (1, 2, 3) for n in (0, 1)]


def test_ids_are_looked_up_in_the_suite_of_cases(tmp_path: Path) -> None:
    case = {"eval_id": "Parcel 17", "conversation": [adk_turn()]}
    cases = tmp_path / "cases"
    import_cases([put(tmp_path, "c.json", adk_set(case))], Target(cases, "post", "ana", "MIT"))
    lines = [{"case_id": name, "messages": chat_messages()} for name in ("Parcel 17", "parcel-17x")]
    path = put(tmp_path, "r.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    target = RunTarget(tmp_path / "runs", "post", cases)
    outcome = import_runs([path], target, RunOptions(run="r"))
    ids = [run.case_id for run in read_runs(Path(outcome.written[0])).runs]
    assert ids[0].startswith("parcel-17-")
    assert ids[1] == "parcel-17x"
    (warning,) = [item for item in outcome.findings if item.code == "IRU010"]
    assert ids[0] in warning.hint
    assert not outcome.failed


def test_other_content_is_never_written_over(tmp_path: Path) -> None:
    target = RunTarget(tmp_path / "runs", "post")
    path = put(tmp_path, "a.json", {"case_id": "a", "messages": chat_messages()})
    first = import_runs([path], target, RunOptions())
    before = Path(first.written[0]).read_bytes()
    assert import_runs([path], target, RunOptions()).written == first.written
    put(tmp_path, "a.json", {"case_id": "b", "messages": chat_messages()})
    outcome = import_runs([path], target, RunOptions())
    assert [item.code for item in outcome.findings] == ["IRU012"]
    assert outcome.failed
    assert Path(first.written[0]).read_bytes() == before


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ({"suite": "../x"}, {}),
        ({"suite": ""}, {}),
        ({}, {"run": "../x"}),
        ({}, {"run": "A b"}),
        ({}, {"run": ".hidden"}),
    ],
)
def test_names_that_cannot_be_are_refused(
    tmp_path: Path, target: dict[str, Any], options: dict[str, Any]
) -> None:
    path = put(tmp_path, "a.json", {"case_id": "a", "messages": chat_messages()})
    with pytest.raises(UsageError):
        import_runs([path], RunTarget(tmp_path / "runs", **target), RunOptions(**options))
    assert not (tmp_path / "runs").exists()


def test_a_foreign_case_id_is_no_file_name(tmp_path: Path) -> None:
    chat = {"case_id": "../../etc/x", "messages": chat_messages()}
    path = put(tmp_path, "in/a.json", chat)
    outcome = import_runs([path], RunTarget(tmp_path / "runs", "post"), RunOptions())
    assert [Path(p).parent for p in outcome.written] == [tmp_path / "runs/post"]
    assert read_runs(Path(outcome.written[0])).runs[0].case_id == "../../etc/x"


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    paths = [str(put(tmp_path, f"in/{s}/{n}", v)) for s, (n, v) in sorted(RUN_SHAPES.items())]
    code = (
        "import sys; from pathlib import Path; from assay.intake.runs import read_runs, run_line\n"
        "for p in sys.argv[1:]:\n"
        "    r = read_runs(Path(p)); print(r.dropped, r.unknown, *map(run_line, r.runs))\n"
    )
    seen = set()
    for seed in ("0", "1", "2"):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": "scripts", "TZ": f"UTC-{seed}", "PATH": ""}
        root = Path(__file__).resolve().parents[2]
        result = subprocess.run(
            [sys.executable, "-c", code, *paths], env=env, cwd=root, capture_output=True, check=True
        )
        seen.add(result.stdout)
    assert len(seen) == 1


def test_case_ids_default_to_what_the_format_says() -> None:
    assert CaseIds() == parse_case_ids(None)
