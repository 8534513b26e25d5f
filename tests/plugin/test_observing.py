"""Whatever an agent gives back becomes the observed run that it stands for."""

from __future__ import annotations

import dataclasses
import enum
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from assay.errors import AssayError, UsageError
from assay.files.model_text import compact_text
from assay.files.reading import parse_json
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from assay.testing.calls import calls_of
from assay.testing.conversation import Conversation, Reply, play
from assay.testing.observing import FIELDS, Asked, broken, observe
from assay.testing.values import json_value

ONE = Asked("refund-0142", ("Please refund order 0142.",), "mine", 1)
TWO = Asked("refund-0142", ("Hello.", "Refund 0142."), "mine", 0)


def call(name: str, arguments: str = '{"order_id": "0142", "amount": 40.5}') -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}


MESSAGES = [
    {"role": "user", "content": "Please refund order 0142."},
    {"role": "assistant", "content": None, "tool_calls": [call("issue_refund")]},
    {"role": "tool", "tool_call_id": "1", "content": '{"status": "refunded"}'},
    {"role": "assistant", "content": "Done."},
]
TURN = ObservedTurn(
    user="Please refund order 0142.",
    answer="Done.",
    tool_calls=(
        ToolCall(
            name="issue_refund",
            id="1",
            args={"order_id": "0142", "amount": Decimal("40.5")},
            outcome="ok",
            result={"status": "refunded"},
        ),
    ),
)


class Message(BaseModel):
    """As the clients of providers make them: models with much that is null."""

    role: str
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


@dataclasses.dataclass
class Plain:
    role: str
    content: str | None = None


ARGS = {"order_id": "0142", "amount": 40.5}
ELSEWHERE = [
    (
        "anthropic-messages",
        [
            {"role": "user", "content": "Please refund order 0142."},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "1", "name": "issue_refund", "input": ARGS}],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": '{"status": "refunded"}'}
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
        ],
    ),
    (
        "langchain-messages",
        [
            {"type": "human", "content": "Please refund order 0142."},
            {
                "type": "ai",
                "content": "",
                "tool_calls": [{"name": "issue_refund", "args": ARGS, "id": "1"}],
            },
            {
                "type": "tool",
                "tool_call_id": "1",
                "name": "issue_refund",
                "content": '{"status": "refunded"}',
            },
            {"type": "ai", "content": "Done."},
        ],
    ),
    (
        "openai-responses",
        [
            {"type": "message", "role": "user", "content": "Please refund order 0142."},
            {
                "type": "function_call",
                "call_id": "1",
                "name": "issue_refund",
                "arguments": '{"order_id": "0142", "amount": 40.5}',
            },
            {
                "type": "function_call_output",
                "call_id": "1",
                "output": '{"status": "refunded"}',
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Done."}],
            },
        ],
    ),
]


@pytest.mark.parametrize(("used", "messages"), ELSEWHERE)
def test_messages_of_other_providers(used: str, messages: list[dict[str, Any]]) -> None:
    run = observe(messages, ONE)
    assert (run.run, run.case_id, run.trial) == ("mine", "refund-0142", 1)
    (turn,) = run.turns
    assert (turn.user, turn.answer, run.final_answer) == (TURN.user, "Done.", "Done.")
    (made,) = turn.tool_calls
    assert (made.name, made.args) == ("issue_refund", TURN.tool_calls[0].args)
    assert made.result == {"status": "refunded"}
    assert run.format == used


@pytest.mark.parametrize(
    "value",
    [
        MESSAGES,
        tuple(MESSAGES),
        {"messages": MESSAGES},
        {"case_id": "refund-0142", "trial": 7, "messages": MESSAGES},
        [Message(**message) for message in MESSAGES],  # type: ignore[arg-type]
        [Plain("user", "Please refund order 0142."), *MESSAGES[1:3], Plain("assistant", "Done.")],
        Conversation([("Please refund order 0142.", MESSAGES[1:])]),
        Conversation([("Please refund order 0142.", {"messages": MESSAGES})]),
    ],
)
def test_messages(value: Any) -> None:
    run = observe(value, ONE)
    assert (run.run, run.case_id, run.trial) == ("mine", "refund-0142", 1)
    assert run.turns == (TURN,)
    assert run.final_answer == "Done."
    assert run.format == "openai-chat"
    assert "final_state" in run.unknown


def test_an_observed_run_is_kept() -> None:
    run = ObservedRun(run="x", case_id="refund-0142", turns=(TURN,), final_answer="Done.")
    assert observe(run, ONE) == run.model_copy(update={"run": "mine", "trial": 1})


def test_an_answer_alone_leaves_the_calls_unknown() -> None:
    run = observe("Done.", ONE)
    assert run.turns == (ObservedTurn(user="Please refund order 0142.", answer="Done."),)
    assert {"tool_calls", "call_arguments", "final_state"} <= set(run.unknown)
    assert not {"answer", "final_answer", "user"} & set(run.unknown)
    assert observe(None, ONE).final_answer is None


