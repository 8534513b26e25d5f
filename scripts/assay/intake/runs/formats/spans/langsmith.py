"""Runs of LangSmith, as its client exports them and LangChain's tracers hold them.

Source: ``langsmith.schemas.Run``. ``run_type`` says what a run is: chains and agents frame the
turn, ``llm`` is a call of a model, ``tool`` one of a tool; prompts, parsers, retrievers and
embeddings are left out. ``dotted_order`` orders runs of one start. Children may be nested in
``child_runs``.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.runs.formats.spans.attributes import (
    Attributes,
    amount_in,
    count_in,
    decoded,
    text_in,
)
from assay.intake.runs.formats.spans.clock import nanos
from assay.intake.runs.formats.spans.io_values import said_in
from assay.intake.runs.formats.spans.literal import printed
from assay.intake.runs.formats.spans.messages import message, messages
from assay.intake.runs.formats.spans.runs import read_traces
from assay.intake.runs.formats.spans.said import Said, plain_result, read_arguments
from assay.intake.runs.formats.spans.span import LeftOut, Span, Step
from assay.intake.runs.imported import Call, Piece
from assay.models.base import JsonValue

NAME = "langsmith"
TITLE = "LangSmith runs (`run_type`, `dotted_order`, `inputs`, `outputs`)"
STREAMS = False

THREAD = ("thread_id", "session_id", "conversation_id")
"""What LangSmith takes for the name of a thread, in the metadata."""


def fits(document: Document) -> bool:
    """Whether the file holds runs of LangSmith."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(
            record.has("run_type") and record.has("dotted_order", "inputs", "outputs")
            for record in records
        )
    )


def read(document: Document) -> list[Piece]:
    """One run for every trace, or for every thread."""
    spans: list[Span] = []
    for record in document.records:
        stack: list[tuple[Node, Span | None]] = [(record, None)]
        while stack:
            node, parent = stack.pop()
            try:
                span = _span(node, parent)
            except InputError as error:
                document.source.drop("span that cannot be read")
                document.source.failed(error, "IRU020")
                continue
            spans.append(span)
            children = node.get("child_runs")
            if children is not None:
                stack += [(child, span) for child in children.items()]
    return read_traces(document, spans, step_of, THREAD, foreign="run of another kind")


def _span(node: Node, above: Span | None) -> Span:
    run_id = node.need("id").text(empty=False)
    parent = node.get("parent_run_id")
    trace = node.get("trace_id")
    error, name = node.get("error"), node.get("name")
    extra = node.get("extra")
    metadata = extra.get("metadata") if extra is not None else None
    attributes: Attributes = dict(metadata.object()) if metadata is not None else {}
    example = node.get("reference_example_id")
    if example is not None:
        attributes["reference_example_id"] = example.value
        if parent is None and above is None:
            attributes.setdefault("case_id", example.value)
    order = node.get("dotted_order")
    trace_id = trace.text() if trace is not None else above.trace_id if above else ""
    given = parent.text() if parent is not None else above.id if above is not None else None
    return Span(
        node,
        id=run_id,
        trace_id=trace_id or run_id,
        parent=given or None,
        name=name.text() if name is not None else "",
        start=_time(node, "start_time"),
        end=_time(node, "end_time"),
        attributes=attributes,
        failed=error is not None and error.value != "",
        message=error.text() if error is not None else "",
        order=order.text() if order is not None else "",
    )


def _time(node: Node, name: str) -> int | None:
    given = node.get(name)
    return nanos(given.value) if given is not None else None


def step_of(span: Span) -> Step | None:
    """What a run of LangSmith means."""
    node = span.node
    kind = node.need("run_type").text()
    inputs, outputs = node.get("inputs"), node.get("outputs")
    given = inputs.value if inputs is not None else None
    result = (outputs.value or None) if outputs is not None else None
    if kind == "tool":
        return _tool(span, given, result)
    if kind == "llm":
        return _model(span, given, result)
    if kind in ("chain", "agent"):
        return Step(
            "agent",
            span,
            said_in(given, "user"),
            said_in(result, "assistant"),
            name=span.name if span.parent is None else None,
            failure=span.error(),
        )
    raise LeftOut(f"{kind} run")


