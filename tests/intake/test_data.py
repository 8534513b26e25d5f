"""Real inputs: 30 files of eval cases, one run in many formats, 100 runs of tau-bench."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assay.files.canonical import canonical_json
from assay.intake.cases import eval_set_text, read_cases
from assay.intake.cases.store import Target, import_cases
from assay.intake.drafts import draft
from assay.intake.runs import RunOptions, read_runs
from assay.intake.runs.case_ids import CaseIds
from assay.models.run import ObservedRun
from tests.intake.support import ROOT, shared_data
from tests.intake.writers import without

pytestmark = pytest.mark.data

SHAPES = {
    "adk-evalset": 22,
    "adk-legacy": 7,
    "adk-evalset-result": 1,
}


def evalsets() -> list[Path]:
    return sorted(shared_data("evalsets").iterdir())


def test_every_eval_set_is_read() -> None:
    files = evalsets()
    imports = [read_cases(path, name=path.name) for path in files]
    assert Counter(imported.shape for imported in imports) == SHAPES
    assert sum(imported.read for imported in imports) == 35
    codes = Counter(item.code for imported in imports for item in imported.findings)
    assert codes["ICA002"] == codes["ICA023"] == codes["ICA031"] == 0
    assert codes["ICA003"] == 7, "ids that are paths"
    assert codes["ICA020"] == 1, "a golden answer with a placeholder"
    assert codes["ICA021"] == 1, "a golden answer that is null"
    assert codes["ICA025"] == 1, "a set without cases"
    assert codes["ICA030"] == 2, "context messages"


def test_canonical_files_read_back(tmp_path: Path) -> None:
    for path in evalsets():
        for number, made in enumerate(read_cases(path).eval_sets):
            text = eval_set_text(made)
            again = tmp_path / f"{number}.evalset.json"
            again.write_text(text, encoding="utf-8")
            imported = read_cases(again)
            assert imported.eval_sets == (made,)
            assert {item.code for item in imported.findings} <= {
                "ICA020", "ICA021", "ICA025", "ICA026"
            }  # fmt: skip


def test_all_of_them_make_one_suite(tmp_path: Path) -> None:
    target = Target(tmp_path / "cases", "mixed", "ana", "MIT")
    outcome = import_cases(evalsets(), target)
    assert outcome.read == 35
    assert not outcome.failed
    assert len(outcome.written) == 30, "29 sets with cases, and the suite"
    before = {path: path.read_bytes() for path in (tmp_path / "cases/mixed").iterdir()}
    assert not import_cases(evalsets(), target).failed
    assert {path: path.read_bytes() for path in before} == before


# -- one run, many formats -----------------------------------------------------------------------

NOW = (
    "trpc_go_invocation.json",
    "adk_invocation_events.json",
    "adk_trace_evalset.json",
    "agent_platform_dataset.json",
    "anthropic_messages.json",
    "inspect_log.json",
    "langchain_messages.json",
    "langsmith_runs.jsonl",
    "openai_agents_trace.jsonl",
    "openai_chat.jsonl",
    "openai_responses.json",
    "openinference_spans.json",
    "otel_genai_otlp.json",
    "tau2_results.json",
    "taubench_v1.json",
    "recorded/adk_double_encoded_pre_1_22.evalset_result.json",
    "recorded/adk_inference_result.json",
    "recorded/adk_real.evalset_result.json",
    "recorded/adk_session_export_camel.json",
    "recorded/adk_session_export_snake.json",
    "recorded/otel_adk_real_exp.json",
)
LESS: dict[str, tuple[str, ...]] = {
    "mcp_session.jsonl": ("user", "answer", "final_answer"),
    "recorded/otel_adk_real_default.json": (
        "user",
        "answer",
        "final_answer",
        "call_arguments",
        "call_results",
    ),
}
"""Files that do not tell all, and what they do not tell."""


def essence(run: ObservedRun) -> Any:
    """What was said and done. Left out: ids of calls, and which calls were issued together: in
    the recorded files both were, in those made by hand one came after the other.
    """
    return (
        run.case_id,
        run.trial,
        [
            (
                turn.user,
                turn.answer,
                [
                    (
                        call.name,
                        canonical_json(call.args),
                        call.outcome,
                        canonical_json(call.result),
                    )
                    for call in turn.tool_calls
                ],
            )
            for turn in run.turns
        ],
        run.final_answer,
        run.infrastructure_errors,
    )


WANTED = (
    "refund-0142",
    0,
    [
        (
            "Refund order 0142 please",
            "Your refund of $40.00 for order 0142 has been issued.",
            [
                (
                    "lookup_order",
                    '{"order_id":"0142"}',
                    "ok",
                    '{"order_id":"0142","total":40}',
                ),
                (
                    "issue_refund",
                    '{"amount":40,"order_id":"0142","request_id":"r-9"}',
                    "ok",
                    '{"status":"refunded"}',
                ),
            ],
        )
    ],
    "Your refund of $40.00 for order 0142 has been issued.",
    (),
)


@pytest.mark.parametrize("name", NOW)
def test_one_run_in_many_formats(name: str) -> None:
    if name == "inspect_log.json":
        pytest.importorskip("inspect_ai")
    path = shared_data("runs", "one-run-many-formats") / name
    stem = Path(name).stem.removesuffix(".evalset_result")
    ids = CaseIds(mapping={"142": "refund-0142", stem: "refund-0142"})
    (run,) = read_runs(path, options=RunOptions(case_ids=ids)).runs
    assert essence(run) == WANTED


@pytest.mark.parametrize("name", sorted(LESS))
def test_one_run_in_formats_that_carry_less(name: str) -> None:
    folder = shared_data("runs", "one-run-many-formats")
    ids = CaseIds(mapping={Path(name).stem: "refund-0142"})
    (run,) = read_runs(folder / name, options=RunOptions(case_ids=ids)).runs
    assert set(LESS[name]) <= set(run.unknown)
    (whole,) = read_runs(folder / "openai_chat.jsonl").runs
    cut = tuple(part for part in run.unknown if part not in ("agent", "model", "tokens"))
    assert essence(without(run, cut)) == essence(without(whole, cut))


def test_recorded_runs_know_the_model_and_the_tokens() -> None:
    folder = shared_data("runs", "one-run-many-formats", "recorded")
    (run,) = read_runs(folder / "adk_real.evalset_result.json").runs
    assert (run.agent, run.model) == ("refund_agent", "fake-1")
    assert (run.tokens_in, run.tokens_out) == (20, 10)
    assert run.final_state == {"tier": "gold"}
    assert [call.parallel_group for _, call in run.tool_calls] == [0, 0]


# -- tau-bench ------------------------------------------------------------------------------


def tau_file() -> Path:
    (path,) = sorted(shared_data("runs", "tau-bench").glob("*.json"))
    return path


def test_the_two_recorded_results_are_read() -> None:
    folder = shared_data("runs", "one-run-many-formats", "recorded")
    two = read_runs(folder / "taubench_v1_real_2runs.json", run="r").runs
    assert [run.case_id for run in two] == ["0", "1"]
    first = read_runs(tau_file(), run="r").runs[0]
    assert essence(two[0]) == essence(first)


def test_a_hundred_runs() -> None:
    imported = read_runs(tau_file())
    assert imported.read == 100
    runs = imported.runs
    assert len({(run.case_id, run.trial) for run in runs}) == 100
    assert Counter(run.outcome_given for run in runs) == {"passed": 49, "failed": 51}
    assert imported.dropped == {
        "closing words of the user": 55,
        "stop mark": 14,
        "system message": 100,
        "text before the answer": 29,
    }
    calls = [call for run in runs for _, call in run.tool_calls]
    assert len(calls) == 577
    assert Counter(call.outcome for call in calls)["unknown"] == 0
    assert [item.case_id for item in imported.findings] == ["2", "46"]
    assert {item.code for item in imported.findings} == {"IRU008"}


def test_drafts_of_all_tasks() -> None:
    made = draft("tau-bench", tau_file(), suite="airline")
    assert len(made.records) == 25
    writes = [tool.name for tool in made.tools.tools if tool.effect == "writes"]
    assert writes == [
        "book_reservation",
        "cancel_reservation",
        "send_certificate",
        "update_reservation_baggages",
        "update_reservation_flights",
        "update_reservation_passengers",
    ]
    assert not [item for item in made.findings if item.severity == "error"]
    assert Counter(item.code for item in made.findings)["IDR002"] == 8


def test_drafts_agree_with_the_benchmark_s_reward() -> None:
    """A plain reading of the drafts, without the scorer: the numbers that docs report must hold."""
    records = {record.source_id: record for record in draft("tau-bench", tau_file()).records}
    apart = []
    for run in read_runs(tau_file()).runs:
        record = records[run.case_id]
        fine = [call for _, call in run.tool_calls if call.outcome == "ok"]
        met = all(
            sum(
                call.name == entry.tool
                and all(
                    key in call.args and canonical_json(call.args[key]) == canonical_json(value)
                    for key, value in entry.args.items()
                )
                for call in fine
            )
            >= entry.min
            for entry in record.required
        )
        counted = Counter(call.name for call in fine)
        within = all(counted[name] <= most for name, most in record.max_calls.items())
        said = [turn.answer.replace(",", "") for turn in run.turns if turn.answer]
        told = all(any(fact.any_of[0] in text for text in said) for fact in record.facts)
        if (met and within and told) != (run.outcome_given == "passed"):
            apart.append((run.case_id, run.trial))
    assert apart == [("46", 3)], "cut off by the limit of steps: the benchmark gave no reward"


@pytest.mark.parametrize("path_index", range(30))
def test_every_eval_set_can_be_drafted_from(path_index: int) -> None:
    path = evalsets()[path_index]
    made = draft("adk", path)
    for record in made.records:
        assert record.status == "draft"
        assert record.required_tools or record.acceptable_answers or record.rubric


# -- formats without results; records of single benchmarks ---------------------------------------


def test_a_trajectory_without_results() -> None:
    path = shared_data("runs", "one-run-many-formats") / "vertex_trajectory.json"
    ids = CaseIds(mapping={"vertex_trajectory": "refund-0142"})
    (run,) = read_runs(path, options=RunOptions(case_ids=ids)).runs
    case_id, trial, ((user, answer, calls),), final, _ = essence(run)
    assert (case_id, trial, user, answer, final) == (*WANTED[:2], *WANTED[2][0][:2], WANTED[3])
    wanted = [(name, args, "unknown", "null") for name, args, _, _ in WANTED[2][0][2]]
    assert calls == wanted
    assert {"call_results", "call_outcomes"} <= set(run.unknown)


def grid(folder: str) -> list[Path]:
    return sorted(shared_data("runs", "smart-grid", "raw", folder).glob("*_run*.json"))


def test_the_table_of_smart_grid_runs_is_right() -> None:
    """Counted again: runs, plan steps, calls, failures that said so and that did not, cuts."""
    rows = []
    for folder, name in (("direct", "agent as tool"), ("plan-execute", "plan-execute")):
        imports = [read_runs(path, name=path.name) for path in grid(folder)]
        runs = [run for imported in imports for run in imported.runs]
        calls = [call for run in runs for _, call in run.tool_calls]
        told = Counter[str]()
        for imported in imports:
            for item in imported.findings:
                told[item.code] += item.count
        hidden = told["IRU030"]
        failed = sum(call.outcome == "error" for call in calls)
        figures = (
            len(runs),
            sum(len(run.planning_steps) for run in runs),
            len(calls),
            failed - hidden,
            hidden,
            sum(call.outcome == "ok" for call in calls),
            told["IRU025"],
            sum(run.final_answer is None for run in runs),
        )
        rows.append(f"| {name} | {' | '.join(map(str, figures))} |")
        assert sorted({run.trial for run in runs}) == [0, 1, 2, 3, 4]
        assert len({(run.case_id, run.trial) for run in runs}) == 75
        assert not any(run.infrastructure_errors for run in runs)
        cut = [run for run in runs if "call_results" in run.unknown]
        assert all(told["IRU025"] or "tool_calls" in run.unknown for run in cut)
        assert {call.parallel_group for call in calls} == {None}
    page = (ROOT / "docs/formats/smart-grid.md").read_text("utf-8")
    assert "\n".join(rows) in page


def test_steps_that_begin_with_an_error_are_errors() -> None:
    steps = [
        call
        for path in grid("plan-execute")
        for run in read_runs(path).runs
        for _, call in run.tool_calls
        if str(call.result).startswith("Error executing tool")
    ]
    assert len(steps) == 55
    assert {call.outcome for call in steps} == {"error"}


CUTS = {
    "ibm_2026-09-30_fable-5-1_0001.measurement.trimmed.json": ["IRU025 /_note"],
    "ibm_2026-09-30_fable-5-1_0001.trajectory.json": ["IRU026 "],
    "ibm_cods_Q_1.condensed.json": ["IRU025 /_note"],
    "ibm_cods_Q_106.condensed.json": [
        "IRU025 /_note",
        "IRU025 /trajectory/1/task_description",
        "IRU025 /trajectory/1/agent_name",
        "IRU025 /trajectory/1/logs/trajectroy_log/0/observation",
        "IRU025 /trajectory/1/logs/trajectroy_log/1/action_input",
    ],
}
"""File to what is cut in it, and where."""


def test_records_of_asset_operations_name_what_is_cut() -> None:
    files = sorted(shared_data("runs", "asset-operations").glob("*.json"))
    imports = {path.name: read_runs(path, name=path.name) for path in files}
    found = {
        name: [f"{item.code} {item.pointer}" for item in imported.findings]
        for name, imported in imports.items()
    }
    assert found == CUTS
    runs = {name: imported.runs[0] for name, imported in imports.items()}
    measured, kept, first, second = (runs[name] for name in CUTS)
    assert [call.name for _, call in measured.tool_calls] == [
        call.name for _, call in kept.tool_calls
    ], "two records of one run"
    assert [call.outcome for _, call in kept.tool_calls] == ["unknown", "ok"]
    assert {"call_results", "call_outcomes"} <= set(kept.unknown)
    assert {"call_results", "call_arguments", "final_answer"} <= set(second.unknown)
    assert first.final_answer is not None
    assert "final_answer" not in first.unknown
