"""``assay runs show``: a table of cases, one conversation, and what a terminal must not do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.pipeline.history import entry, write_run
from tests.support import finish, make_repository

CALL = {
    "name": "issue_refund",
    "server": "payments",
    "args": {"order_id": "0142", "amount": 40},
    "outcome": "error",
    "error": "limit\x1b[31m reached",
    "duration_ms": 1250,
    "parallel_group": 0,
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_repository(tmp_path)
    finish(tmp_path)
    told = {"turns": [{"user": "Refund 0142.\nNow.", "tool_calls": [CALL, CALL], "answer": "No."}]}
    write_run(
        tmp_path,
        [
            entry("refund-0142", tokens_in=30, tokens_out=4, cost="0.02", trace_id="t-1", **told),
            entry("refund-0142", 1, infrastructure_errors=["model gone"], unknown=["tokens"]),
        ],
    )
    return tmp_path


def test_a_table(root: Path, run: Run) -> None:
    code, out, _ = run("runs", "show", "agent", root=root)
    assert code == 0
    assert out == (
        "case        trial turns calls failed  tokens     cost  question\n"
        "refund-0142     1     1     2      2      34     0.02  Refund 0142. Now.\n"
        "refund-0142     2     1     1              ?        ?  harness: model gone\n"
        "\n1 case; 2 conversations; 3 calls, 2 failed; 1 lost to the harness.\n"
        "Not recorded, in some or all: tokens.\n"
    )


def test_a_conversation(root: Path, run: Run) -> None:
    code, out, _ = run("runs", "show", "agent", "refund-0142", "--trial", "1", root=root)
    assert code == 0
    assert out.startswith("refund-0142  trial 1  shopkeeper  m-1  34 tokens  0.02 USD  trace t-1\n")
    flat = " ".join(out.split())
    assert "payments/issue_refund" in flat
    assert "[together 1] [1,250 ms]" in flat
    assert "\x1b" not in out
    assert "limit\\e[31m reached" in out
    both = run("runs", "show", "agent", "refund-0142", root=root)[1]
    assert "trial 2" in both


def test_json_is_what_is_stored(root: Path, run: Run) -> None:
    _, out, _ = run("runs", "show", "agent", "--format", "json", root=root)
    value = json.loads(out)
    assert value["schema_version"] == 1
    assert [item.get("trial", 0) for item in value["runs"]] == [0, 1]


def test_any_trace_file(root: Path, run: Run) -> None:
    path = root / "chat.jsonl"
    message = {"role": "user", "content": "Hello"}
    path.write_text(json.dumps({"case_id": "a", "messages": [message]}) + "\n")
    code, out, _ = run("runs", "show", str(path), "a", root=root)
    assert code == 0
    assert "no answer" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("agnt",), 2, "did you mean agent?"),
        (("agent", "refund-0143"), 2, "did you mean refund-0142?"),
        (("agent", "refund-0142", "--trial", "9"), 2, "trials: 1, 2"),
        (("agent", "refund-0142", "--trial", "0"), 2, "0"),
        (("nowhere.jsonl",), 2, "nowhere.jsonl"),
    ],
)
def test_wrong_names(root: Path, run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    found, _, err = run("runs", "show", *words, root=root)
    assert found == code
    assert said in err


def test_verdicts_are_no_conversation(root: Path, run: Run) -> None:
    (root / "v.csv").write_text("case_id,passed\na,true\n")
    code, _, err = run("runs", "show", str(root / "v.csv"), root=root)
    assert code == 3
    assert "no conversation" in err


def test_a_policy_that_does_not_judge_is_said(root: Path, run: Run) -> None:
    write_run(root, [entry("refund-0142", policy="refunds-v6")])
    _, out, err = run("score", "--runs", "agent", root=root)
    flat = " ".join(out.split())
    assert "agent on shop was given refunds-v6 and is judged by refunds-v7 in 1 of 1 entry." in flat
    assert err == ""
    _, out, err = run("score", "--runs", "agent", "--format", "json", root=root)
    json.loads(out)
    assert "shop/agent was given refunds-v6 and is judged by refunds-v7." in err
    _, out, _ = run("why", "refund-0142", "--run", "agent", root=root)
    assert "The agent was given refunds-v6; it is judged by refunds-v7." in " ".join(out.split())
    write_run(root, [entry("refund-0142", policy="refunds-v7")])
    assert "was given" not in "".join(map(str, run("score", "--runs", "agent", root=root)))


def test_full_shows_values_whole(root: Path, run: Run) -> None:
    call = {"name": "look", "args": {}, "outcome": "ok", "result": "ab " * 3000 + "end."}
    write_run(root, [entry("refund-0142", turns=[{"user": "Look.", "tool_calls": [call]}])])
    assert "end." not in run("runs", "show", "agent", "refund-0142", root=root)[1]
    assert "end." in run("runs", "show", "agent", "refund-0142", "--full", root=root)[1]
