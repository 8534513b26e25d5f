"""Messages of every framework to one form: who spoke, what text, which calls, which results.

One reader for OpenAI's chat and Responses items, Anthropic's blocks, Gemini's parts, the parts of
the OpenTelemetry conventions, OpenInference's nested names, and LangChain's messages. It never
raises: what it does not understand it leaves out, and the caller counts it.
"""

from __future__ import annotations

from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.formats.spans.said import Result, Said, plain_result, read_arguments
from assay.intake.runs.imported import Call
from assay.models.base import JsonValue

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "humanmessage": "user",
    "systemmessage": "system",
    "toolmessage": "tool",
    "developer": "system",
    "function": "tool",
}
_THINKING = frozenset({"reasoning", "thinking", "redacted_thinking"})


def messages(value: JsonValue) -> list[Said]:
    """The messages in a list; a text is one message of the user."""
    if isinstance(value, str):
        return [Said("user", value)]
    if isinstance(value, dict):
        inner = value.get("messages")
        if isinstance(inner, list) and "role" not in value:
            return messages(inner)
        value = [value]
    if not isinstance(value, list):
        return []
    if value and all(isinstance(item, list) for item in value):
        # LangChain hands a model a batch of conversations; a trace holds one.
        return messages(value[0])
    found: list[Said] = []
    before: JsonValue = None
    for item in value:
        made = message(item)
        kind = item.get("type") if isinstance(item, dict) else None
        if made is None:
            continue
        if kind == "function_call" and before in ("function_call", "reasoning"):
            # Items of one response: they were issued together.
            found[-1].calls += made.calls
        else:
            found.append(made)
        before = kind
    return found


def message(value: JsonValue) -> Said | None:
    """One message; None where it is none."""
    if isinstance(value, str):
        return Said("user", value)
    if not isinstance(value, dict):
        return None
    value = _opened(value)
    kind = value.get("type")
    if kind in ("function_call", "function_call_output", "reasoning"):
        made = Said("tool" if kind == "function_call_output" else "assistant")
        _part(value, made, [])
        return made
    role = _role(value)
    if role is None:
        return None
    made = Said(role)
    texts: list[str] = []
    for key in ("content", "contents", "parts", "refusal"):
        _content(value.get(key), made, texts)
    made.text = "".join(texts) if texts else None
    listed = value.get("tool_calls")
    for item in listed if isinstance(listed, list) else []:
        _call(item, made)
    single = value.get("function_call")
    if isinstance(single, dict) and single.get("name"):
        _call(single, made)
    extra = value.get("additional_kwargs")
    if not made.calls and isinstance(extra, dict) and isinstance(extra.get("tool_calls"), list):
        for item in _list(extra.get("tool_calls")):
            _call(item, made)
    if role == "tool" and not made.results:
        made.results.append(
            Result(
                _text(value, "tool_call_id", "id", "call_id"),
                _text(value, "name"),
                read_result(made.text),
                value.get("status") == "error",
            )
        )
        made.text = None
    return made


def _opened(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A message without the wrappers that frameworks put around it."""
    for _ in range(3):
        inner = value.get("message")
        if isinstance(inner, dict) and "role" not in value:
            value = inner
            continue
        kwargs = value.get("kwargs")
        if value.get("lc") is not None and isinstance(kwargs, dict):
            path = value.get("id")
            last = path[-1] if isinstance(path, list) and path else ""
            value = {"type": str(last).lower(), **kwargs}
            continue
        data = value.get("data")
        if isinstance(data, dict) and "type" in value and "content" in data:
            value = {"type": value["type"], **data}
            continue
        content = value.get("content")
        if isinstance(content, dict) and "parts" in content:
            value = {"role": "model", **content}
            continue
        break
    return value


def _role(value: dict[str, JsonValue]) -> str | None:
    given = value.get("role")
    if not isinstance(given, str):
        given = value.get("type")
        if given == "message" or (given is None and ("parts" in value or "content" in value)):
            given = "assistant"
    if not isinstance(given, str) or not given:
        return None
    given = given.lower()
    role = _ROLES.get(given, given)
    return role if role in ("user", "assistant", "system", "tool") else None


def _content(value: JsonValue, made: Said, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, dict):
                _part(part, made, texts)


def _part(part: dict[str, JsonValue], made: Said, texts: list[str]) -> None:
    """One part of a message, in whichever form."""
    inner = part.get("message_content")
    if isinstance(inner, dict):
        part = inner
    kind = part.get("type")
    if kind in _THINKING or part.get("thought") is True:
        made.lost += 1
    elif kind in ("tool_use", "tool_call", "function_call") and part.get("name"):
        _call(part, made)
    elif isinstance(part.get("function_call"), dict):
        _call(part["function_call"], made)
    elif kind in ("tool_result", "tool_call_response", "function_call_output"):
        _result(part, made)
    elif isinstance(response := part.get("function_response"), dict):
        _result(response, made)
    else:
        text = part.get("text", part.get("content", part.get("refusal")))
        if isinstance(text, str):
            texts.append(text)
        else:
            made.lost += 1


def _call(value: JsonValue, made: Said) -> None:
    if not isinstance(value, dict):
        return
    inner = value.get("tool_call")
    value = inner if isinstance(inner, dict) else value
    function = value.get("function")
    body = function if isinstance(function, dict) else value
    name = body.get("name")
    if not isinstance(name, str) or not name:
        made.lost += 1
        return
    call = Call(name, {}, id=_text(value, "call_id", "tool_use_id", "id"))
    for key in ("arguments", "args", "input", "parameters"):
        if key in body:
            read_arguments(call, body[key])
            break
    made.calls.append(call)


def _result(part: dict[str, JsonValue], made: Said) -> None:
    for key in ("response", "result", "output", "content"):
        if key in part:
            value = part[key]
            break
    else:
        value = None
    made.results.append(
        Result(
            _text(part, "id", "tool_use_id", "tool_call_id", "call_id"),
            _text(part, "name"),
            plain_result(value),
            part.get("is_error") is True,
        )
    )


def _text(value: dict[str, JsonValue], *keys: str) -> str | None:
    for key in keys:
        given = value.get(key)
        if isinstance(given, str) and given:
            return given
    return None


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
