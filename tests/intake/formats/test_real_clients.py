"""Real clients in a real tool loop, against a scripted server: what they exchange is imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.intake.runs import read_runs
from assay.models.run import ObservedRun, ObservedTurn
from tests.intake.formats.scripted import scripted
from tests.intake.formats.support import bad, ok, turn
from tests.intake.writers import succeeded

pytestmark = pytest.mark.conformance

QUESTION = "Refund order 0142 and order 9, please"
ANSWER = "Order 0142 was refunded; there is no order 9."
ORDERS = {"0142": {"order_id": "0142", "total": 40.25}}
MISSING = "There is no such order."
TURNS = (
    turn(
        QUESTION,
        ANSWER,
        ok("look", {"order_id": "0142"}, ORDERS["0142"], "c1", parallel_group=0),
        bad("look", {"order_id": "9"}, MISSING, "c2", parallel_group=0),
        ok("refund", {"order_id": "0142", "amount": 40.25}, {"status": "refunded"}, "c3"),
    ),
    turn("Thanks", "My pleasure."),
)


def run_tool(name: str, args: dict[str, Any]) -> tuple[str, bool]:
    """The tool's result as text, and whether it failed."""
    if name == "refund":
        return json.dumps({"status": "refunded"}), False
    found = ORDERS.get(args["order_id"])
    return (json.dumps(found), False) if found is not None else (MISSING, True)


CALLS = [
    [("c1", "look", {"order_id": "0142"}), ("c2", "look", {"order_id": "9"})],
    [("c3", "refund", {"order_id": "0142", "amount": 40.25})],
]


def imported(folder: Path, lines: list[Any], name: str = "trace.jsonl") -> ObservedRun:
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (run,) = read_runs(path).runs
    return run


def without_errors(turns: tuple[ObservedTurn, ...]) -> tuple[ObservedTurn, ...]:
    """The turns in a format that has no sign of a failed call."""
    return succeeded(ObservedRun(run="r", case_id="a", turns=turns)).turns


# -- OpenAI ---------------------------------------------------------------------------------


def completion(message: dict[str, Any], reason: str) -> tuple[int, dict[str, Any]]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    made = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1796063054}
    return 200, {**made, "model": "m-1", "choices": [choice], "usage": usage}


def calling(calls: list[Any]) -> tuple[int, dict[str, Any]]:
    made = [
        {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for i, name, args in calls
    ]
    return completion({"content": None, "tool_calls": made}, "tool_calls")


def test_openai_chat_completions(tmp_path: Path) -> None:
    openai = pytest.importorskip("openai")
    script = [
        *map(calling, CALLS),
        completion({"content": ANSWER}, "stop"),
        completion({"content": "My pleasure."}, "stop"),
    ]
    messages: list[Any] = []
    with scripted(script) as (address, asked):
        client = openai.OpenAI(api_key="none", base_url=f"{address}/v1", max_retries=0)
        for question in (QUESTION, "Thanks"):
            messages.append({"role": "user", "content": question})
            while True:
                response = client.chat.completions.create(model="m-1", messages=messages)
                message = response.choices[0].message
                messages.append(message.model_dump(mode="json", exclude_none=True))
                for call in message.tool_calls or []:
                    text, _ = run_tool(call.function.name, json.loads(call.function.arguments))
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
                if not message.tool_calls:
                    break
    assert len(asked) == 4
    run = imported(tmp_path, [{"case_id": "a", "messages": messages}])
    assert run.turns == without_errors(TURNS)
    # The last request with what came back is the whole conversation, too.
    exchange = {"case_id": "a", "messages": asked[-1][1]["messages"]}
    with_answer = {**exchange, "response": response.model_dump(mode="json")}
    run = imported(tmp_path, [with_answer])
    assert run.turns == without_errors(TURNS)
    assert (run.model, run.tokens_in, run.tokens_out) == ("m-1", 10, 5)


def response(number: int, before: str | None, *output: Any) -> tuple[int, dict[str, Any]]:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 1},
        "total_tokens": 15,
    }
    return 200, {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1796063054,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {"case_id": "a"},
        "model": "m-1",
        "output": list(output),
        "parallel_tool_calls": True,
        "previous_response_id": before,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": usage,
    }


def function(call: Any) -> dict[str, Any]:
    call_id, name, args = call
    made = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name}
    return {**made, "arguments": json.dumps(args), "status": "completed"}


