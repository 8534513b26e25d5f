"""Events of the ADK to turns and calls: the rules that every ADK format shares.

Rules, after `google.adk.events.Event` and `EvaluationGenerator.convert_events_to_eval_invocations`:

- events of one invocation are one turn; the answer is the last final response, one with text first;
- an event that is marked partial, and one whose id was seen already, is dropped;
- a call that repeats id, name and arguments of one that is not answered yet is dropped;
- a result belongs to the call with its id, else to the first open call of its name; a later
  result replaces an earlier one (tools that run long, confirmations);
- a result with a non-empty ``error``, or with ``isError``, is an error; the two sentences that the
  ADK itself gives when a person must confirm or has refused mean that the call was blocked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.files.canonical import canonical_json
from assay.intake.instants import of_epoch
from assay.intake.node import Node, Source, shorten
from assay.intake.runs.imported import Call, Turn
from assay.models.base import JsonValue

BLOCKED = frozenset(
    {
        "This tool call requires confirmation, please approve or reject.",
        "This tool call is rejected.",
    }
)
"""What the ADK answers in place of a tool that was not allowed to run."""

_OF_THE_MODEL = frozenset(
    {
        "STOP",
        "MAX_TOKENS",
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "OTHER",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "BLOCKED_REASON_UNSPECIFIED",
    }
)
"""Error codes that are a finish or block reason: the agent's end, not the harness's failure."""


@dataclass
class Trace:
    """Turns and what events tell beside them."""

    source: Source
    turns: list[Turn] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    tokens_in: int | None = None
    tokens_out: int | None = None
    errors: list[str] = field(default_factory=list)
    started_at: str | None = None
    open: list[Call] = field(default_factory=list)
    """Every call of the session, for results that come late."""
    ids: set[str] = field(default_factory=set)
    """Ids of events that were seen."""


def message_text(node: Node | None) -> str | None:
    """The text of a message that is meant for its reader; None where there is no text part."""
    if node is None:
        return None
    if isinstance(node.value, str):
        return node.value
    content = node.get("content")
    if content is not None and not node.has("parts"):
        return content.text()
    parts = node.get("parts")
    texts: list[str] = []
    for part in parts.items() if parts is not None else []:
        text = part.get("text")
        if text is not None and not is_thought(part):
            texts.append(text.text())
    return "".join(texts) if texts else None


def is_thought(part: Node) -> bool:
    """Whether a part is the model's thinking."""
    thought = part.get("thought")
    return thought is not None and thought.boolean()


def read_events(events: list[Node], trace: Trace) -> None:
    """Read the events of a session into turns."""
    turns: dict[str, Turn] = {}
    last = ""
    for event in events:
        if _is_dropped(event, trace):
            continue
        invocation = event.get("invocation_id")
        last = invocation.text() if invocation is not None else last
        turn = turns.get(last)
        if turn is None:
            turn = turns[last] = Turn()
            trace.turns.append(turn)
        _event(event, turn, trace)
    trace.turns = [turn for turn in trace.turns if not turn.is_empty]


def read_step_events(events: list[Node], turn: Turn, trace: Trace) -> None:
    """Read the events between a question and its answer, which are known already."""
    steps = Turn(user=turn.user)
    for event in events:
        if not _is_dropped(event, trace):
            _event(event, steps, trace)
    turn.user, turn.calls = steps.user, steps.calls
    if turn.answer is None:
        turn.answer = steps.answer
    elif steps.answer is not None:
        same = turn.answer == steps.answer
        trace.source.drop("answer repeated in events" if same else "text before the answer")


def _is_dropped(event: Node, trace: Trace) -> bool:
    partial = event.get("partial")
    if partial is not None and partial.boolean():
        trace.source.drop("partial event")
        return True
    given = event.get("id")
    if given is not None and given.text():
        if given.text() in trace.ids:
            trace.source.drop("repeated event")
            return True
        trace.ids.add(given.text())
    return False


def _event(event: Node, turn: Turn, trace: Trace) -> None:
    _metadata(event, trace)
    content = event.get("content")
    parts_node = content.get("parts") if content is not None else None
    parts = parts_node.items() if parts_node is not None else []
    author = event.get("author")
    name = author.text() if author is not None else ""
    calls = [part.need("function_call") for part in parts if part.get("function_call")]
    responses = [part.need("function_response") for part in parts if part.get("function_response")]
    text = message_text(content)
    if name == "user" or (not name and _is_user(content) and not responses):
        if text is not None and text != turn.user:
            turn.user = text if turn.user is None else f"{turn.user}\n{text}"
    else:
        if name and name not in trace.authors:
            trace.authors.append(name)
        trace.source.drop("thinking", sum(map(is_thought, parts)))
        _say(event, parts, text, turn, trace, bool(calls or responses))
    turn.add(_new_calls(calls, trace))
    for response in responses:
        _respond(response, trace)


