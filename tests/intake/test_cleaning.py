"""Secrets are gone from what an import writes, and from what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.intake.runs import read_runs
from assay.intake.runs.read import RunOptions
from assay.intake.runs.store import RunTarget, import_runs
from tests.support import POLICIES

KEY = "Zk3" + "aB7" * 12


def chat(case_id: str, *texts: str, **args: Any) -> dict[str, Any]:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "look_up", "arguments": json.dumps(args)},
    }
    return {
        "case_id": case_id,
        "messages": [
            {"role": "user", "content": texts[0]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": texts[1]},
            {"role": "assistant", "content": texts[2]},
        ],
    }


def write(folder: Path, *chats: dict[str, Any]) -> Path:
    path = folder / "chats.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in chats), encoding="utf-8")
    return path


def test_no_secret_is_written_or_said(tmp_path: Path) -> None:
    # The first run holds in plain words what only the second one tells to be a key.
    path = write(
        tmp_path,
        chat("a", f"use {KEY}", "ok", "done", mail="ana@shop.io"),
        chat("b", "hi", json.dumps({"x-api-key": KEY}), "sent to ana@shop.io", n=1),
        chat("bo@shop.io", "hi", "ok", "done"),
    )
    outcome = import_runs([path], RunTarget(tmp_path / "runs"), RunOptions())
    text = (tmp_path / "runs/imported/chats.jsonl").read_text(encoding="utf-8")
    said = json.dumps(outcome.as_json())
    for secret in (KEY, "ana@shop.io", "bo@shop.io"):
        assert secret not in text
        assert secret not in said
    assert text.count("redacted-1@mail.invalid") == 3
    assert text.count("redacted-api-key-1") == 2
    assert outcome.replaced == {"address": 4, "api-key": 1}
    found = [(f.code, f.case_id, f.pointer) for f in outcome.findings if f.code == "IRU035"]
    assert found == [("IRU035", "b", "/turns/0/tool_calls/0/result/x-api-key")]
    again = import_runs([path], RunTarget(tmp_path / "runs"), RunOptions())
    assert again.written == outcome.written
    assert len(read_runs(tmp_path / "runs/imported/chats.jsonl").runs) == 3


def test_addresses_of_the_suite_stay(tmp_path: Path) -> None:
    path = write(tmp_path, chat("a", "hi", "ok", "bo@shop.io", mail="ana@shop.io"))
    cases = tmp_path / "cases" / "post"
    cases.mkdir(parents=True)
    (cases / "a.evalset.json").write_text('{"text": "ask ana@shop.io"}', encoding="utf-8")
    target = RunTarget(tmp_path / "runs", "post", tmp_path / "cases")
    outcome = import_runs([path], target, RunOptions())
    text = (tmp_path / "runs/post/chats.jsonl").read_text(encoding="utf-8")
    assert "ana@shop.io" in text
    assert "bo@shop.io" not in text
    target = RunTarget(tmp_path / "other", "post", keep_addresses=True)
    outcome = import_runs([path], target, RunOptions())
    assert not outcome.replaced
    assert "bo@shop.io" in (tmp_path / "other/post/chats.jsonl").read_text(encoding="utf-8")


def test_an_unknown_policy_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, chat("a", "hi", "ok", "done"))
    truth = tmp_path / "truth"
    truth.mkdir()
    (truth / "policies.yaml").write_text(POLICIES, encoding="utf-8")
    for version, codes in (("refunds-v7", []), ("refunds-7", ["IRU037"])):
        target = RunTarget(tmp_path / version, truth=truth)
        outcome = import_runs([path], target, RunOptions(policy=version))
        found = [item for item in outcome.findings if item.code == "IRU037"]
        assert [item.code for item in found] == codes
        assert all("refunds-v7" in item.hint for item in found)
