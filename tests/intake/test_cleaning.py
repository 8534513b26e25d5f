"""Nothing is written that holds a secret, and nothing that truth asks for is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from assay.cli.main import assay
from assay.files.reading import json_lines
from assay.intake.runs.cleaning import Cleaned, clean_run
from assay.intake.runs.formats.records.native import run_line
from assay.intake.runs.load import load_runs
from assay.models.run import ObservedPlanStep, ObservedRun, ObservedTurn, ToolCall
from assay.redaction import Spared, find_secrets
from tests.intake.support import adk_set, adk_turn, message, put
from tests.intake.writers import runs
from tests.redaction.test_rules import FOUND
from tests.support import case, finish, make_repository, record

SECRET = "hunter-22!"
TOKEN = "ab12cd34ef56"


def chat(case_id: str = "refund-0142", mail: str = "ana@shop.io") -> dict[str, Any]:
    args = json.dumps({"user": mail, "password": SECRET})
    called = {"id": "c1", "type": "function", "function": {"name": "login", "arguments": args}}
    reply = json.dumps({"access_token": TOKEN, "admin": "bo@shop.io", "spare": "x@example.com"})
    return {
        "case_id": case_id,
        "messages": [
            {"role": "user", "content": f"Refund it, I am {mail}."},
            {"role": "assistant", "content": None, "tool_calls": [called]},
            {"role": "tool", "tool_call_id": "c1", "content": reply},
            {"role": "assistant", "content": f"Done, {SECRET} works for {mail.upper()}."},
        ],
    }


def run_of(args: list[str]) -> tuple[int, str, str]:
    result = CliRunner().invoke(assay, args, catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


def imported(folder: Path, *more: str, value: Any = None, root: Path | None = None) -> Any:
    """The report of an import, and its text as it was written."""
    source = put(folder, "c.jsonl", json.dumps(value or chat()) + "\n")
    out = (root or folder) / "runs"
    where = ["-C", str(root or folder)]
    code, printed, _ = run_of(
        [*where, "runs", "import", str(source), "--out", str(out), "--suite", "shop",
         "--format", "json", *more]
    )  # fmt: skip
    assert code == 0
    return json.loads(printed), (out / "shop" / "c.jsonl").read_text("utf-8")


def test_nothing_secret_is_written_or_said(tmp_path: Path) -> None:
    report, written = imported(tmp_path)
    said = json.dumps(report)
    for secret in (SECRET, TOKEN, "ana@shop.io", "ANA@SHOP.IO", "bo@shop.io"):
        assert secret not in written
        assert secret not in said
    assert "x@example.com" in written
    assert report["replaced"] == {"e-mail address": 5, "password": 3, "token": 1}
    assert [(item["code"], item.get("count", 1)) for item in report["findings"]] == [
        ("IRU031", 3),
        ("IRU033", 5),
        ("IRU031", 1),
    ]
    (run,) = load_runs(tmp_path / "runs" / "shop" / "c.jsonl")
    assert find_secrets(json.loads(written)) == ()
    assert run.turns[0].user == "Refund it, I am person-1@redacted.invalid."
    assert run.turns[0].tool_calls[0].args == {
        "user": "person-1@redacted.invalid",
        "password": "REDACTED-password-1",
    }
    assert run.final_answer == "Done, REDACTED-password-1 works for person-1@redacted.invalid."


def test_the_findings_name_file_and_place(tmp_path: Path) -> None:
    report, written = imported(tmp_path)
    line = json.loads(written)
    for item in report["findings"]:
        assert item["path"].endswith("c.jsonl")
        value = line
        for step in item["pointer"].split("/")[1:]:
            value = value[int(step)] if isinstance(value, list) else value[step]
        assert "REDACTED" in value or "redacted.invalid" in value


def test_the_text_says_how_many(tmp_path: Path) -> None:
    source = put(tmp_path, "c.jsonl", json.dumps(chat()) + "\n")
    out = str(tmp_path / "runs")
    code, printed, said = run_of(["runs", "import", str(source), "--out", out])
    assert code == 0
    assert "replaced  5 × e-mail address\nreplaced  3 × password\nreplaced  1 × token\n" in said
    assert SECRET not in said + printed


def test_importing_what_was_imported_changes_nothing(tmp_path: Path) -> None:
    _, written = imported(tmp_path)
    again = tmp_path / "runs" / "shop" / "c.jsonl"
    code, printed, _ = run_of(
        ["runs", "import", str(again), "--out", str(tmp_path / "b"), "--format", "json"]
    )
    assert code == 0
    assert json.loads(printed)["replaced"] == {}
    assert (tmp_path / "b" / "imported" / "c.jsonl").read_text("utf-8") == written


def test_addresses_can_be_kept_and_secrets_cannot(tmp_path: Path) -> None:
    report, written = imported(tmp_path, "--keep-addresses")
    assert report["replaced"] == {"password": 3, "token": 1}
    assert "ana@shop.io" in written
    assert SECRET not in written


def shop(root: Path, text: str, **fields: Any) -> Path:
    cases = [case("refund-0142", text)]
    return finish(make_repository(root, [record("refund-0142", **fields)], cases))


def test_what_the_case_says_stays(tmp_path: Path) -> None:
    root = shop(tmp_path / "bench", "Refund it, I am ana@shop.io.")
    report, written = imported(tmp_path, root=root)
    assert report["replaced"]["e-mail address"] == 1
    assert "I am ana@shop.io" in written
    assert "bo@shop.io" not in written


def test_what_the_label_asks_for_stays(tmp_path: Path) -> None:
    args = {"user": "ana@shop.io", "password": SECRET}
    root = shop(tmp_path / "bench", "Log in.", required_tools=[{"tool": "login", "args": args}])
    _, written = imported(tmp_path, root=root)
    line = json.loads(written)
    assert line["turns"][0]["tool_calls"][0]["args"] == args
    assert TOKEN not in written


def test_params_can_list_what_stays(tmp_path: Path) -> None:
    root = shop(tmp_path / "bench", "Log in.")
    with (root / "params.yaml").open("a", encoding="utf-8") as file:
        file.write('redaction:\n  keep: ["@shop.io"]\n  keep_fields: [access_token]\n')
    report, _ = imported(tmp_path, root=root)
    assert report["replaced"] == {"password": 3}


def test_every_field_that_can_hold_text_is_cleaned() -> None:
    held = "ana@shop.io"
    call = ToolCall(
        name="mail", server=held, id=held, args={"to": [held]}, result={held: held}, error=held
    )
    run = ObservedRun(
        run="r",
        case_id="c",
        trace_id=held,
        agent=held,
        model=held,
        turns=(ObservedTurn(user=held, answer=held, tool_calls=(call,)),),
        final_answer=held,
        final_state={"to": {held: 1}},
        planning_steps=(ObservedPlanStep(agent=held, instruction=held),),
        infrastructure_errors=(held,),
    )
    cleaned, found = clean_run(run).run, clean_run(run).found
    assert held not in cleaned.model_dump_json()
    assert held not in clean_run(run).line
    assert len(found) == 16
    assert ObservedRun.model_validate(cleaned.model_dump()) == cleaned
    assert clean_run(cleaned) == Cleaned(cleaned, run_line(cleaned))
    assert clean_run(run, Spared(addresses=True)) == Cleaned(run, run_line(run))


@pytest.mark.parametrize("first", ["bo@shop.io", "ana@shop.io"])
def test_the_users_words_are_numbered_first(first: str) -> None:
    call = ToolCall(name="who", result=[first, "ana@shop.io", "bo@shop.io"])
    turns = (
        ObservedTurn(user="I wrote.", tool_calls=(call,)),
        ObservedTurn(user="from bo@shop.io and cy@shop.io"),
    )
    cleaned = clean_run(ObservedRun(run="r", case_id="c", turns=turns)).run
    assert cleaned.turns[1].user == "from person-1@redacted.invalid and person-2@redacted.invalid"


def test_cases_are_cleaned_and_agree_with_their_runs(tmp_path: Path) -> None:
    turn = adk_turn(
        user_content=message("Refund it, I am ana@shop.io.", "user"),
        intermediate_data={
            "tool_uses": [{"name": "login", "args": {"user": "ana@shop.io", "password": SECRET}}]
        },
    )
    source = put(tmp_path, "s.json", adk_set({"eval_id": "refund-0142", "conversation": [turn]}))
    root = tmp_path / "bench"
    code, printed, _ = run_of(
        ["cases", "import", str(source), "--out", str(root / "cases"), "--suite", "shop",
         "--owner", "ana", "--licence", "CC0-1.0", "--format", "json"]
    )  # fmt: skip
    assert code == 0
    report = json.loads(printed)
    assert report["replaced"] == {"e-mail address": 2, "password": 1}
    assert {"ICA042", "ICA043"} <= {item["code"] for item in report["findings"]}
    text = (root / "cases/shop/s.evalset.json").read_text("utf-8")
    assert SECRET not in text
    _, written = imported(tmp_path, "--cases", str(root / "cases"), root=root)
    (expected,) = json.loads(text)["eval_cases"][0]["conversation"][0]["intermediate_data"][
        "tool_uses"
    ]
    assert json.loads(written)["turns"][0]["tool_calls"][0]["args"] == expected["args"]


def test_drafts_are_cleaned(tmp_path: Path) -> None:
    turn = adk_turn(
        user_content=message("I am ana@shop.io.", "user"),
        intermediate_data={"tool_uses": [{"name": "login", "args": {"user": "ana@shop.io"}}]},
    )
    source = put(tmp_path, "s.json", adk_set({"eval_id": "refund-0142", "conversation": [turn]}))
    out = tmp_path / "drafts"
    code, printed, _ = run_of(
        ["truth", "draft", "--from", "adk", str(source), "--out", str(out), "--format", "json"]
    )
    assert code == 0
    assert "ICA043" in {item["code"] for item in json.loads(printed)["findings"]}
    texts = [path.read_text("utf-8") for path in sorted(out.rglob("*.json"))]
    assert not any("ana@shop.io" in text for text in texts)
    assert sum('"user": "person-1@redacted.invalid"' in text for text in texts) == 2


def test_an_import_reads_cases_only_when_it_must(tmp_path: Path) -> None:
    root = shop(tmp_path / "bench", "Refund it.")
    (root / "cases/shop/shop.evalset.json").write_bytes(b"\xff")
    quiet = chat(mail="ana@example.com")
    quiet["messages"] = quiet["messages"][:1]
    report, _ = imported(tmp_path, value=quiet, root=root)
    assert report["replaced"] == {}
    assert list(json_lines(root / "runs/shop/c.jsonl"))


@settings(max_examples=100)
@given(runs())
def test_random_runs_lose_nothing(made: list[ObservedRun]) -> None:
    for run in made:
        cleaned = clean_run(run)
        assert (cleaned.run is run) == (not cleaned.found)
        assert cleaned.line == run_line(cleaned.run)
        assert clean_run(cleaned.run) == Cleaned(cleaned.run, cleaned.line)
        assert [c.name for _, c in cleaned.run.tool_calls] == [c.name for _, c in run.tool_calls]


@pytest.mark.parametrize("value", [value for value, _ in FOUND], ids=lambda item: str(item)[:30])
def test_the_first_look_overlooks_nothing(value: Any) -> None:
    run = ObservedRun(run="r", case_id="a", final_state=value)
    assert clean_run(run).found


MAIL = "ana.lima@shop.io"


def test_a_case_id_that_is_an_address_is_cleaned(tmp_path: Path) -> None:
    report, written = imported(tmp_path, value=chat(MAIL, "bo@example.com"))
    line = json.loads(written)
    assert MAIL not in written + json.dumps(report)
    assert line["case_id"].startswith("redacted-")
    assert "ana" not in line["case_id"]
    assert report["replaced"]["e-mail address"] == 2  # The other one is the admin's.
    _, again = imported(tmp_path, "--replace", value=chat(MAIL.upper(), "bo@example.com"))
    assert json.loads(again)["case_id"] == line["case_id"]
    _, other = imported(tmp_path, "--replace", value=chat("bo@shop.io", "bo@example.com"))
    assert json.loads(other)["case_id"] != line["case_id"]


def test_a_case_id_that_the_suite_knows_stays(tmp_path: Path) -> None:
    mapped = put(tmp_path, "map.json", {MAIL: "refund-0142"})
    _, written = imported(tmp_path, "--case-id-from", str(mapped), value=chat(MAIL))
    assert json.loads(written)["case_id"] == "refund-0142"
    _, kept = imported(tmp_path, "--keep-addresses", "--replace", value=chat(MAIL))
    assert json.loads(kept)["case_id"] == MAIL


@pytest.mark.parametrize("foreign", [MAIL, f"refunds/{MAIL}/3", f"{MAIL}#7"])
def test_a_case_and_its_run_have_one_id(tmp_path: Path, foreign: str) -> None:
    source = put(tmp_path, "s.json", adk_set({"eval_id": foreign, "conversation": [adk_turn()]}))
    root = tmp_path / "bench"
    code, printed, said = run_of(
        ["cases", "import", str(source), "--out", str(root / "cases"), "--suite", "shop",
         "--owner", "ana", "--licence", "CC0-1.0", "--format", "json"]
    )  # fmt: skip
    assert code == 0
    report, written = imported(
        tmp_path, "--cases", str(root / "cases"), root=root, value=chat(foreign)
    )
    (held,) = json.loads((root / "cases/shop/s.evalset.json").read_text("utf-8"))["eval_cases"]
    assert json.loads(written)["case_id"] == held["eval_id"]
    assert "IRU010" not in {item["code"] for item in report["findings"]}
    for path in root.rglob("*"):
        assert path.is_dir() or "lima" not in path.read_text("utf-8")
    assert "lima" not in printed + said


def test_what_a_later_run_names_is_found_in_an_earlier_one(tmp_path: Path) -> None:
    held, word = "zq81mmx2-secretly", "rosebud"
    before, after = chat("a", "bo@example.com"), chat("b", "bo@example.com")
    before["messages"] = [
        {"role": "user", "content": f"I have {held} and {word}."},
        {"role": "assistant", "content": "Well."},
    ]
    after["messages"][2]["content"] = json.dumps({"password": held, "passcode": word})
    source = put(tmp_path, "c.jsonl", f"{json.dumps(before)}\n{json.dumps(after)}\n")
    out = tmp_path / "runs"
    args = ["runs", "import", str(source), "--out", str(out), "--format", "json"]
    code, printed, _ = run_of(args)
    assert code == 0
    report = json.loads(printed)
    written = (out / "imported/c.jsonl").read_text("utf-8")
    assert held not in written + printed
    # A word could be any word: it goes where it was named, and where else in that run.
    assert written.count(word) == 1
    (first, _) = load_runs(out / "imported/c.jsonl")
    assert first.turns[0].user == f"I have REDACTED-password-1 and {word}."
    (found,) = [item for item in report["findings"] if item["path"].endswith("imported/c.jsonl")]
    assert (found["code"], found["case_id"], found["pointer"]) == ("IRU031", "a", "/turns/0/user")
    assert report["replaced"]["password"] == 6
    code, printed, _ = run_of(args)
    assert (code, (out / "imported/c.jsonl").read_text("utf-8")) == (0, written)


@pytest.mark.parametrize("many", [3, 70])
def test_many_runs_that_name_each_others_secrets(tmp_path: Path, many: int) -> None:
    held = [f"zq{index:04d}mmx2" for index in range(many)]
    lines = []
    for index in range(many):
        made = chat(f"c{index}", "bo@example.com")
        made["messages"][0]["content"] = f"It was '{held[index - 1]}', or was it?"
        made["messages"][2]["content"] = json.dumps({"access_token": held[index]})
        lines.append(json.dumps(made))
    source = put(tmp_path, "c.jsonl", "\n".join(lines) + "\n")
    code, printed, _ = run_of(
        ["runs", "import", str(source), "--out", str(tmp_path), "--format", "json"]
    )
    assert code == 0
    written = (tmp_path / "imported/c.jsonl").read_text("utf-8")
    assert [text for text in held if text in written + printed] == []
    assert json.loads(printed)["replaced"]["token"] == 2 * many