def _tool(span: Span, given: JsonValue, result: JsonValue) -> Step:
    call = Call(span.name or "tool", {})
    step = Step("tool", span, call=call)
    value = _only(given, "input")
    if isinstance(value, str):
        value = decoded(value)
        value = printed(value) if isinstance(value, str) else value
    if isinstance(value, dict) and value.get("type") == "tool_call" and "args" in value:
        call.id = text_in(value, "id")
        value = value["args"]
    step.args_known = given is not None
    if isinstance(value, str):
        # A tool with one argument that LangChain calls with the bare text.
        call.args = {"input": value}
    else:
        read_arguments(call, value)
    step.result_known = result is not None
    _result(call, _only(result, "output"))
    error = span.error()
    if error is not None:
        call.outcome, call.error = "error", error
    elif call.outcome != "error":
        call.outcome = "ok" if step.result_known or span.end is not None else "unknown"
    return step


def _only(value: JsonValue, name: str) -> JsonValue:
    """The value under the one name; the object itself where there are others."""
    if isinstance(value, dict) and set(value) == {name}:
        return value[name]
    return value


def _result(call: Call, value: JsonValue) -> None:
    """The result of a tool, bare or within a message of LangChain."""
    made = message(value) if isinstance(value, dict) else None
    if made is not None and made.role == "tool" and made.results:
        told = made.results[0]
        call.id = call.id or told.id
        value = told.value
        if told.failed:
            call.outcome = "error"
            call.error = value if isinstance(value, str) else "error"
    value = plain_result(value)
    call.result = printed(value) if isinstance(value, str) else value


def _model(span: Span, given: JsonValue, result: JsonValue) -> Step:
    node = span.node
    step = Step("model", span, failure=span.error())
    if isinstance(given, dict) and isinstance(given.get("prompts"), list):
        step.input = messages(given["prompts"])
    else:
        step.input = said_in(given, "user")
    step.output = _generated(result)
    extra = node.get("extra")
    parameters = extra.get("invocation_params") if extra is not None else None
    places: list[Attributes] = [span.attributes]
    if parameters is not None:
        places.append(parameters.object())
    step.model = next(
        (m for place in places if (m := text_in(place, "ls_model_name", "model", "model_name"))),
        None,
    )
    usage = _usage(result)
    told = node.object()
    step.tokens_in = count_in(told, "prompt_tokens")
    if step.tokens_in is None:
        step.tokens_in = count_in(usage, "input_tokens", "prompt_tokens")
    step.tokens_out = count_in(told, "completion_tokens")
    if step.tokens_out is None:
        step.tokens_out = count_in(usage, "output_tokens", "completion_tokens")
    step.cost = amount_in(told, "total_cost")
    return step


def _generated(result: JsonValue) -> list[Said] | None:
    """The messages of a model's output, in LangChain's generations or in an API's own form."""
    if not isinstance(result, dict):
        return said_in(result, "assistant")
    listed = result.get("generations")
    while isinstance(listed, list) and listed and isinstance(listed[0], list):
        listed = listed[0]
    if isinstance(listed, list) and listed and isinstance(listed[0], dict):
        first = listed[0]
        made = message(first["message"]) if first.get("message") is not None else None
        if made is None and isinstance(first.get("text"), str):
            made = Said("assistant", str(first["text"]))
        return [made] if made is not None else None
    choices = result.get("choices")
    if isinstance(choices, list):
        found = [message(item) for item in choices if isinstance(item, dict)]
        return [item for item in found if item is not None] or None
    return said_in(result, "assistant")


def _usage(result: JsonValue) -> Attributes:
    """Tokens that the output itself tells of."""
    stack: list[JsonValue] = [result]
    for _ in range(1000):
        if not stack:
            break
        value = stack.pop()
        if isinstance(value, list):
            stack += value[:100]
        elif isinstance(value, dict):
            for name in ("usage_metadata", "token_usage", "usage"):
                inner = value.get(name)
                if isinstance(inner, dict) and inner:
                    return inner
            stack += [item for item in value.values() if isinstance(item, dict | list)]
    return {}
