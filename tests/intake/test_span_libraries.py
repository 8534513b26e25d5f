"""The real libraries write the trace; it is read as the run that they were made to do."""

from __future__ import annotations

import asyncio
import io
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from assay.files.canonical import canonical_json
from assay.intake.runs import RunImport, read_runs
from assay.models.run import ObservedRun
from tests.intake.support import put

pytestmark = pytest.mark.conformance

QUESTION = "Where is parcel 17?"
ANSWER = "Parcel 17 is at the depot."


def track(parcel_id: str, deep: bool) -> dict[str, Any]:
    """Where a parcel is."""
    return {"parcel": parcel_id, "km": 4.5, "deep": deep}


def weigh(parcel_id: str) -> dict[str, Any]:
    """What a parcel weighs."""
    raise ValueError(f"no scale for {parcel_id}")


def essence(run: ObservedRun) -> Any:
    """What was said and done."""
    return [
        (
            turn.user,
            turn.answer,
            [
                (c.name, canonical_json(c.args), c.outcome, canonical_json(c.result))
                for c in turn.tool_calls
            ],
        )
        for turn in run.turns
    ]


TRACKED = ("track", '{"deep":true,"parcel_id":"17"}', "ok", '{"deep":true,"km":4.5,"parcel":"17"}')


def lines(items: list[Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def load(folder: Path, content: Any, name: str) -> RunImport:
    return read_runs(put(folder, name, content))


# -- OpenTelemetry ----------------------------------------------------------------


def hand_made_spans(provider: Any) -> None:
    """A small agent that was instrumented by hand."""
    from opentelemetry.trace import SpanKind

    tracer = provider.get_tracer("desk")
    user = {"role": "user", "parts": [{"type": "text", "content": QUESTION}]}
    args = {"parcel_id": "17", "deep": True}
    asked = {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "track", "arguments": args}],
    }
    said = {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}
    with tracer.start_as_current_span("invoke_agent desk") as agent:
        agent.set_attributes(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "desk",
                "eval.case_id": "parcel-17",
            }
        )
        for given, out in (([user], asked), ([user, asked], said)):
            with tracer.start_as_current_span("chat m-1", kind=SpanKind.CLIENT) as model:
                model.set_attributes(
                    {
                        "gen_ai.operation.name": "chat",
                        "gen_ai.provider.name": "acme",
                        "gen_ai.request.model": "m-1",
                        "gen_ai.usage.input_tokens": 10,
                        "gen_ai.usage.output_tokens": 5,
                        "gen_ai.input.messages": json.dumps(given),
                        "gen_ai.output.messages": json.dumps([out]),
                    }
                )
            if out is asked:
                with tracer.start_as_current_span("execute_tool track") as tool:
                    tool.set_attributes(
                        {
                            "gen_ai.operation.name": "execute_tool",
                            "gen_ai.tool.name": "track",
                            "gen_ai.tool.call.id": "c1",
                            "gen_ai.tool.call.arguments": json.dumps(args),
                            "gen_ai.tool.call.result": json.dumps(track("17", True)),
                        }
                    )
                try:
                    with tracer.start_as_current_span("execute_tool weigh") as tool:
                        tool.set_attribute("gen_ai.operation.name", "execute_tool")
                        tool.set_attribute("gen_ai.tool.name", "weigh")
                        tool.set_attribute("gen_ai.tool.call.arguments", '{"parcel_id": "17"}')
                        weigh("17")
                except ValueError:
                    pass


def provider_with(exporter: Any) -> Any:
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    return provider


def check_hand_made(imported: RunImport) -> None:
    (run,) = imported.runs
    weighed = ("weigh", '{"parcel_id":"17"}', "error", "null")
    assert essence(run) == [(QUESTION, ANSWER, [TRACKED, weighed])]
    assert run.tool_calls[1][1].error == "ValueError: no scale for 17"
    assert (run.case_id, run.agent, run.model) == ("parcel-17", "desk", "m-1")
    assert (run.tokens_in, run.tokens_out) == (20, 10)
    assert run.started_at is not None


def test_the_sdk_s_json(tmp_path: Path) -> None:
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()
    hand_made_spans(provider_with(exporter))
    spans = [json.loads(span.to_json()) for span in exporter.get_finished_spans()]
    check_hand_made(load(tmp_path, spans, "list.json"))
    check_hand_made(load(tmp_path, lines(spans), "lines.jsonl"))


def test_the_console_exporter(tmp_path: Path) -> None:
    """It writes one object after another, each on many lines."""
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    out = io.StringIO()
    hand_made_spans(provider_with(export.ConsoleSpanExporter(out=out)))
    check_hand_made(load(tmp_path, out.getvalue(), "console.json"))