@pytest.mark.parametrize(
    "value",
    [
        Reply("Done.", [("issue_refund", {"amount": 40.5})]),
        ("Done.", [{"name": "issue_refund", "args": {"amount": Decimal("40.5")}}]),
        ("Done.", [{"name": "issue_refund", "arguments": '{"amount": 40.5}'}]),
        ("Done.", (ToolCall(name="issue_refund", args={"amount": Decimal("40.5")}),)),
    ],
)
def test_an_answer_with_calls(value: Any) -> None:
    run = observe(value, ONE)
    assert [c.args for _, c in run.tool_calls] == [{"amount": Decimal("40.5")}]
    assert "tool_calls" not in run.unknown
    assert {"call_results", "call_outcomes"} <= set(run.unknown)


def test_no_calls_is_not_unknown_calls() -> None:
    asked = dataclasses.replace(ONE, calls=[])
    run = observe("Done.", asked)
    assert not {"tool_calls", "call_arguments", "call_results", "call_outcomes"} & set(run.unknown)


def test_a_result_tells_the_outcome() -> None:
    calls, complete = calls_of([("a", {}, {"n": 1}), {"name": "b", "error": "no such order"}])
    assert [c.outcome for c in calls] == ["ok", "error"]
    assert complete


def test_a_final_state_is_known() -> None:
    for state in ({"paid": 0.1}, {}, None):
        run = observe(MESSAGES, dataclasses.replace(ONE, final_state=state))
        assert "final_state" not in run.unknown
        assert run.final_state == (None if state is None else json_value(state))


def test_names_of_agent_and_model() -> None:
    run = observe("Done.", dataclasses.replace(ONE, agent="mine", model="small"))
    assert (run.agent, run.model) == ("mine", "small")
    assert not {"agent", "model"} & set(run.unknown)


def test_a_conversation_of_answers() -> None:
    run = observe(play(TWO.turns, lambda text: (f"You said: {text}", [])), TWO)
    assert [turn.answer for turn in run.turns] == ["You said: Hello.", "You said: Refund 0142."]
    assert run.final_answer == "You said: Refund 0142."


def test_a_conversation_of_messages() -> None:
    history: list[dict[str, Any]] = []

    def new_ones(text: str) -> list[dict[str, Any]]:
        return [{"role": "assistant", "content": f"You said: {text}"}]

    def everything(text: str) -> list[dict[str, Any]]:
        history.extend([{"role": "user", "content": text}, *new_ones(text)])
        return list(history)

    first = observe(play(TWO.turns, new_ones), TWO)
    second = observe(play(TWO.turns, everything), TWO)
    assert first == second
    assert [turn.user for turn in first.turns] == list(TWO.turns)


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"role": "user", "content": object()}], "`/0/content` is of the type `object`"),
        ([{"role": "user", "content": float("nan")}], "`/0/content` is nan"),
        ({"case_id": "refund-0143", "messages": MESSAGES}, "belongs to the case refund-0143"),
        (ObservedRun(run="x", case_id="refund-0143"), "belongs to the case refund-0143"),
        (
            [{"case_id": "refund-0142", "messages": MESSAGES}] * 2,
            "Case refund-0142|holds 2 runs",
        ),
        ({"something": "else"}, "No format of runs fits"),
        (42, "No format of runs fits"),
        ([], "No format of runs fits"),
        (("Done.", [("issue_refund",)]), "Call 1 is no call"),
        (("Done.", [{"name": "a", "kwargs": {}}]), "Call 1 has `kwargs`"),
        (("Done.", [("a", "{")]), "Call 1 has arguments that cannot be read"),
        (("Done.", [("a", [1])]), "Call 1 has arguments that are no object"),
        (("Done.", [{"name": "a", "outcome": "fine"}]), "Call 1 has a `outcome`"),
        ([{"role": "robot", "content": "x"}], "robot"),
    ],
)
def test_what_is_no_observation_is_refused(value: Any, message: str) -> None:
    with pytest.raises(AssayError, match=message) as caught:
        observe(value, ONE)
    assert str(caught.value)


def test_several_turns_need_several_answers() -> None:
    with pytest.raises(UsageError, match="2 turns"):
        observe("Done.", TWO)
    mixed = Conversation([("Hello.", "Hi."), ("Refund 0142.", MESSAGES[1:])])
    with pytest.raises(UsageError, match="in one turn"):
        observe(mixed, TWO)
    with pytest.raises(UsageError, match="`calls` belongs to a plain answer"):
        observe(MESSAGES, dataclasses.replace(ONE, calls=[]))


def test_a_broken_harness_knows_nothing() -> None:
    run = broken("rate limit", ONE)
    assert run.infrastructure_errors == ("rate limit",)
    assert run.unknown == FIELDS
    assert broken("", ONE).infrastructure_errors == ("unknown",)


def test_objects_that_hold_themselves() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(UsageError, match="holds itself"):
        json_value(loop)


def test_objects_as_values() -> None:
    value = json_value(
        {
            "a": Colour.RED,
            "b": (1, 2.5, True, None),
            "c": MappingProxyType({1: "x"}),
            "d": Plain("r"),
        }
    )
    assert value == {
        "a": "red",
        "b": [1, Decimal("2.5"), True, None],
        "c": {"1": "x"},
        "d": {"role": "r", "content": None},
    }


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.text(st.characters(codec="utf-8"))
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
def test_values_survive_the_way_through_text(value: Any) -> None:
    exact = json_value(value)
    assert parse_json(compact_text(exact), name="x") == exact
    assert json_value(exact) == exact
