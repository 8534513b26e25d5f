"""Drafts: what other benchmarks expect, said as records; never more than a draft."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError, UsageError
from assay.files.model_text import model_text
from assay.files.reading import parse_json, read_json
from assay.files.validation import require
from assay.files.yamls import read_yaml
from assay.intake.draft_folder import write_drafts
from assay.intake.drafts import DraftImport, draft
from assay.intake.drafts.effects import effects, verb_effect
from assay.ledger.repository import Repository
from assay.models.catalog import ToolCatalog
from assay.models.truth import TruthRecord
from tests.intake.support import (
    ANSWER,
    CASE_SHAPES,
    LEGACY_TURN,
    QUESTION,
    adk_set,
    adk_turn,
    message,
    put,
    tau_result,
)

GOLD = [
    {"name": "get_parcel", "kwargs": {"parcel_id": "17"}},
    {"name": "refund_parcel", "kwargs": {"parcel_id": "17", "amount": 4.50}},
    {"name": "refund_parcel", "kwargs": {"parcel_id": "17", "amount": 4.5}},
    {"name": "send_mail", "kwargs": {"to": "bo"}},
    {"name": "transfer_to_human_agents", "kwargs": {"summary": "?"}},
]


def task(number: int, actions: list[Any], outputs: list[str], **more: Any) -> dict[str, Any]:
    result = tau_result(task_id=number, **more)
    result["info"]["task"] |= {"actions": actions, "outputs": outputs}
    return result


def tau(folder: Path, *results: dict[str, Any], **more: Any) -> DraftImport:
    return draft("tau-bench", put(folder, "t.json", list(results)), suite="post", **more)


def codes(made: DraftImport) -> list[str]:
    return [item.code for item in made.findings]


# -- tau-bench ------------------------------------------------------------------------------


def test_gold_calls_that_write_are_required(tmp_path: Path) -> None:
    made = tau(tmp_path, task(7, GOLD, ["1628", "van"]))
    (record,) = made.records
    assert (record.case_id, record.source_id) == ("post-007", "7")
    assert (record.status, record.change, record.revision) == ("draft", "new", 1)
    assert record.drafted_by == "import:tau-bench"
    assert "t.json" in record.rationale[0]
    assert [(r.tool, r.args.get("parcel_id"), r.min, r.max) for r in record.required] == [
        ("refund_parcel", "17", 2, None),
        ("send_mail", None, 1, None),
    ]
    assert record.max_calls == {"refund_parcel": 2, "send_mail": 1}
    assert [fact.any_of for fact in record.facts] == [("1628",), ("van",)]
    assert record.forbidden_tools == ()
    assert codes(made) == ["IDR003"]
    assert "get_parcel ×1, transfer_to_human_agents ×1" in made.findings[0].message


def test_tools_that_a_task_does_not_use_may_not_succeed(tmp_path: Path) -> None:
    made = tau(tmp_path, task(1, GOLD, []), task(2, [], [], trial=0))
    assert made.records[1].max_calls == {"refund_parcel": 0, "send_mail": 0}
    assert "IDR002" in codes(made)
    assert made.records[1].witnesses is None
    assert any("does nothing passes" in text for text in made.records[1].rationale)


def test_the_gold_actions_are_a_witness(tmp_path: Path) -> None:
    (record,) = tau(tmp_path, task(7, GOLD, ["1628"])).records
    assert record.witnesses is not None
    (witness,) = record.witnesses.accept
    assert witness.answer == "1628"
    assert witness.tool_calls is not None
    assert [call.tool for call in witness.tool_calls] == [action["name"] for action in GOLD]


def test_the_case_is_the_task_s_user(tmp_path: Path) -> None:
    late = task(7, GOLD, [], trial=1)
    late["traj"][1] = {"role": "user", "content": "Later."}
    made = tau(tmp_path, late, task(7, GOLD, []))
    (case,) = made.eval_sets[0].eval_cases
    assert case.conversation_scenario == {
        "starting_prompt": QUESTION,
        "conversation_plan": "You want to know where parcel 17 is.",
    }
    assert case.session_input is not None
    assert case.session_input.user_id == "u1"
    assert made.attributes["post-007"].source_id == "7"


def test_tools_are_listed_with_their_effect(tmp_path: Path) -> None:
    made = tau(tmp_path, task(7, GOLD, []))
    assert {tool.name: tool.effect for tool in made.tools.tools} == {
        "get_parcel": "reads",
        "refund_parcel": "writes",
        "send_mail": "writes",
        "track_parcel": "reads",
        "transfer_to_human_agents": "reads",
    }
    assert [t.name for t in made.tools.tools] == sorted(t.name for t in made.tools.tools)


def test_a_tool_of_which_nothing_is_known_is_taken_to_write(tmp_path: Path) -> None:
    actions = [{"name": "frobnicate", "kwargs": {"x": 1}}]
    made = tau(tmp_path, task(1, actions, []))
    assert [r.tool for r in made.records[0].required] == ["frobnicate"]
    (warning,) = [item for item in made.findings if "frobnicate" in item.message]
    assert (warning.code, warning.severity) == ("IDR001", "warning")
    assert "--writes frobnicate" in warning.hint
    named = tau(tmp_path, task(1, actions, []), writes=["frobnicate"])
    assert not [item for item in named.findings if "frobnicate" in item.message]


def test_a_catalogue_beside_the_file_decides(tmp_path: Path) -> None:
    put(tmp_path, "tools.yaml", "tools:\n  - {name: refund_parcel, effect: reads}\n")
    made = tau(tmp_path, task(7, GOLD, []))
    assert [r.tool for r in made.records[0].required] == ["send_mail"]


def test_trials_that_disagree_about_the_task_are_named(tmp_path: Path) -> None:
    made = tau(tmp_path, task(7, GOLD, []), task(7, GOLD[:2], [], trial=1))
    assert "IDR008" in codes(made)
    assert made.records[0].max_calls["send_mail"] == 1


def test_what_looks_like_a_matcher_is_left_out(tmp_path: Path) -> None:
    actions = [{"name": "send_mail", "kwargs": {"to": {"$any": True}, "cc": "bo"}}]
    made = tau(tmp_path, task(7, actions, []))
    assert made.records[0].required[0].args == {"cc": "bo"}
    assert "IDR004" in codes(made)


def test_odd_outputs(tmp_path: Path) -> None:
    made = tau(tmp_path, task(7, [], [" ", "1,628"]))
    assert [fact.any_of for fact in made.records[0].facts] == [("1,628",)]
    assert codes(made).count("IDR004") == 2


def test_the_benchmark_s_own_answer_is_no_tool(tmp_path: Path) -> None:
    actions = [{"name": "respond", "kwargs": {"content": "Hi"}}, GOLD[3]]
    made = tau(tmp_path, task(7, actions, []))
    assert "respond" not in {tool.name for tool in made.tools.tools}
    assert [r.tool for r in made.records[0].required] == ["send_mail"]


def test_lists_of_tasks_without_runs(tmp_path: Path) -> None:
    tasks = [{"instruction": "Go.", "actions": GOLD, "outputs": []}] * 2
    made = draft("tau-bench", put(tmp_path, "tasks.json", tasks), suite="post")
    assert [record.case_id for record in made.records] == ["post-000", "post-001"]
    prompt = made.eval_sets[0].eval_cases[0].conversation_scenario
    assert prompt == {"starting_prompt": "Go.", "conversation_plan": "Go."}


@pytest.mark.parametrize("value", [[], {}, [{"a": 1}], adk_set()])
def test_files_without_tasks_are_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError):
        draft("tau-bench", put(tmp_path, "x.json", value))


@pytest.mark.parametrize(
    ("name", "writes"),
    [
        ("get_user_details", False),
        ("find_user_id_by_email", False),
        ("list_all_airports", False),
        ("think", False),
        ("calculate", False),
        ("cancel_pending_order", True),
        ("exchange_delivered_order_items", True),
        ("return_delivered_order_items", True),
        ("modify_user_address", True),
        ("sendMail", True),
        ("mcp__mail__send", True),
        ("crm/update_contact", True),
        ("transfer_to_human_agents", False),
        ("transfer_funds", True),
        ("customer_update", True),
        ("order_status", None),
        ("frobnicate", None),
    ],
)
def test_verbs(name: str, writes: bool | None) -> None:
    assert verb_effect(name) is writes


def test_who_says_that_a_tool_writes() -> None:
    found = effects(["get_a", "b"], ["get_a", "z"], ToolCatalog())
    assert {name: (e.writes, e.ground) for name, e in found.items()} == {
        "b": (True, "guess"),
        "get_a": (True, "caller"),
        "z": (True, "caller"),
    }


# -- ADK ------------------------------------------------------------------------------------


def adk(folder: Path, *turns: dict[str, Any], **case: Any) -> DraftImport:
    made = adk_set({"eval_id": "parcel-17", "conversation": list(turns), **case})
    return draft("adk", put(folder, "a.json", made))


@pytest.mark.parametrize("shape", sorted(set(CASE_SHAPES) - {"platform"}))
def test_every_shape_gives_the_same_draft(tmp_path: Path, shape: str) -> None:
    (record,) = draft("adk", put(tmp_path, "a.json", CASE_SHAPES[shape])).records
    assert [(r.tool, r.args, r.turn) for r in record.required] == [
        ("track_parcel", {"parcel_id": "17", "deep": True}, None)
    ]
    assert record.acceptable_answers == (ANSWER,)
    assert (record.status, record.drafted_by) == ("draft", "import:adk")


def test_turns_are_named_where_there_are_several(tmp_path: Path) -> None:
    made = adk(tmp_path, adk_turn(), adk_turn(), {"user_content": "Thanks."})
    (record,) = made.records
    assert [(r.tool, r.turn) for r in record.required] == [
        ("track_parcel", 0),
        ("track_parcel", 1),
    ]
    assert record.acceptable_answers == ()
    assert codes(made) == ["IDR006", "IDR006"]


def test_a_long_answer_becomes_a_criterion(tmp_path: Path) -> None:
    words = "The parcel went from the depot to the van, then from the van to the neighbour's door."
    made = adk(tmp_path, adk_turn(final_response=message(words, "model")))
    (record,) = made.records
    assert record.acceptable_answers == ()
    assert [criterion.id for criterion in record.rubric] == ["example-answer"]
    assert words in record.rubric[0].text
    assert "IDR009" in codes(made)


@pytest.mark.parametrize("answer", ["TODO", "I found xx results.", " "])
def test_placeholders_are_no_label(tmp_path: Path, answer: str) -> None:
    (record,) = adk(tmp_path, adk_turn(final_response=message(answer, "model"))).records
    assert record.acceptable_answers == ()
    assert record.rubric == ()


def test_rubrics_and_final_state(tmp_path: Path) -> None:
    def rubric(text: str) -> dict[str, Any]:
        return {"rubricId": "kind", "rubricContent": {"textProperty": text}}

    turn = adk_turn(rubrics=[rubric("Is the answer kind?")])
    made = adk(
        tmp_path,
        turn,
        rubrics=[rubric("Is it short?")],
        final_session_state={"a/b": {"n": 1}, "m": {"$any": 1}},
    )
    (record,) = made.records
    assert [(c.id, c.text) for c in record.rubric] == [
        ("kind", "Is it short?"),
        ("kind-again", "Is the answer kind?"),
    ]
    assert record.state is not None
    assert [(check.path, check.equals) for check in record.state] == [("/a~1b", {"n": 1})]
    assert "IDR004" in codes(made)


def test_expected_silence_is_named(tmp_path: Path) -> None:
    made = adk(tmp_path, adk_turn(intermediate_data={"tool_uses": []}))
    assert "IDR007" in codes(made)
    assert made.records[0].required_tools == ()


def test_a_case_that_expects_nothing_has_no_draft(tmp_path: Path) -> None:
    made = adk(tmp_path, {"user_content": "Hi."})
    assert made.records == ()
    assert "IDR005" in codes(made)
    assert len(made.eval_sets[0].eval_cases) == 1


def test_foreign_ids_go_along(tmp_path: Path) -> None:
    value = [{"name": "../Parcel 17", "data": [LEGACY_TURN]}]
    (record,) = draft("adk", put(tmp_path, "a.json", value)).records
    assert record.source_id == "../Parcel 17"
    assert record.case_id.startswith("parcel-17-")


def test_an_unknown_source_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        draft("nonsense", tmp_path)


# -- folders --------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["tau-bench", "adk"])
def test_a_folder_of_drafts_is_a_repository(tmp_path: Path, source: str) -> None:
    value = [task(7, GOLD, ["van"]), task(8, [], [])] if source == "tau-bench" else adk_set()
    out = tmp_path / "drafts"
    made = write_drafts(source, put(tmp_path, "x.json", value), out, suite="post", owner="ana")
    assert not made.broken
    repository = Repository.load(out)
    assert len(repository.records) == made.records
    assert len(repository.cases) == made.cases
    for stored in repository.records:
        assert stored.record.status == "draft"
        assert stored.record.case_id in repository.cases
    catalogue = read_yaml(out / "truth/tools.yaml").require(ToolCatalog)
    assert catalogue.tools
    json.dumps(made.as_json())


def test_drafting_again_changes_nothing_and_harms_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, "x.json", [task(7, GOLD, ["van"])])
    out = tmp_path / "drafts"
    first = write_drafts("tau-bench", path, out, suite="post")
    before = {name: Path(name).read_bytes() for name in first.written}
    assert write_drafts("tau-bench", path, out, suite="post").written == first.written
    put(tmp_path, "x.json", [task(7, GOLD[:2], [])])
    with pytest.raises(Exception, match="other content"):
        write_drafts("tau-bench", path, out, suite="post")
    assert {name: Path(name).read_bytes() for name in first.written} == before


@pytest.mark.parametrize(("suite", "owner"), [("../x", "ana"), ("post", "../ana")])
def test_folders_have_proper_names(tmp_path: Path, suite: str, owner: str) -> None:
    path = put(tmp_path, "x.json", [task(7, GOLD, [])])
    with pytest.raises(UsageError):
        write_drafts("tau-bench", path, tmp_path / "d", suite=suite, owner=owner)
    assert not (tmp_path / "d").exists()


def test_records_are_canonical_files(tmp_path: Path) -> None:
    path = put(tmp_path, "x.json", [task(7, GOLD, ["van"])])
    out = tmp_path / "drafts"
    write_drafts("tau-bench", path, out, suite="post")
    file = out / "truth/records/post/post-007.r0001.json"
    record = require(TruthRecord, read_json(file), name="x")
    assert model_text(record) == file.read_text("utf-8")
    assert parse_json(model_text(record), name="x")
