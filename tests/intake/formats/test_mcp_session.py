"""MCP sessions: pairing, errors, batches, cancelled calls, ids that begin anew."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings

from assay.intake.runs import RunImport, read_runs
from assay.models.run import ObservedRun
from tests.intake.support import put
from tests.intake.writers import dumps, runs


def load(folder: Path, items: list[Any]) -> RunImport:
    return read_runs(put(folder, "x.jsonl", "".join(json.dumps(item) + "\n" for item in items)))


def ask(number: Any, name: str, args: Any = None) -> dict[str, Any]:
    params = {"name": name} if args is None else {"name": name, "arguments": args}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def give(number: Any, **result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def texts(*words: str) -> list[Any]:
    return [{"type": "text", "text": word} for word in words]


def calls(imported: RunImport) -> list[Any]:
    (run,) = imported.runs
    return [(c.name, c.id, c.args, c.outcome, c.error, c.result) for _, c in run.tool_calls]


def test_results(tmp_path: Path) -> None:
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    imported = load(
        tmp_path,
        [
            ask(1, "a", {"n": 1}),
            give(1, content=texts("{}"), structuredContent={"x": 1}),
            ask("1", "b"),
            give("1", content=texts('{"x"', ": 2}"), isError=False),
            ask(3, "c"),
            give(3, content=texts("no such parcel"), isError=True),
            ask(4, "d"),
            {"jsonrpc": "2.0", "id": 4, "error": {"code": -32602, "message": "Unknown tool"}},
            ask(5, "e"),
            give(5, content=[image]),
            ask(6, "f"),
        ],
    )
    assert calls(imported) == [
        ("a", "1", {"n": 1}, "ok", None, {"x": 1}),
        ("b", "1", {}, "ok", None, {"x": 2}),
        ("c", "3", {}, "error", "no such parcel", "no such parcel"),
        ("d", "4", {}, "error", "Unknown tool", None),
        ("e", "5", {}, "ok", None, [image]),
        ("f", "6", {}, "unknown", "No answer is recorded.", None),
    ]
    (run,) = imported.runs
    assert {"user", "answer", "final_answer", "parallel_groups"} <= set(run.unknown)


def test_calls_under_way_at_once_batches_and_other_messages(tmp_path: Path) -> None:
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    listing = {"jsonrpc": "2.0", "id": 9, "method": "tools/list"}
    imported = load(
        tmp_path,
        [
            listing,
            give(9, tools=[]),
            [ask(1, "a"), ask(2, "b")],
            progress,
            [give(2, content=texts("2")), give(1, content=texts("1"))],
            give(7, content=[]),
        ],
    )
    (run,) = imported.runs
    assert [(c.name, c.result, c.parallel_group) for _, c in run.tool_calls] == [
        ("a", "1", 0),
        ("b", "2", 0),
    ]
    assert "parallel_groups" not in run.unknown
    assert imported.dropped == {
        "answer without its request": 1,
        "message of another method": 1,
        "progress": 1,
    }


def test_cancelled(tmp_path: Path) -> None:
    cancel = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1, "reason": "too slow"},
    }
    imported = load(tmp_path, [ask(1, "a"), cancel, give(1, content=texts("late"))])
    assert calls(imported) == [("a", "1", {}, "error", "cancelled: too slow", None)]
    assert imported.dropped == {"answer to a call that was cancelled": 1}


def test_sessions_one_after_another_and_both_directions(tmp_path: Path) -> None:
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}
    sampling = {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}}

    def client(message: Any) -> dict[str, Any]:
        return {"direction": "client", "message": message, "timestamp": "2026-11-30T18:24:14Z"}

    def server(message: Any) -> dict[str, Any]:
        return {"direction": "server", "message": message, "timestamp": "2026-11-30T18:24:16Z"}

    imported = load(
        tmp_path,
        [
            client(hello),
            server(give(0, serverInfo={"name": "one", "version": "1"})),
            client(ask(1, "a")),
            server(sampling),
            client(give(1, role="assistant")),
            server(give(1, content=texts("x"))),
            client(ask(2, "lost")),
            client(hello),
            server(give(0, serverInfo={"name": "two", "version": "1"})),
            client(ask(1, "a")),
            server(give(1, content=texts("y"))),
            server(give(2, content=texts("of the old session"))),
        ],
    )
    (run,) = imported.runs
    assert [(c.name, c.server, c.result, c.duration_ms) for _, c in run.tool_calls] == [
        ("a", "one", "x", 2000),
        ("lost", "one", None, None),
        ("a", "two", "y", 2000),
    ]
    assert run.started_at == "2026-11-30T18:24:14Z"


def test_a_wrong_message_among_right_ones(tmp_path: Path) -> None:
    wrong = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}}
    imported = load(tmp_path, [wrong, {"jsonrpc": "2.0"}, ask(2, "a"), give(2, content=[])])
    assert [item[0] for item in calls(imported)] == ["a"]
    assert imported.dropped == {"message that cannot be read": 2}
    assert [(item.code, item.line) for item in imported.findings if item.line] == [
        ("IRU005", 1),
        ("IRU020", 1),
        ("IRU020", 2),
    ]


@settings(deadline=None, max_examples=60)
@given(runs())
def test_random_calls_read_back(made: list[ObservedRun]) -> None:
    """One session holds the calls of one run; a file names neither its case nor its turns."""
    wanted = [call for _, call in made[0].tool_calls]
    lines = []
    for number, call in enumerate(wanted):
        lines.append(ask(number, call.name, call.args))
        if isinstance(call.result, str):
            failed = call.outcome == "error"
            result: Any = give(number, content=texts(call.result), isError=failed)
        else:
            result = give(number, content=[], structuredContent=call.result)
        lines.append(result)
    if not wanted:
        lines = [{"jsonrpc": "2.0", "id": 0, "method": "ping"}]
    with tempfile.TemporaryDirectory() as folder:
        text = "".join(dumps(line) + "\n" for line in lines)
        (run,) = read_runs(put(Path(folder), "s.jsonl", text)).runs
    kept = [call for _, call in run.tool_calls]
    assert [(c.name, c.args, c.outcome, c.result) for c in kept] == [
        (c.name, c.args, c.outcome, c.result) for c in wanted
    ]
