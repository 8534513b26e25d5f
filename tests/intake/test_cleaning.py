"""Secrets never reach the file: what is replaced, what stays, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from assay.intake.runs import RunOptions
from assay.intake.runs.cleaning import clean_run, words
from assay.intake.runs.formats.records.native import run_line
from assay.intake.runs.store import RunTarget, import_runs
from assay.models.run import ObservedRun
from assay.redaction import redact
from assay.redaction.suspicion import suspicious
from tests.intake.writers import runs
from tests.redaction.test_rules import FOUND

KEY = "sk-proj-a1B2c3D4e5F6g7H8i9J0"
ADDRESS = "mia.li@firm.co"


def chat(case_id: str = "a", **more: Any) -> dict[str, Any]:
    call = {
        "id": "c1",
        "type": "function",
        "function": {
            "name": "mail",
            "arguments": json.dumps({"to": ADDRESS, "headers": {"authorization": f"Bearer {KEY}"}}),
        },
    }
    return {
        "case_id": case_id,
        "messages": [
            {"role": "user", "content": f"I am {ADDRESS}, my password: hunter2!x"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": json.dumps({"token_count": 5})},
            {"role": "assistant", "content": f"Sent to {ADDRESS}."},
        ],
        **more,
    }


def imported(folder: Path, lines: list[dict[str, Any]], **more: Any) -> tuple[str, Any]:
    path = folder / "x.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    outcome = import_runs([path], RunTarget(folder / "runs", "post", **more), RunOptions(run="r"))
    return (folder / "runs/post/r.jsonl").read_text(), outcome


def test_nothing_of_it_is_written(tmp_path: Path) -> None:
    text, outcome = imported(tmp_path, [chat("a"), chat("b")])
    for secret in (KEY, ADDRESS, "hunter2!x"):
        assert secret not in text
    assert text.count("person-1@redacted.invalid") == 8, "each run by itself, the same all over it"
    assert '"token_count": 5' in text
    (found,) = [item for item in outcome.findings if item.code == "IRU031"]
    assert found.count == 12
    assert "8 e-mail addresses" in found.message
    assert ADDRESS not in found.message


def test_an_address_that_the_suite_knows_stays(tmp_path: Path) -> None:
    suite = tmp_path / "cases/post"
    suite.mkdir(parents=True)
    (suite / "s.evalset.json").write_text(json.dumps({"who": ADDRESS.upper()}))
    text, _ = imported(tmp_path, [chat()], cases=tmp_path / "cases")
    assert text.count(ADDRESS) == 4
    assert KEY not in text
    labels = tmp_path / "truth/records/post"
    labels.mkdir(parents=True)
    (suite / "s.evalset.json").unlink()
    (labels / "a.r0001.json").write_text(json.dumps({"args": {"to": ADDRESS}}))
    text, _ = imported(tmp_path, [chat()], cases=tmp_path / "cases", replace=True)
    assert text.count(ADDRESS) == 4


def test_addresses_can_be_kept_and_secrets_cannot(tmp_path: Path) -> None:
    text, _ = imported(tmp_path, [chat()], keep_addresses=True)
    assert text.count(ADDRESS) == 4
    assert KEY not in text


def test_a_run_without_any_is_the_same_object() -> None:
    run = ObservedRun(run="r", case_id="a", final_answer="40.00 on 2026-11-30, order 0142")
    assert clean_run(run)[0] is run


@settings(deadline=None, max_examples=100)
@given(runs())
def test_random_runs_lose_nothing(made: list[ObservedRun]) -> None:
    for run in made:
        cleaned, counts = clean_run(run)
        assert (cleaned == run) == (not counts)
        assert clean_run(cleaned) == (cleaned, {}), "a second look finds nothing"
        assert [c.name for _, c in cleaned.tool_calls] == [c.name for _, c in run.tool_calls]


@pytest.mark.parametrize(("value", "clean"), FOUND, ids=lambda item: str(item)[:30])
def test_the_quick_look_never_says_no_wrongly(value: Any, clean: Any) -> None:
    assert redact(value)[1]
    run = ObservedRun(run="r", case_id="a", final_state=value)
    assert suspicious(run_line(run))
    assert clean_run(run)[1]


def test_words() -> None:
    run = ObservedRun(run="r", case_id="a", final_answer=f"{ADDRESS} {KEY}")
    assert words(clean_run(run)[1]) == "1 API key and 1 e-mail address"