def _is_user(content: Node | None) -> bool:
    role = content.get("role") if content is not None else None
    return role is not None and role.text() == "user"


def _say(
    event: Node, parts: list[Node], text: str | None, turn: Turn, trace: Trace, acts: bool
) -> None:
    """Take the text of an event as the turn's answer, or count it as said on the way."""
    actions = event.get("actions")
    silent = actions.get("skip_summarization") if actions is not None else None
    long = event.get("long_running_tool_ids")
    final = (silent is not None and silent.boolean()) or bool(long is not None and long.items())
    ends_in_code = bool(parts) and parts[-1].get("code_execution_result") is not None
    final = final or not (acts or ends_in_code)
    if text is None:
        return
    if not final:
        trace.source.drop("text before the answer")
        return
    if turn.answer is not None:
        trace.source.drop("text before the answer")
        if not text:
            return
    turn.answer = text


def _new_calls(nodes: list[Node], trace: Trace) -> list[Call]:
    calls: list[Call] = []
    for node in nodes:
        call = read_call(node)
        if call.id is not None and any(_same(call, other) for other in trace.open):
            trace.source.drop("repeated call")
            continue
        calls.append(call)
        trace.open.append(call)
    return calls


def _same(call: Call, other: Call) -> bool:
    return (
        not other.answered
        and call.id == other.id
        and call.name == other.name
        and canonical_json(call.args) == canonical_json(other.args)
    )


def read_call(node: Node) -> Call:
    """A function call: name, id, arguments."""
    name = node.need("name").text(empty=False)
    args = node.get("args")
    call_id = node.get("id")
    return Call(
        name,
        dict(args.object()) if args is not None else {},
        id=call_id.text() if call_id is not None else None,
    )


def _respond(node: Node, trace: Trace) -> None:
    response_id = node.get("id")
    name = node.get("name")
    call = find_call(
        trace.open,
        response_id.text() if response_id is not None else None,
        name.text() if name is not None else None,
    )
    if call is None:
        trace.source.drop("tool result without its call")
        shown = name.text() if name is not None else "?"
        trace.source.note("IRU004", f"A result of `{shown}` belongs to no call.", node=node)
        return
    value = node.get("response")
    if call.answered:
        same = canonical_json(call.result) == canonical_json(value.value if value else None)
        trace.source.drop("repeated tool result" if same else "tool result that was replaced")
    settle(call, value.value if value is not None else None)


def find_call(calls: list[Call], call_id: str | None, name: str | None) -> Call | None:
    """The call that a result belongs to: by id, open ones first; else the first of its name."""
    if call_id is not None:
        fitting = [call for call in calls if call.id == call_id and name in (None, call.name)]
        return next(
            (call for call in fitting if not call.answered), fitting[-1] if fitting else None
        )
    return next((call for call in calls if not call.answered and call.name == name), None)


def settle(call: Call, result: JsonValue) -> None:
    """Write a function response into its call."""
    call.answered = True
    call.result = result
    call.outcome, call.error = "ok", None
    if not isinstance(result, dict):
        return
    error = result.get("error")
    if error not in (None, False, "") and error != {} and error != []:
        call.error = error if isinstance(error, str) else canonical_json(error)
        call.outcome = "blocked" if call.error in BLOCKED else "error"
    elif result.get("isError") is True or result.get("is_error") is True:
        call.outcome = "error"
        call.error = shorten(canonical_json(result.get("content")), 500)


def _metadata(event: Node, trace: Trace) -> None:
    model = event.get("model_version")
    if model is not None and model.text() and model.text() not in trace.models:
        trace.models.append(model.text())
    usage = event.get("usage_metadata")
    if usage is not None:
        read_usage(usage, trace)
    stamp = event.get("timestamp")
    if stamp is not None and trace.started_at is None:
        trace.started_at = of_epoch(stamp.number())
    code = event.get("error_code")
    if code is not None and code.text() and code.text() not in _OF_THE_MODEL:
        said = event.get("error_message")
        words = f"{code.text()}: {said.text()}" if said is not None else code.text()
        trace.errors.append(shorten(words, 500))


def read_usage(usage: Node, trace: Trace) -> None:
    """Add up the tokens that the model reported."""
    for names, field_name in (
        (("prompt_token_count", "tool_use_prompt_token_count"), "tokens_in"),
        (("candidates_token_count", "thoughts_token_count"), "tokens_out"),
    ):
        for name in names:
            given = usage.get(name)
            if given is not None:
                before = getattr(trace, field_name) or 0
                setattr(trace, field_name, before + given.whole())
