"""Inspect logs: epochs, errors of tools and of samples, scores, events, logs that ended early."""

from __future__ import annotations

import json
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError, RefusedError
from assay.intake.runs import RunOptions
from assay.intake.runs.formats.messages import inspect_api
from assay.intake.runs.store import RunTarget, import_runs
from assay.models.run import ToolCall
from tests.intake.formats.support import bad, codes, imported, ok, turn
from tests.intake.test_bad_input import JUNK, places, replaced
from tests.intake.writers.inspect_log import MODEL, log

inspect_log = pytest.importorskip("inspect_ai.log")


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def agent(content: Any, *calls: tuple[str, str], **more: Any) -> dict[str, Any]:
    made = [
        {"id": call_id, "function": name, "arguments": {"n": 40.0}, "type": "function"}
        for call_id, name in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made or None, **more}


def tool(id: str, content: Any, error: Any = None) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": id, "error": error}


def event(id: str, name: str, result: Any, **more: Any) -> dict[str, Any]:
    return {
        "event": "tool",
        "type": "function",
        "id": id,
        "function": name,
        "arguments": {"n": 40.0},
        "result": result,
        "events": [],
        "timestamp": "2026-11-30T18:24:01+00:00",
        "working_start": 0.0,
        "working_time": 0.25,
        **more,
    }


MESSAGES = [
    {"role": "system", "content": "Be kind."},
    user("First?"),
    agent(
        [{"type": "reasoning", "reasoning": "Hm"}, {"type": "text", "text": "I look."}],
        ("c1", "look"),
        ("c2", "see"),
        ("c3", "pay"),
    ),
    tool("c1", '{"total": 40.0}'),
    tool("c2", "", {"type": "timeout", "message": "Too slow"}),
    tool("c3", "No.", {"type": "approval", "message": "Not allowed"}),
    user("They spoke.", metadata={"summary": True}),
    agent([{"type": "text", "text": "It is"}, {"type": "text", "text": "40."}]),
]


def sample(**more: Any) -> dict[str, Any]:
    return {
        "id": "a",
        "epoch": 1,
        "input": "First?",
        "target": "40",
        "messages": MESSAGES,
        "output": {"model": "m", "choices": []},
        "scores": {"match": {"value": "C"}},
        "metadata": {"case": "other"},
        "store": {"x": 1},
        "events": [],
        "model_usage": {
            MODEL: {
                "input_tokens": 7,
                "output_tokens": 3,
                "total_tokens": 14,
                "input_tokens_cache_read": 3,
                "input_tokens_cache_write": 1,
                "total_cost": 0.1,
            },
            "grader/g": {"input_tokens": 900, "output_tokens": 900, "total_tokens": 1800},
        },
        "attachments": {},
        "uuid": "u1",
        "started_at": "2026-11-30T18:24:00+00:00",
        **more,
    }


def test_a_sample(tmp_path: Path) -> None:
    imports = imported(tmp_path, log([sample()]))
    (run,) = imports.runs
    forty = {"n": Decimal("40.0")}
    pay = ToolCall(
        name="pay", args=forty, outcome="blocked", result="No.", error="Not allowed", id="c3",
        parallel_group=0,
    )  # fmt: skip
    assert run.turns == (
        turn(
            "First?",
            "It is\n40.",
            ok("look", forty, {"total": Decimal("40.0")}, "c1", parallel_group=0),
            bad("see", forty, "", "c2", parallel_group=0, error="Too slow"),
            pay,
        ),
    )
    assert str(run.turns[0].tool_calls[0].args["n"]) == "40.0"
    assert (run.case_id, run.trial, run.trace_id, run.model) == ("a", 0, "u1", MODEL)
    assert (run.tokens_in, run.tokens_out, run.cost) == (11, 3, Decimal("0.1"))
    assert run.started_at == "2026-11-30T18:24:00+00:00"
    assert (run.score_given, run.outcome_given) == (1, "passed")
    assert set(run.unknown) == {"planning_steps", "final_state", "agent"}
    assert imports.dropped == {
        "summary of what came before": 1,
        "system message": 1,
        "text before the answer": 1,
        "thinking": 1,
    }
    assert imports.findings == ()


def test_epochs_are_trials(tmp_path: Path) -> None:
    made = log([sample(epoch=2), sample(epoch=1), sample(id=7, epoch=1)])
    runs = imported(tmp_path, made).runs
    assert [(run.case_id, run.trial) for run in runs] == [("7", 0), ("a", 0), ("a", 1)]


