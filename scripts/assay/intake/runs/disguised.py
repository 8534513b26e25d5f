"""Failures that whoever recorded them called a success.

Frameworks hand the text of an exception back to the model as the result of the call, and many
record the call as successful. Each rule is one exact shape, so that a tool that reports on errors
(``{"errors": []}``, a log that begins with ``Error rate``) is not taken for one that failed.
``docs/formats/failures.md`` shows the rules as a table.
"""

from __future__ import annotations

import re

from assay.models.base import JsonValue

_TEXTS = re.compile(
    r"Error executing tool [^\s:]+: "  # MCP's Python SDK
    r"|Error calling tool '[^']+'"  # FastMCP
    r"|An error occurred while running the tool\b"  # OpenAI Agents SDK
    r"|Error invoking tool '?[^\s']+'? with "  # LangGraph
    r"|(?:Error: )?\S+ is not a valid tool, try one of \["  # LangGraph
    r"|Error: .*\n? Please fix your mistakes\.\s*\Z"  # LangGraph, older
    r"|Traceback \(most recent call last\):\n"  # Python
    r"|Unknown tool: \S+\s*\Z"  # MCP
    r"|MCP error -\d+: "
    r"|Input validation error: "  # MCP's Python SDK
    r"|\s*I encountered an error while trying to use the tool\. This was the error: ",  # CrewAI
    re.DOTALL,
)

_RETRY = "\n\nFix the errors and try again."
"""How Pydantic AI ends what it tells a model whose call failed."""

_REFUSED = re.compile(
    r"This tool call requires confirmation, please approve or reject\.\Z"  # ADK
    r"|This tool call is rejected\.\Z"
    r"|Tool execution was not approved\.\Z"  # OpenAI Agents SDK
    r"|User rejected the tool call for [`'\"]"  # LangChain
    r"|The user doesn't want to (?:proceed with this tool use|take this action right now)\."
    r"|Permission to use \S.{0,2000}? has been denied\b"  # Claude Code and its SDK
    r"|This command requires approval\Z",
    re.DOTALL,
)

_BESIDE_ERROR = frozenset(
    {
        "code",
        "detail",
        "details",
        "error_code",
        "errorcode",
        "error_type",
        "errortype",
        "hint",
        "message",
        "ok",
        "reason",
        "request_id",
        "requestid",
        "status",
        "statuscode",
        "status_code",
        "success",
        "timestamp",
        "traceback",
        "type",
    }
)
"""What may stand beside ``error`` in an answer that is nothing but the report of a failure."""

_WORDS = ("error", "message", "reason", "detail")


def refusal(result: JsonValue) -> str | None:
    """What a result, or an error, says of a call that was refused before it ran; else None."""
    if isinstance(result, str):
        text = result.strip() if result[:1].isspace() or result[-1:].isspace() else result
        return text if _REFUSED.match(text) else None
    if isinstance(result, list) and len(result) == 1:
        return refusal(result[0])
    if isinstance(result, dict):
        for key in ("error", "text", "content", "message"):
            words = refusal(result[key]) if key in result else None
            if words is not None:
                return words
    return None


def failure(result: JsonValue) -> str | None:
    """The text of the failure that a result reports; None where it reports none."""
    if isinstance(result, str):
        told = _TEXTS.match(result) or result.rstrip().endswith(_RETRY)
        return result if told else None
    if isinstance(result, list):
        return failure(result[0]) if len(result) == 1 and isinstance(result[0], dict) else None
    return _of_object(result) if isinstance(result, dict) else None


def _of_object(value: dict[str, JsonValue]) -> str | None:
    error = value.get("error")
    told = (isinstance(error, str) and error.strip()) or (isinstance(error, dict) and error)
    if told and all(key == "error" or key.lower() in _BESIDE_ERROR for key in value):
        return _text(error)
    if value.get("isError") is True or value.get("is_error") is True:
        return _first_text(value) or "The result says that it is an error."
    if value.get("success") is False or value.get("ok") is False:
        return _first_text(value)
    if value.get("status") == "error" and all(
        key == "error" or key.lower() in _BESIDE_ERROR for key in value
    ):
        return _first_text(value)
    return None


def _first_text(value: dict[str, JsonValue]) -> str | None:
    for key in _WORDS:
        text = _text(value.get(key))
        if text:
            return text
    return None


def _text(value: JsonValue) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, dict):
        return _text(value.get("message")) or _text(value.get("type"))
    return None