def words(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    made = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    return {**made, "content": [part]}


def test_openai_responses(tmp_path: Path) -> None:
    openai = pytest.importorskip("openai")
    thinking = {"type": "reasoning", "id": "rs", "summary": []}
    script = [
        response(1, None, thinking, *map(function, CALLS[0])),
        response(2, "resp_1", *map(function, CALLS[1])),
        response(3, "resp_2", words(ANSWER)),
        response(4, "resp_3", words("My pleasure.")),
    ]
    lines: list[Any] = []
    history: list[Any] = []
    last: str | None = None
    with scripted(script) as (address, _):
        client = openai.OpenAI(api_key="none", base_url=f"{address}/v1", max_retries=0)
        for question in (QUESTION, "Thanks"):
            given: list[Any] = [{"role": "user", "content": question}]
            while given:
                more = {} if last is None else {"previous_response_id": last}
                made = client.responses.create(model="m-1", input=given, **more)
                last = made.id
                lines.append({**made.model_dump(mode="json"), "input": given})
                history += [*given, *lines[-1]["output"]]
                given = [
                    {
                        "type": "function_call_output",
                        "call_id": item.call_id,
                        "output": run_tool(item.name, json.loads(item.arguments))[0],
                    }
                    for item in made.output
                    if item.type == "function_call"
                ]
    assert len(lines) == 4
    run = imported(tmp_path, lines)
    assert run.turns == without_errors(TURNS)
    assert (run.case_id, run.model, run.trace_id) == ("a", "m-1", "resp_4")
    assert (run.tokens_in, run.tokens_out) == (40, 20)
    assert run.started_at == "2026-11-30T18:24:14Z"
    run = imported(tmp_path, [{"case_id": "a", "items": history}])
    assert run.turns == without_errors(TURNS)


# -- Anthropic ------------------------------------------------------------------------------


def message(*content: Any, reason: str) -> tuple[int, dict[str, Any]]:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 2, "output_tokens": 5}
    made = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1"}
    more = {"stop_reason": reason, "stop_sequence": None, "usage": usage}
    return 200, {**made, "content": list(content), **more}


def using(calls: list[Any]) -> tuple[int, dict[str, Any]]:
    made = [{"type": "tool_use", "id": i, "name": name, "input": args} for i, name, args in calls]
    return message({"type": "text", "text": "I look."}, *made, reason="tool_use")


def test_anthropic_messages(tmp_path: Path) -> None:
    anthropic = pytest.importorskip("anthropic")
    script = [
        *map(using, CALLS),
        message({"type": "text", "text": ANSWER}, reason="end_turn"),
        message({"type": "text", "text": "My pleasure."}, reason="end_turn"),
    ]
    recorded: list[Any] = []
    with scripted(script) as (address, asked):
        client = anthropic.Anthropic(api_key="none", base_url=address, max_retries=0)
        for question in (QUESTION, "Thanks"):
            recorded.append({"role": "user", "content": question})
            while True:
                sent = [{key: item[key] for key in ("role", "content")} for item in recorded]
                answer = client.messages.create(model="m-1", max_tokens=99, messages=sent)
                recorded.append(answer.model_dump(mode="json"))
                results = []
                for block in answer.content:
                    if block.type == "tool_use":
                        text, failed = run_tool(block.name, block.input)
                        result = {"type": "tool_result", "tool_use_id": block.id, "content": text}
                        results.append({**result, "is_error": failed})
                if not results:
                    break
                recorded.append({"role": "user", "content": results})
    run = imported(tmp_path, [{"case_id": "a", "messages": recorded}])
    assert run.turns == TURNS
    assert (run.model, run.tokens_in, run.tokens_out) == ("m-1", 48, 20)
    exchange = {"case_id": "a", "messages": asked[-1][1]["messages"], "response": recorded[-1]}
    run = imported(tmp_path, [exchange])
    assert run.turns == TURNS


# -- LangChain ------------------------------------------------------------------------------


def test_langchain_messages(tmp_path: Path) -> None:
    messages = pytest.importorskip("langchain_core.messages")
    from langchain_core.load import dumpd

    made: list[Any] = [messages.SystemMessage("Be kind."), messages.HumanMessage(QUESTION)]
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    about = {"usage_metadata": usage, "response_metadata": {"model_name": "m-1"}}
    for calls in CALLS:
        listed = [{"id": i, "name": name, "args": args} for i, name, args in calls]
        made.append(messages.AIMessage("", tool_calls=listed, **about))
        for call_id, name, args in calls:
            text, failed = run_tool(name, args)
            status = "error" if failed else "success"
            made.append(messages.ToolMessage(text, tool_call_id=call_id, name=name, status=status))
    made += [
        messages.AIMessage(ANSWER, **about),
        messages.HumanMessage("Thanks"),
        messages.AIMessage("My pleasure.", **about),
    ]
    forms = (
        messages.messages_to_dict(made),
        [dumpd(item) for item in made],
        [item.model_dump(mode="json") for item in made],
    )
    for form in forms:
        run = imported(tmp_path, [{"case_id": "a", "messages": form}])
        assert run.turns == TURNS
        assert (run.model, run.tokens_in, run.tokens_out) == ("m-1", 40, 20)


