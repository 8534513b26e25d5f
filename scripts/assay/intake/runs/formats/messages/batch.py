"""Lines of a batch's output: ``custom_id`` and the response to it, or why there is none."""

from __future__ import annotations

from typing import Any, Literal

from assay.intake.node import Node, shorten
from assay.intake.runs.imported import RawRun

Body = Literal["completion", "response", "error"]


def body_of(value: Any) -> Body | None:
    """What a line of OpenAI's batch output holds; None where it is no such line."""
    if not isinstance(value, dict) or "custom_id" not in value or "messages" in value:
        return None
    if "response" not in value and "error" not in value:
        return None
    response = value.get("response")
    body = response.get("body") if isinstance(response, dict) else None
    if not isinstance(body, dict):
        return "error"
    return kind_of(body) or "error"


def kind_of(value: Any) -> Literal["completion", "response"] | None:
    """What an object is that an interface of OpenAI answered with, if it is one."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("choices"), list) or value.get("object") == "chat.completion":
        return "completion"
    if isinstance(value.get("output"), list) and (
        value.get("object") == "response" or "messages" not in value
    ):
        return "response"
    return "response" if value.get("object") == "response" else None


def failed(record: Node, raw: RawRun) -> bool:
    """Take down that a request of a batch failed: the agent never had its say.

    Returns:
        Whether it did.
    """
    error = record.get("error")
    response = record.get("response")
    status = response.get("status_code") if response is not None else None
    code = status.whole() if status is not None else 200
    body = response.get("body") if response is not None else None
    if error is None and code < 400 and body is not None:
        return False
    if error is None and body is not None:
        error = body.get("error")
    said = message_of(error) or (f"the request ended with status {code}" if code >= 400 else "")
    raw.infrastructure_errors.append(said or "The batch holds no response to this request.")
    return True


def message_of(error: Node | None) -> str:
    """The words of an error object: its code or type, and its message."""
    if error is None:
        return ""
    if isinstance(error.value, str):
        return shorten(error.value, 500)
    told = [error.get("code", "type"), error.get("message")]
    words = [
        str(node.value) for node in told if node is not None and isinstance(node.value, str | int)
    ]
    return shorten(": ".join(words), 500)
