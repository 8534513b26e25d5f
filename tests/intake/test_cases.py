"""Cases: one case in every shape is one case; every deviation is named."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.intake.cases import CaseImport, read_cases
from assay.intake.codes import CODES
from assay.intake.drafts.adk import tool_uses
from assay.models.case import EvalCase
from tests.intake.support import (
    ANSWER,
    CASE_SHAPES,
    LEGACY_TURN,
    QUESTION,
    adk_set,
    adk_turn,
    message,
    put,
)


def read(folder: Path, value: Any, name: str = "parcels.json") -> CaseImport:
    return read_cases(put(folder, name, value), name=name)


def only(imported: CaseImport) -> EvalCase:
    (made,) = imported.eval_sets
    (case,) = made.eval_cases
    return case


def codes(imported: CaseImport) -> dict[str, int]:
    return {item.code: item.count for item in imported.findings}


@pytest.mark.parametrize("shape", sorted(CASE_SHAPES))
def test_one_case_in_every_shape(tmp_path: Path, shape: str) -> None:
    imported = read(tmp_path, CASE_SHAPES[shape])
    case = only(imported)
    assert case.eval_id == "parcel-17"
    assert imported.read == 1
    assert case.conversation is not None
    (turn,) = case.conversation
    assert turn.user_content.text == QUESTION
    assert turn.final_response is not None
    assert (turn.final_response.text, turn.final_response.role) == (ANSWER, "model")
    assert [(use.name, use.args) for use in tool_uses(turn)] == [
        ("track_parcel", {"parcel_id": "17", "deep": True})
    ]
    assert not any(item.severity == "error" for item in imported.findings)


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        ("adk", {}),
        ("adk-camel", {"ICA010": 7}),
        ("cases", {"ICA027": 1}),
        ("trpc", {"ICA010": 5, "ICA014": 2, "ICA019": 1}),
        ("legacy-named", {"ICA011": 1, "ICA012": 1}),
        ("cookbook", {"ICA013": 1}),
        ("platform", {"ICA015": 1, "ICA017": 2}),
        ("result", {"ICA016": 1}),
    ],
)
def test_every_deviation_is_named(tmp_path: Path, shape: str, wanted: dict[str, int]) -> None:
    assert codes(read(tmp_path, CASE_SHAPES[shape])) == wanted


def test_severities_follow_the_codes(tmp_path: Path) -> None:
    for shape in CASE_SHAPES.values():
        for item in read(tmp_path, shape).findings:
            assert item.severity == CODES[item.code][0]


def test_a_flat_legacy_list_is_one_conversation(tmp_path: Path) -> None:
    imported = read(tmp_path, [LEGACY_TURN, {"query": "And 18?"}], "trip.test.json")
    case = only(imported)
    assert case.eval_id == "trip"
    assert case.conversation is not None
    assert len(case.conversation) == 2
    second = case.conversation[1]
    assert second.final_response is None
    assert second.intermediate_data is None
    assert codes(imported) == {"ICA005": 1, "ICA011": 1, "ICA012": 2}
    assert "eval_id" in imported.unknown


def test_a_list_of_conversations_has_one_case_for_each(tmp_path: Path) -> None:
    imported = read(tmp_path, [[LEGACY_TURN], [{"query": "And 18?"}]], "trip.test.json")
    ids = [case.eval_id for case in imported.eval_sets[0].eval_cases]
    assert ids == ["trip-0", "trip-1"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, None),
        ({"intermediate_data": None}, None),
        ({"intermediate_data": {}}, "nothing said of tools"),
        ({"intermediate_data": {"tool_uses": []}}, ()),
    ],
)
def test_absent_and_empty_tools_differ(tmp_path: Path, given: Any, wanted: Any) -> None:
    turn = {"user_content": message(QUESTION, "user"), **given}
    case = only(read(tmp_path, adk_set({"eval_id": "a", "conversation": [turn]})))
    assert case.conversation is not None
    data = case.conversation[0].intermediate_data
    if wanted is None:
        assert data is None
    elif wanted == ():
        assert data is not None
        assert data.tool_uses == ()
    else:
        assert data is not None
        assert data.tool_uses is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"parts": [{"text": None}], "role": "model"}, "ICA021"),
        ({"parts": [], "role": "model"}, "ICA021"),
        (message(" ", "model"), "ICA022"),
        (message("I found xx results.", "model"), "ICA020"),
        (message("TODO", "model"), "ICA020"),
        (message("Hello {{name}}", "model"), "ICA020"),
        (message("...", "model"), "ICA020"),
        (message("[insert the answer]", "model"), "ICA020"),
        (message("Your order <ORDER_ID> is here.", "model"), "ICA020"),
    ],
)
def test_odd_answers_are_named(tmp_path: Path, answer: Any, code: str) -> None:
    turn = adk_turn(final_response=answer)
    imported = read(tmp_path, adk_set({"eval_id": "a", "conversation": [turn]}))
    assert code in codes(imported)
    assert only(imported).conversation is not None
    assert only(imported).conversation[0].final_response is not None


@pytest.mark.parametrize(
    "answer",
    ["Todo lists are saved.", "Use <b>bold</b> text.", "XL and XX are in stock.", "Axxon."],
)
def test_plain_answers_are_no_placeholders(tmp_path: Path, answer: str) -> None:
    turn = adk_turn(final_response=message(answer, "model"))
    assert codes(read(tmp_path, adk_set({"eval_id": "a", "conversation": [turn]}))) == {}


def test_a_placeholder_among_arguments(tmp_path: Path) -> None:
    turn = adk_turn(intermediate_data={"tool_uses": [{"name": "t", "args": {"a": ["TBD"]}}]})
    assert "ICA020" in codes(read(tmp_path, adk_set({"eval_id": "a", "conversation": [turn]})))


def test_what_eval_sets_cannot_carry_is_kept(tmp_path: Path) -> None:
    case = {
        "eval_id": "a",
        "conversation": [adk_turn(mood="cross")],
        "context_messages": [{"role": "system", "content": "Be kind."}],
        "difficulty": 3,
        "nothing": None,
    }
    imported = read(tmp_path, adk_set(case, owner="ana"))
    data = imported.attributes["a"].data
    assert data == {
        "difficulty": 3,
        "conversation/0/mood": "cross",
        "context_messages": [message("Be kind.", "system")],
    }
    assert imported.dropped == {"set field `owner`": 1}
    found = codes(imported)
    assert found["ICA018"] == 1
    assert found["ICA031"] == 1
    assert [item.code for item in imported.findings].count("ICA030") == 3


def test_a_recorded_conversation_is_a_run(tmp_path: Path) -> None:
    case = {
        "eval_id": "a",
        "eval_mode": "trace",
        "conversation": [adk_turn()],
        "actual_conversation": [adk_turn()],
    }
    imported = read(tmp_path, adk_set(case))
    assert imported.dropped == {"recorded conversation (a run)": 1}
    (note,) = [item for item in imported.findings if item.code == "ICA017"]
    assert "assay runs import" in note.hint


def test_numbers_are_exact(tmp_path: Path) -> None:
    text = (
        '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [{"user_content":'
        ' "hi", "intermediate_data": {"tool_uses": [{"name": "t", "args":'
        ' {"n": 9007199254740993, "p": 0.1, "q": 40.0}}]}}]}]}'
    )
    case = only(read(tmp_path, text))
    assert case.conversation is not None
    (use,) = tool_uses(case.conversation[0])
    assert use.args == {"n": 9007199254740993, "p": Decimal("0.1"), "q": Decimal("40.0")}


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ({"eval_id": "a"}, "ICA023"),
        ({"eval_id": "a", "conversation": []}, "ICA023"),
        ({"eval_id": "a", "conversation": [{"user_content": {"parts": []}}]}, "ICA023"),
        (
            {"eval_id": "a", "conversation": [adk_turn()], "conversation_scenario": {"x": 1}},
            "ICA024",
        ),
        ({"eval_id": "a", "conversation": [{"text": "hi"}]}, "ICA002"),
        ({"eval_id": "a", "conversation": {"0": adk_turn()}}, "ICA002"),
        ({"eval_id": ["a"], "conversation": [adk_turn()]}, "ICA002"),
        ("nonsense", "ICA002"),
        ({"eval_id": "a", "conversation": [adk_turn(rubrics="strict")]}, "ICA002"),
        (
            {
                "eval_id": "a",
                "conversation": [adk_turn(intermediate_data={"tool_uses": [{"args": {}}]})],
            },
            "ICA002",
        ),
    ],
)
def test_one_wrong_case_costs_one_case(tmp_path: Path, case: Any, code: str) -> None:
    good = {"eval_id": "good", "conversation": [adk_turn()]}
    imported = read(tmp_path, {"eval_set_id": "s", "eval_cases": [case, good]})
    assert "good" in [made.eval_id for made in imported.eval_sets[0].eval_cases]
    (error,) = [item for item in imported.findings if item.severity == "error"]
    assert error.code == code
    assert error.line is not None
    assert error.message


def test_a_number_as_id_is_read_as_text(tmp_path: Path) -> None:
    imported = read(tmp_path, adk_set({"eval_id": 12, "conversation": [adk_turn()]}))
    assert only(imported).eval_id == "12"
    assert "ICA032" in codes(imported)


def test_repeated_ids(tmp_path: Path) -> None:
    first = {"eval_id": "a", "conversation": [adk_turn()]}
    other = {"eval_id": "a", "conversation": [{"user_content": "Something else?"}]}
    again = {**first, "creation_timestamp": 5}
    imported = read(tmp_path, {"eval_set_id": "s", "eval_cases": [first, other, again]})
    ids = [case.eval_id for case in imported.eval_sets[0].eval_cases]
    assert ids[0] == "a"
    assert ids[1].startswith("a-")
    assert len(ids) == 2
    assert imported.attributes[ids[1]].source_id == "a"
    assert imported.attributes["a"].source_id is None
    found = codes(imported)
    assert (found["ICA004"], found["ICA006"]) == (1, 1)
    reordered = read(tmp_path, {"eval_set_id": "s", "eval_cases": [first, again, other]})
    assert [case.eval_id for case in reordered.eval_sets[0].eval_cases] == ids


def test_an_empty_set(tmp_path: Path) -> None:
    imported = read(tmp_path, {"eval_set_id": "s", "eval_cases": []})
    assert imported.read == 0
    assert codes(imported) == {"ICA025": 1}


@pytest.mark.parametrize(
    "value",
    [{"a": 1}, [], [1, 2], "text", [{"text": "q", "type": "x"}], {"eval_cases": 3}],
)
def test_other_files_are_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, value if value != "text" else '"text"')
    assert caught.value.message


def test_the_platform_s_prompts_and_references(tmp_path: Path) -> None:
    value = {
        "eval_cases": [
            {
                "prompt": message("And 18?", "user"),
                "conversation_history": [message(QUESTION, "user"), message(ANSWER, "model")],
                "reference": {"response": message("Lost.", "model")},
                "responses": [{"response": message("?", "model")}],
                "rubric_groups": {"g": {"rubrics": [{"rubricId": "r1"}]}},
                "system_instruction": "Be kind.",
            }
        ]
    }
    imported = read(tmp_path, value, "set.json")
    case = only(imported)
    assert case.eval_id == "set-0"
    assert case.conversation is not None
    assert [turn.user_content.text for turn in case.conversation] == [QUESTION, "And 18?"]
    answers = [turn.final_response.text for turn in case.conversation if turn.final_response]
    assert answers == [ANSWER, "Lost."]
    assert case.rubrics == ({"rubric_id": "r1"},)
    assert imported.dropped == {"recorded response (a run)": 1}
    assert imported.attributes["set-0"].data == {"system_instruction": "Be kind."}


def test_a_result_file_with_trials_holds_each_case_once(tmp_path: Path) -> None:
    value = dict(CASE_SHAPES["result"])
    value["eval_case_results"] = value["eval_case_results"] * 3
    imported = read(tmp_path, value)
    assert imported.read == 1
    assert imported.dropped == {"further result of the same case": 2}