def test_langchain_chunks(tmp_path: Path) -> None:
    messages = pytest.importorskip("langchain_core.messages")
    pieces = [("look", '{"order', "c1"), (None, '_id": "0142"}', None)]
    chunks = [
        messages.AIMessageChunk(
            "",
            id="run-1",
            tool_call_chunks=[{"name": name, "args": args, "id": call_id, "index": 0}],
        )
        for name, args, call_id in pieces
    ]
    whole = chunks[0] + chunks[1]
    tool = messages.ToolMessage("[]", tool_call_id="c1")
    for given in (chunks, [whole]):
        made = [messages.HumanMessage("Go"), *given, tool]
        run = imported(tmp_path, [{"case_id": "a", "messages": messages.messages_to_dict(made)}])
        assert run.turns == (turn("Go", None, ok("look", {"order_id": "0142"}, [], "c1")),)


# -- Inspect --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect_with_its_mock_model(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ModelOutput,
        ModelUsage,
        get_model,
    )
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import Tool, ToolCall, ToolError, tool

    monkeypatch.chdir(tmp_path)

    @tool
    def look() -> Tool:
        async def execute(order_id: str) -> str:
            """Look an order up.

            Args:
                order_id: The order.
            """
            text, failed = run_tool("look", {"order_id": order_id})
            if failed:
                raise ToolError(text)
            return text

        return execute

    @tool
    def refund() -> Tool:
        async def execute(order_id: str, amount: float) -> str:
            """Refund an order.

            Args:
                order_id: The order.
                amount: How much.
            """
            return run_tool("refund", {"order_id": order_id, "amount": amount})[0]

        return execute

    def calling(calls: list[Any]) -> ModelOutput:
        made = [ToolCall(id=i, function=name, arguments=args) for i, name, args in calls]
        said = ChatMessageAssistant(content="", tool_calls=made, source="generate")
        choice = ChatCompletionChoice(message=said, stop_reason="tool_calls")
        return ModelOutput(model="mockllm/model", choices=[choice])

    epochs = 2
    outputs = [
        output
        for _ in range(epochs)
        for output in (*map(calling, CALLS), ModelOutput.from_content("mockllm/model", ANSWER))
    ]
    for output in outputs:
        output.usage = ModelUsage(
            input_tokens=10, output_tokens=5, total_tokens=17, input_tokens_cache_read=2
        )
    task = inspect_ai.Task(
        dataset=[Sample(id="a", input=QUESTION, target="refunded")],
        solver=[use_tools(look(), refund()), generate()],
        scorer=includes(),
        epochs=epochs,
    )
    (log,) = inspect_ai.eval(
        task,
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=tmp_path.as_posix(),
        log_format=kind,
        display="none",
        max_samples=1,
    )
    assert log.status == "success"
    imported = read_runs(Path(log.location))
    assert imported.format == "inspect-log"
    assert [(run.case_id, run.trial) for run in imported.runs] == [("a", 0), ("a", 1)]
    for run in imported.runs:
        (first,) = run.turns
        assert (first.user, first.answer) == (QUESTION, ANSWER)
        plain = [
            (call.name, call.args, call.outcome, call.error, call.parallel_group)
            for call in first.tool_calls
        ]
        assert plain == [
            (call.name, call.args, call.outcome, call.error, call.parallel_group)
            for call in TURNS[0].tool_calls
        ]
        assert [call.result for call in first.tool_calls] == [
            ORDERS["0142"], "", {"status": "refunded"}
        ]  # fmt: skip
        assert all(call.started_at for call in first.tool_calls)
        assert (run.model, run.tokens_in, run.tokens_out) == ("mockllm/model", 36, 15)
        assert (run.score_given, run.outcome_given) == (1, "passed")
        assert set(run.unknown) == {"planning_steps", "final_state", "agent", "cost"}


def test_inspect_samples_that_fail_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

    monkeypatch.chdir(tmp_path)

    @solver
    def breaking() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if state.sample_id == "b":
                raise ConnectionError("The world is away.")
            return state

        return solve

    output = ModelOutput.from_content("mockllm/model", "Yes.")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    samples = [Sample(id=name, input="?") for name in ("a", "b", "c")]
    (log,) = inspect_ai.eval(
        inspect_ai.Task(dataset=samples, solver=[breaking(), generate()]),
        model=get_model("mockllm/model", custom_outputs=[output] * 3),
        log_dir=tmp_path.as_posix(),
        display="none",
        max_samples=1,
        fail_on_error=True,
    )
    assert log.status == "error"
    runs = read_runs(Path(log.location)).runs
    assert [run.case_id for run in runs] == ["a", "b", "c"]
    assert runs[0].infrastructure_errors == ()
    assert "The world is away." in runs[1].infrastructure_errors[0]
    assert runs[2].infrastructure_errors