def test_otlp(tmp_path: Path) -> None:
    """Protobuf's own JSON, with base64 ids, and the same with hex as OTLP demands."""
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    encoder = pytest.importorskip("opentelemetry.exporter.otlp.proto.common.trace_encoder")
    from google.protobuf.json_format import MessageToDict

    exporter = memory.InMemorySpanExporter()
    hand_made_spans(provider_with(exporter))
    spans = exporter.get_finished_spans()
    value = MessageToDict(encoder.encode_spans(spans))
    imported = load(tmp_path, value, "otlp.json")
    check_hand_made(imported)
    assert imported.runs[0].trace_id == f"{spans[0].context.trace_id:032x}"
    numbers = MessageToDict(encoder.encode_spans(spans), use_integers_for_enums=True)
    assert load(tmp_path, lines([numbers]), "otlp.jsonl").runs[0].turns == imported.runs[0].turns


# -- the ADK ----------------------------------------------------------------


@pytest.mark.parametrize("schema", ["1", "2"])
def test_the_adk(tmp_path: Path, schema: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("google.adk")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    monkeypatch.setenv("ADK_TELEMETRY_SCHEMA_VERSION", schema)
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "SPAN_ONLY")
    monkeypatch.setenv("OTEL_SEMCONV_STABILITY_OPT_IN", "gen_ai_latest_experimental")
    exporter = memory.InMemorySpanExporter()
    _run_adk(provider_with(exporter), monkeypatch)
    spans = [json.loads(span.to_json()) for span in exporter.get_finished_spans()]
    assert spans
    (run,) = load(tmp_path, spans, "adk.json").runs
    assert essence(run) == [(QUESTION, ANSWER, [TRACKED])]
    assert (run.agent, run.model) == ("desk", "fake-1")
    assert run.unknown == ("planning_steps", "final_state", "cost")