@pytest.mark.parametrize(
    ("value", "score", "outcome"),
    [
        ("C", 1, "passed"),
        ("I", 0, "failed"),
        ("P", Decimal("0.5"), None),
        ("N", 0, "failed"),
        (True, 1, "passed"),
        (1, 1, "passed"),
        (0.0, 0, "failed"),
        (0.25, Decimal("0.25"), None),
        (float("nan"), None, None),
        ("nice", None, None),
        ({"a": 1}, None, None),
    ],
)
def test_scores(tmp_path: Path, value: Any, score: Any, outcome: str | None) -> None:
    (run,) = imported(tmp_path, log([sample(scores={"s": {"value": value}})])).runs
    assert (run.score_given, run.outcome_given) == (score, outcome)


def test_of_several_scores_none_decides(tmp_path: Path) -> None:
    scores = {"s": {"value": "C"}, "t": {"value": "I"}}
    imports = imported(tmp_path, log([sample(scores=scores)]))
    assert (imports.runs[0].score_given, imports.runs[0].outcome_given) == (None, None)
    assert imports.dropped["score of several scorers"] == 2


ERROR = {"message": "ConnectionError()", "traceback": "…", "traceback_ansi": "…"}


def test_failures_of_the_harness(tmp_path: Path) -> None:
    failed = sample(messages=[], error=ERROR, scores=None)
    (run,) = imported(tmp_path, log([failed])).runs
    assert run.infrastructure_errors == ("ConnectionError()",)
    assert run.turns == (turn("First?", None),)
    void = {"timestamp": "2026-11-30T18:24:00+00:00", "author": "ana", "reason": "Wrong world"}
    (run,) = imported(tmp_path, log([sample(invalidation=void)])).runs
    assert run.infrastructure_errors == ("The sample was declared invalid: Wrong world",)


def test_a_limit_is_the_agent_s_end(tmp_path: Path) -> None:
    imports = imported(tmp_path, log([sample(limit={"type": "message", "limit": 8})]))
    assert codes(imports) == ["IRU008"]
    assert imports.runs[0].infrastructure_errors == ()


def test_samples_that_a_log_never_came_to_are_errors(tmp_path: Path) -> None:
    made = log([sample()], status="error", error=ERROR)
    made["eval"] |= {"config": {"epochs": 2}, "dataset": {"samples": 2, "sample_ids": ["a", "b"]}}
    runs = imported(tmp_path, made).runs
    error = ("The sample was not run: the log's status is error: ConnectionError()",)
    assert [(run.case_id, run.trial, run.infrastructure_errors) for run in runs] == [
        ("a", 0, ()),
        ("a", 1, error),
        ("b", 0, error),
        ("b", 1, error),
    ]


def test_a_log_without_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no samples") as caught:
        imported(tmp_path, log([]))
    assert "log-samples" in caught.value.hint


def test_calls_in_events_only_follow_the_call_before_them(tmp_path: Path) -> None:
    events = [
        event("c1", "look", "x"),
        event("s1", "inner", '{"deep": 1}'),
        event("s2", "inner", "", error={"type": "parsing", "message": "Bad"}),
        event("c2", "see", ""),
        event("c3", "pay", ""),
        event("z", "submit", "40"),
        event("p", "slow", "", pending=True),
    ]
    imports = imported(tmp_path, log([sample(events=events)]))
    calls = [call for _, call in imports.runs[0].tool_calls]
    assert [(call.name, call.outcome, call.parallel_group) for call in calls] == [
        ("look", "ok", 0),
        ("inner", "ok", None),
        ("inner", "error", None),
        ("see", "error", 0),
        ("pay", "blocked", 0),
        ("slow", "unknown", None),
    ]
    assert calls[1].result == {"deep": 1}
    assert {call.duration_ms for call in calls} == {250}
    assert {call.started_at for call in calls} == {"2026-11-30T18:24:01+00:00"}
    assert imports.dropped["call that submits the answer"] == 1


def test_an_answer_that_stands_in_the_output_only(tmp_path: Path) -> None:
    messages = [user("First?"), agent("", ("c1", "look")), tool("c1", "[]")]
    message = {"role": "assistant", "content": "40"}
    output = {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}]}
    (run,) = imported(tmp_path, log([sample(messages=messages, output=output)])).runs
    assert run.final_answer == "40"


