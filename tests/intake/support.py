"""One small conversation in every shape that is in use, and where real inputs lie."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

QUESTION = "Where is parcel 17?"
ANSWER = "Parcel 17 is at the depot."
RESULT = {"parcel": "17", "place": "depot"}


def shared_data(*parts: str) -> Path:
    """A folder of real inputs; the test is skipped where there is none."""
    given = os.environ.get("ASSAY_DATA")
    base = Path(given) if given else ROOT.parent / "shared" / "data"
    path = base.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"real inputs are not here: {path}")
    return path


def put(folder: Path, name: str, value: Any) -> Path:
    """Write a value as JSON, or text as it is."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def message(text: str, role: str) -> dict[str, Any]:
    return {"parts": [{"text": text}], "role": role}


def adk_turn(**more: Any) -> dict[str, Any]:
    """One turn in the ADK's own spelling."""
    return {
        "user_content": message(QUESTION, "user"),
        "final_response": message(ANSWER, "model"),
        "intermediate_data": {
            "tool_uses": [{"name": "track_parcel", "args": {"parcel_id": "17", "deep": True}}]
        },
        **more,
    }


def adk_set(case: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An eval set with one case."""
    made = case if case is not None else {"eval_id": "parcel-17", "conversation": [adk_turn()]}
    return {"eval_set_id": "parcels", "eval_cases": [made], **more}


def camel(value: Any) -> Any:
    """A value whose keys are in camelCase; arguments stay as they are."""
    if isinstance(value, list):
        return [camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, item in value.items():
        head, *rest = key.split("_")
        name = head + "".join(part.capitalize() for part in rest)
        result[name] = item if key in ("args", "state", "response") else camel(item)
    return result


TRPC = {
    "evalSetId": "parcels",
    "evalCases": [
        {
            "evalId": "parcel-17",
            "conversation": [
                {
                    "userContent": {"role": "user", "content": QUESTION},
                    "finalResponse": {"role": "assistant", "content": ANSWER},
                    "tools": [
                        {"name": "track_parcel", "arguments": {"parcel_id": "17", "deep": True}}
                    ],
                }
            ],
        }
    ],
}

LEGACY_TURN = {
    "query": QUESTION,
    "expected_tool_use": [
        {"tool_name": "track_parcel", "tool_input": {"parcel_id": "17", "deep": True}}
    ],
    "reference": ANSWER,
}

COOKBOOK = adk_set(
    {
        "eval_id": "parcel-17",
        "conversation": [
            {
                "user": QUESTION,
                "expected_tool_use": LEGACY_TURN["expected_tool_use"],
                "reference_final_response": ANSWER,
            }
        ],
    }
)

PLATFORM = {
    "eval_cases": [
        {
            "eval_case_id": "parcel-17",
            "agent_data": {
                "turns": [
                    {
                        "turn_index": 0,
                        "events": [
                            {"author": "user", "content": message(QUESTION, "user")},
                            {
                                "author": "desk",
                                "content": {
                                    "role": "model",
                                    "parts": [
                                        {
                                            "function_call": {
                                                "name": "track_parcel",
                                                "args": {"parcel_id": "17", "deep": True},
                                            }
                                        }
                                    ],
                                },
                            },
                            {"author": "desk", "content": message(ANSWER, "model")},
                        ],
                    }
                ]
            },
        }
    ]
}

RESULT_FILE = {
    "eval_set_result_id": "r",
    "eval_set_id": "parcels",
    "eval_case_results": [
        {
            "eval_id": "parcel-17",
            "final_eval_status": 1,
            "overall_eval_metric_results": [],
            "eval_metric_result_per_invocation": [
                {
                    "actual_invocation": adk_turn(),
                    "expected_invocation": adk_turn(),
                    "eval_metric_results": [],
                }
            ],
            "session_id": "s",
        }
    ],
}

CASE_SHAPES: dict[str, Any] = {
    "adk": adk_set(),
    "adk-camel": camel(adk_set()),
    "adk-list": [adk_set()],
    "cases": [adk_set()["eval_cases"][0]],
    "trpc": TRPC,
    "legacy-named": [{"name": "parcel-17", "data": [LEGACY_TURN]}],
    "cookbook": COOKBOOK,
    "platform": PLATFORM,
    "result": RESULT_FILE,
    "result-twice-encoded": json.dumps(json.dumps(RESULT_FILE)),
}
"""Shape to a file that holds the case ``parcel-17``."""


def call(call_id: str = "c1", args: dict[str, Any] | None = None) -> dict[str, Any]:
    """A function call of the ADK."""
    given = args if args is not None else {"parcel_id": "17"}
    return {"function_call": {"id": call_id, "name": "track_parcel", "args": given}}


def answer_of(call_id: str = "c1", response: Any = None) -> dict[str, Any]:
    """A function response of the ADK."""
    given = response if response is not None else RESULT
    return {"function_response": {"id": call_id, "name": "track_parcel", "response": given}}


def event(author: str, parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """An event of the ADK."""
    role = "user" if author == "user" else "model"
    made = {"author": author, "invocation_id": "i1", "content": {"role": role, "parts": parts}}
    return {**made, **more}


def adk_events() -> list[dict[str, Any]]:
    """The conversation as events of a session."""
    return [
        event("user", [{"text": QUESTION}], id="e1", timestamp=1796063054.25),
        event("desk", [call()], id="e2", model_version="m-1"),
        event("desk", [answer_of()], id="e3"),
        event("desk", [{"text": ANSWER}], id="e4"),
    ]


def adk_session(events: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A session of the ADK."""
    given = events if events is not None else adk_events()
    return {"id": "s1", "app_name": "desk", "user_id": "u", "state": {}, "events": given, **more}


def adk_invocation() -> dict[str, Any]:
    """The conversation as an invocation with events."""
    steps = [{"author": item["author"], "content": item["content"]} for item in adk_events()[1:3]]
    return {
        "invocation_id": "i1",
        "user_content": message(QUESTION, "user"),
        "final_response": message(ANSWER, "model"),
        "intermediate_data": {"invocation_events": steps},
    }


def adk_recorded() -> dict[str, Any]:
    """The conversation as an invocation with two lists."""
    made = adk_invocation()
    made["intermediate_data"] = {
        "tool_uses": [call()["function_call"]],
        "tool_responses": [answer_of()["function_response"]],
    }
    return made


def chat_messages() -> list[dict[str, Any]]:
    """The conversation as OpenAI chat messages."""
    return [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": QUESTION},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "track_parcel", "arguments": '{"parcel_id": "17"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(RESULT)},
        {"role": "assistant", "content": ANSWER},
    ]


def tau_result(**more: Any) -> dict[str, Any]:
    """The conversation as a result of tau-bench."""
    return {
        "task_id": 17,
        "trial": 0,
        "reward": 1.0,
        "info": {
            "task": {
                "user_id": "u1",
                "instruction": "You want to know where parcel 17 is.",
                "actions": [{"name": "track_parcel", "kwargs": {"parcel_id": "17"}}],
                "outputs": ["depot"],
            },
            "reward_info": {"reward": 1.0},
        },
        "traj": [*chat_messages(), {"role": "user", "content": "###STOP###"}],
        **more,
    }


def adk_result() -> dict[str, Any]:
    """The conversation as an evaluation result."""
    made = copy.deepcopy(RESULT_FILE)
    case = made["eval_case_results"][0]
    case["eval_metric_result_per_invocation"][0]["actual_invocation"] = adk_invocation()
    case["session_details"] = adk_session()
    return made


def anthropic_messages() -> list[dict[str, Any]]:
    """The conversation as Anthropic messages."""
    use = {"type": "tool_use", "id": "c1", "name": "track_parcel", "input": {"parcel_id": "17"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(RESULT)}
    return [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ]


def responses_items() -> list[dict[str, Any]]:
    """The conversation as items of the Responses interface."""
    return [
        {"role": "user", "content": QUESTION},
        {
            "type": "function_call",
            "call_id": "c1",
            "name": "track_parcel",
            "arguments": '{"parcel_id": "17"}',
        },
        {"type": "function_call_output", "call_id": "c1", "output": json.dumps(RESULT)},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
        },
    ]


def langchain_messages() -> list[dict[str, Any]]:
    """The conversation as LangChain messages, flat."""
    call_ = {"name": "track_parcel", "args": {"parcel_id": "17"}, "id": "c1", "type": "tool_call"}
    return [
        {"type": "human", "content": QUESTION},
        {"type": "ai", "content": "", "tool_calls": [call_]},
        {"type": "tool", "content": json.dumps(RESULT), "tool_call_id": "c1"},
        {"type": "ai", "content": ANSWER},
    ]


def tau2_simulation(**more: Any) -> dict[str, Any]:
    """The conversation as a simulation of tau2-bench."""
    call_ = {"id": "c1", "name": "track_parcel", "arguments": {"parcel_id": "17"}}
    return {
        "id": "s1",
        "task_id": "parcel-17",
        "trial": 0,
        "termination_reason": "user_stop",
        "messages": [
            {"role": "assistant", "content": "Hi!"},
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": None, "tool_calls": [call_]},
            {"role": "tool", "id": "c1", "content": json.dumps(RESULT), "error": False},
            {"role": "assistant", "content": ANSWER},
            {"role": "user", "content": "###STOP###"},
        ],
        **more,
    }


RUN_SHAPES: dict[str, tuple[str, Any]] = {
    "adk-session": ("parcel-17.json", adk_session()),
    "adk-session-camel": ("parcel-17.json", camel(adk_session())),
    "adk-session-lines": ("parcel-17.jsonl", json.dumps(adk_session()) + "\n"),
    "adk-events": ("parcel-17.json", adk_events()),
    "adk-result": ("r.json", adk_result()),
    "adk-result-twice-encoded": ("r.json", json.dumps(json.dumps(adk_result()))),
    "adk-result-camel": ("r.json", camel(adk_result())),
    "adk-inference": (
        "i.json",
        {
            "app_name": "desk",
            "eval_set_id": "parcels",
            "eval_case_id": "parcel-17",
            "inferences": [adk_invocation()],
            "session_id": "s1",
            "status": 1,
        },
    ),
    "adk-trace": (
        "t.json",
        adk_set(
            {
                "eval_id": "parcel-17",
                "eval_mode": "trace",
                "conversation": [{"user_content": message(QUESTION, "user")}],
                "actual_conversation": [adk_recorded()],
            }
        ),
    ),
    "adk-invocations": ("parcel-17.json", adk_invocation()),
    "adk-invocations-list": ("parcel-17.json", [adk_recorded()]),
    "openai-chat": ("c.json", {"case_id": "parcel-17", "messages": chat_messages()}),
    "openai-chat-lines": (
        "c.jsonl",
        json.dumps({"case_id": "parcel-17", "messages": chat_messages()}) + "\n",
    ),
    "openai-chat-bare": ("parcel-17.json", chat_messages()),
    "tau-bench": ("tau.json", [tau_result()]),
    "anthropic-messages": ("a.json", {"case_id": "parcel-17", "messages": anthropic_messages()}),
    "anthropic-messages-bare": ("parcel-17.json", anthropic_messages()),
    "openai-responses": ("o.json", {"case_id": "parcel-17", "items": responses_items()}),
    "openai-responses-bare": ("parcel-17.json", responses_items()),
    "langchain-messages": ("l.json", {"case_id": "parcel-17", "messages": langchain_messages()}),
    "langchain-messages-bare": ("parcel-17.json", langchain_messages()),
    "langgraph-states": (
        "s.json",
        [
            {
                "values": {"messages": langchain_messages()[:cut]},
                "config": {"configurable": {"thread_id": "t"}},
                "metadata": {"case_id": "parcel-17"},
            }
            for cut in (4, 2)
        ],
    ),
    "tau2": ("t.json", {"info": {}, "tasks": [], "simulations": [tau2_simulation()]}),
    "tau2-alone": ("t.json", tau2_simulation()),
    "native": (
        "n.jsonl",
        json.dumps(
            {
                "run": "n",
                "case_id": "parcel-17",
                "turns": [
                    {
                        "user": QUESTION,
                        "answer": ANSWER,
                        "tool_calls": [
                            {
                                "name": "track_parcel",
                                "args": {"parcel_id": "17"},
                                "outcome": "ok",
                                "result": RESULT,
                            }
                        ],
                    }
                ],
                "final_answer": ANSWER,
            }
        )
        + "\n",
    ),
}
"""Shape to a file name and content that hold the conversation."""