def _run_adk(provider: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from google.adk.agents import LlmAgent
        from google.adk.models import BaseLlm, LlmResponse
        from google.adk.runners import InMemoryRunner
        from google.adk.telemetry import tracing
        from google.genai import types

        monkeypatch.setattr(tracing, "tracer", provider.get_tracer("gcp.vertex.agent"))

        class Scripted(BaseLlm):
            """A model that calls the tool once and then answers."""

            async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
                answered = any(
                    part.function_response
                    for content in llm_request.contents
                    for part in content.parts or ()
                )
                if answered:
                    part = types.Part(text=ANSWER)
                else:
                    args = {"parcel_id": "17", "deep": True}
                    part = types.Part(function_call=types.FunctionCall(name="track", args=args))
                yield LlmResponse(
                    content=types.Content(role="model", parts=[part]),
                    usage_metadata=types.GenerateContentResponseUsageMetadata(
                        prompt_token_count=10, candidates_token_count=5
                    ),
                )

        agent = LlmAgent(name="desk", model=Scripted(model="fake-1"), tools=[track])
        runner = InMemoryRunner(agent=agent, app_name="app")

        async def go() -> None:
            session = await runner.session_service.create_session(app_name="app", user_id="u")
            message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
            async for _ in runner.run_async(
                user_id="u", session_id=session.id, new_message=message
            ):
                pass

        asyncio.run(go())


# -- OpenInference ----------------------------------------------------------------


def test_openinference_names(tmp_path: Path) -> None:
    """The names of the conventions are those that are read."""
    conventions = pytest.importorskip("openinference.semconv.trace")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    names = conventions.SpanAttributes
    kinds = conventions.OpenInferenceSpanKindValues
    message, call = conventions.MessageAttributes, conventions.ToolCallAttributes
    exporter = memory.InMemorySpanExporter()
    tracer = provider_with(exporter).get_tracer("desk")
    args = {"parcel_id": "17", "deep": True}
    with tracer.start_as_current_span("desk") as span:
        span.set_attribute(names.OPENINFERENCE_SPAN_KIND, kinds.AGENT.value)
        span.set_attribute(names.INPUT_VALUE, QUESTION)
        span.set_attribute(names.OUTPUT_VALUE, ANSWER)
        span.set_attribute(names.AGENT_NAME, "desk")
        span.set_attribute(names.METADATA, json.dumps({"case_id": "parcel-17"}))
        with tracer.start_as_current_span("model") as model:
            said = f"{names.LLM_OUTPUT_MESSAGES}.0"
            made = f"{said}.{message.MESSAGE_TOOL_CALLS}.0"
            model.set_attributes(
                {
                    names.OPENINFERENCE_SPAN_KIND: kinds.LLM.value,
                    names.LLM_MODEL_NAME: "m-1",
                    names.LLM_TOKEN_COUNT_PROMPT: 10,
                    names.LLM_TOKEN_COUNT_COMPLETION: 5,
                    f"{said}.{message.MESSAGE_ROLE}": "assistant",
                    f"{made}.{call.TOOL_CALL_ID}": "c1",
                    f"{made}.{call.TOOL_CALL_FUNCTION_NAME}": "track",
                    f"{made}.{call.TOOL_CALL_FUNCTION_ARGUMENTS_JSON}": json.dumps(args),
                }
            )
        with tracer.start_as_current_span("track") as tool:
            tool.set_attributes(
                {
                    names.OPENINFERENCE_SPAN_KIND: kinds.TOOL.value,
                    names.TOOL_NAME: "track",
                    names.INPUT_VALUE: json.dumps(args),
                    names.INPUT_MIME_TYPE: "application/json",
                    names.OUTPUT_VALUE: json.dumps(track("17", True)),
                }
            )
    spans = [json.loads(item.to_json()) for item in exporter.get_finished_spans()]
    (run,) = load(tmp_path, spans, "spans.json").runs
    assert essence(run) == [(QUESTION, ANSWER, [TRACKED])]
    assert (run.case_id, run.agent, run.model) == ("parcel-17", "desk", "m-1")
    assert [c.id for _, c in run.tool_calls] == ["c1"]


# -- the OpenAI Agents SDK ----------------------------------------------------------------


def test_openai_agents(tmp_path: Path) -> None:
    agents = pytest.importorskip("agents")
    from agents.tracing import TracingProcessor, set_trace_processors
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    kept: list[Any] = []

    class Keeper(TracingProcessor):
        """Writes every trace and span as the SDK exports it."""

        def on_trace_start(self, trace: Any) -> None:
            kept.append(trace.export())

        def on_trace_end(self, trace: Any) -> None: ...

        def on_span_start(self, span: Any) -> None: ...

        def on_span_end(self, span: Any) -> None:
            kept.append(span.export())

        def shutdown(self) -> None: ...

        def force_flush(self) -> None: ...

    def call(name: str, args: dict[str, Any], number: int) -> Any:
        return ResponseFunctionToolCall(
            type="function_call", name=name, arguments=json.dumps(args), call_id=f"c{number}"
        )

    class Scripted(agents.Model):  # type: ignore[name-defined, misc]
        """A model that calls two tools, then answers; it leaves the span that real ones do."""

        step = 0

        async def get_response(self, *given: Any, **more: Any) -> Any:
            said = given[1] if len(given) > 1 else more["input"]
            self.step += 1
            if self.step == 1:
                args = {"parcel_id": "17", "deep": True}
                out: list[Any] = [call("track", args, 1), call("weigh", {"parcel_id": "17"}, 2)]
            else:
                text = ResponseOutputText(type="output_text", text=ANSWER, annotations=[])
                out = [
                    ResponseOutputMessage(
                        id="m", type="message", role="assistant", status="completed", content=[text]
                    )
                ]
            items = [{"role": "user", "content": said}] if isinstance(said, str) else list(said)
            with agents.generation_span(
                input=items,
                output=[item.model_dump() for item in out],
                model="fake-1",
                usage={"input_tokens": 10, "output_tokens": 5},
            ):
                pass
            return agents.ModelResponse(output=out, usage=agents.Usage(), response_id=None)

        def stream_response(self, *given: Any, **more: Any) -> Any:
            raise NotImplementedError

    set_trace_processors([Keeper()])
    try:
        desk = agents.Agent(
            name="desk",
            model=Scripted(),
            tools=[agents.function_tool(track), agents.function_tool(weigh)],
        )
        config = agents.RunConfig(trace_metadata={"case_id": "parcel-17"})
        result = asyncio.run(agents.Runner.run(desk, QUESTION, run_config=config))
        assert result.final_output == ANSWER
    finally:
        set_trace_processors([])
    imported = load(tmp_path, lines(kept), "trace.jsonl")
    (run,) = imported.runs
    ((user, answer, calls),) = essence(run)
    assert (user, answer) == (QUESTION, ANSWER)
    assert calls[0] == TRACKED
    assert calls[1][:3] == ("weigh", '{"parcel_id":"17"}', "error")
    assert (run.case_id, run.agent, run.model) == ("parcel-17", "desk", "fake-1")
    assert [c.parallel_group for _, c in run.tool_calls] == [0, 0]


# -- LangChain ----------------------------------------------------------------


def test_langchain_tracers(tmp_path: Path) -> None:
    """Runs that LangChain's own tracer collects, serialised as LangSmith's client does."""
    pytest.importorskip("langchain_core")
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
    from langsmith._internal._serde import dumps_json

    args = {"parcel_id": "17", "deep": True}
    calls = [
        {"name": "track", "args": args, "id": "c1", "type": "tool_call"},
        {"name": "weigh", "args": {"parcel_id": "17"}, "id": "c2", "type": "tool_call"},
    ]
    asked = AIMessage(
        content="",
        tool_calls=calls,
        usage_metadata={"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    )
    model = GenericFakeChatModel(messages=iter([asked, AIMessage(content=ANSWER)]))
    tools = {"track": tool(track), "weigh": tool(weigh)}

    def desk(given: dict[str, Any]) -> dict[str, Any]:
        messages = list(given["messages"])
        while True:
            said = model.invoke(messages)
            messages.append(said)
            if not said.tool_calls:
                return {"messages": messages}
            for call in said.tool_calls:
                try:
                    messages.append(tools[call["name"]].invoke(call))
                except ValueError as error:
                    messages.append(HumanMessage(content=f"failed: {error}"))

    collector = RunCollectorCallbackHandler()
    config: Any = {"callbacks": [collector], "metadata": {"case_id": "parcel-17"}}
    RunnableLambda(desk).with_config(run_name="desk").invoke(
        {"messages": [HumanMessage(content=QUESTION)]}, config
    )
    flat: list[Any] = []
    stack = list(collector.traced_runs)
    while stack:
        run_tree = stack.pop()
        stack += run_tree.child_runs
        fields = {
            "id", "trace_id", "parent_run_id", "name", "run_type", "dotted_order", "start_time",
            "end_time", "inputs", "outputs", "extra", "error",
        }  # fmt: skip
        record = {name: getattr(run_tree, name, None) for name in fields}
        flat.append(json.loads(dumps_json(record)))
    imported = load(tmp_path, lines(flat), "runs.jsonl")
    (run,) = imported.runs
    ((user, answer, made),) = essence(run)
    assert (user, answer) == (QUESTION, ANSWER)
    assert made == [TRACKED, ("weigh", '{"parcel_id":"17"}', "error", "null")]
    assert (run.case_id, run.agent) == ("parcel-17", "desk")
    assert (run.tokens_in, run.tokens_out) == (10, 5)
    assert [c.id for _, c in run.tool_calls] == ["c1", "c2"]


# -- MCP ----------------------------------------------------------------


def test_mcp(tmp_path: Path) -> None:
    """A real client and a real server over streams in memory, every message written down."""
    pytest.importorskip("mcp")
    import anyio
    from mcp import ClientSession
    from mcp.server.mcpserver import MCPServer
    from mcp.shared.memory import create_client_server_memory_streams

    server = MCPServer("desk")
    server.add_tool(track)
    server.add_tool(weigh)
    kept: list[Any] = []

    async def tap(source: Any, target: Any, side: str) -> None:
        async with source, target:
            async for item in source:
                message = item.message.model_dump(by_alias=True, mode="json", exclude_none=True)
                kept.append({"direction": side, "message": message})
                await target.send(item)

    async def go() -> None:
        async with (
            create_client_server_memory_streams() as (near, far),
            create_client_server_memory_streams() as (middle, end),
            anyio.create_task_group() as group,
        ):
            group.start_soon(tap, far[0], middle[1], "client")
            group.start_soon(tap, middle[0], far[1], "server")
            low = server._lowlevel_server
            group.start_soon(low.run, end[0], end[1], low.create_initialization_options())
            async with ClientSession(near[0], near[1]) as client:
                await client.initialize()
                await client.list_tools()
                await client.call_tool("track", {"parcel_id": "17", "deep": True})
                await client.call_tool("weigh", {"parcel_id": "17"})
            group.cancel_scope.cancel()

    asyncio.run(go())
    (run,) = load(tmp_path, lines(kept), "session.jsonl").runs
    ((user, answer, made),) = essence(run)
    assert (user, answer) == (None, None)
    assert made[0] == TRACKED
    assert made[1][:3] == ("weigh", '{"parcel_id":"17"}', "error")
    assert [c.server for _, c in run.tool_calls] == ["desk", "desk"]
    bare = load(tmp_path, lines([item["message"] for item in kept]), "bare.jsonl")
    assert bare.runs[0].turns == run.turns