def test_tools_of_the_provider_and_unreadable_arguments(tmp_path: Path) -> None:
    used = {
        "type": "tool_use", "tool_type": "mcp_call", "id": "m", "name": "pay", "context": "bank",
        "arguments": '{"n": 1}', "result": "[2]",
    }  # fmt: skip
    broken = agent([used], ("c1", "look"))
    broken["tool_calls"][0] |= {"parse_error": "No JSON", "arguments": {}}
    imports = imported(tmp_path, log([sample(messages=[user("Go"), broken])]))
    (run,) = imports.runs
    first, second = run.turns[0].tool_calls
    assert first == ok("pay", {"n": 1}, [2], "m", server="bank")
    assert (second.outcome, second.error) == ("error", "The arguments cannot be read: No JSON")
    assert codes(imports) == ["IRU003"]


def test_attachments_are_put_back(tmp_path: Path) -> None:
    words = "long " * 50
    messages = [user("attachment://" + "a" * 32), agent("So.")]
    (run,) = imported(
        tmp_path, log([sample(messages=messages, attachments={"a" * 32: words})])
    ).runs
    assert run.turns == (turn(words, "So."),)


# -- files ----------------------------------------------------------------------------------


def test_an_archive(tmp_path: Path) -> None:
    made = inspect_log.EvalLog.model_validate(log([sample()]))
    path = tmp_path / "a.eval"
    inspect_log.write_eval_log(made, path.as_posix())
    from assay.intake.runs import read_runs

    as_json = imported(tmp_path, log([sample()]))
    assert read_runs(path).runs[0].turns == as_json.runs[0].turns
    assert read_runs(path, format="inspect-log").read == 1
    renamed = path.rename(tmp_path / "b.zip")
    assert read_runs(renamed).format == "inspect-log"


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    from assay.intake.runs import read_runs

    path = tmp_path / "a.json"
    path.write_text(json.dumps(log([sample()])), encoding="utf-8-sig")
    assert read_runs(path).runs[0].turns == imported(tmp_path, log([sample()])).runs[0].turns


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04", b"PK\x03\x04" + b"x" * 100, b"\x00\x01", b"", b"{}"]
)
def test_a_broken_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    from assay.intake.runs import read_runs

    path = tmp_path / "a.eval"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_runs(path)
    assert caught.value.hint


def test_another_archive_is_no_log(tmp_path: Path) -> None:
    from assay.intake.runs import read_runs

    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("runs.json", "[]")
    with pytest.raises(InputError):
        read_runs(path)
    assert not inspect_api.is_archive(path)


def test_an_archive_far_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assay.intake.runs import read_runs

    monkeypatch.setattr(inspect_api, "MOST", 1000)
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "x" * 5000)
    with pytest.raises(InputError, match="5,000 bytes"):
        read_runs(path)


def test_without_inspect_the_log_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(inspect_api.importlib, "import_module", missing)
    monkeypatch.delenv("ASSAY_ROOT", raising=False)
    with pytest.raises(RefusedError, match="not installed") as caught:
        imported(tmp_path, log([sample()]))
    assert caught.value.exit_code == 3
    assert caught.value.hint == "python -m pip install inspect-ai"


def test_without_inspect_a_folder_loses_that_log_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(log([sample()])), encoding="utf-8")
    chat = {"case_id": "c-1", "messages": [{"role": "assistant", "content": "Done."}]}
    (folder / "b.jsonl").write_text(json.dumps(chat) + "\n", encoding="utf-8")
    monkeypatch.setattr(inspect_api.importlib, "import_module", missing)
    monkeypatch.setenv("ASSAY_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    outcome = import_runs([folder], RunTarget(tmp_path / "runs"), RunOptions())
    (told,) = outcome.findings
    assert (told.code, told.hint) == ("IRU001", "scripts/bootstrap conformance")
    assert outcome.failed
    assert [Path(path).name for path in outcome.written] == ["b.jsonl"]


def test_junk_is_refused_or_read(tmp_path: Path) -> None:
    """Junk is put behind Inspect's reader, which refuses much of it: ours must endure it all."""
    from assay.intake.document import Document
    from assay.intake.node import Node, Source
    from assay.intake.runs.formats.messages import inspect_log as format_

    path = tmp_path / "log.json"
    made = log([sample(events=[event("s1", "inner", "x")], error=ERROR)], status="error")
    path.write_text(json.dumps(made), encoding="utf-8")
    whole = inspect_api.load(path, "log.json").first.value
    for place in places(whole):
        for junk in JUNK:
            source = Source("log.json")
            node = Node(replaced(whole, place, junk), source)
            document = Document(source, "json", (node,))
            try:
                pieces = format_.read(document)
            except InputError:
                continue
            for piece, reader in pieces:
                try:
                    reader(piece)
                except InputError as error:
                    message = error.message
                    assert message
