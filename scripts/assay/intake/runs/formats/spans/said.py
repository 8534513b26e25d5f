"""What was said: one form for the messages of every framework, and its values."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.errors import InputError
from assay.files.canonical import canonical_json
from assay.files.reading import parse_json
from assay.intake.node import shorten
from assay.intake.runs.formats.messages.chat import read_result
from assay.intake.runs.imported import Call
from assay.models.base import JsonValue


@dataclass
class Result:
    """What a tool gave back, within a message."""

    id: str | None
    name: str | None
    value: JsonValue
    failed: bool = False


@dataclass
class Said:
    """One message."""

    role: str
    text: str | None = None
    calls: list[Call] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    lost: int = 0
    """Parts without text: images, thinking."""


def read_arguments(call: Call, value: JsonValue) -> bool:
    """Write arguments into a call. False where they cannot be read: then its error says so."""
    problem = ""
    if isinstance(value, str) and value.strip():
        try:
            value = parse_json(value, name="")
        except InputError as error:
            problem = error.message
    if isinstance(value, dict):
        call.args = dict(value)
    elif not problem and value not in (None, ""):
        problem = "They are no JSON object."
    if problem:
        shown = value if isinstance(value, str) else canonical_json(value)
        call.outcome = "error"
        call.error = f"The arguments cannot be read: {problem} {shorten(shown, 200)}"
    return not problem


def plain_result(value: JsonValue) -> JsonValue:
    """A result: JSON in text is read, blocks of text are joined, the rest stays."""
    if isinstance(value, str):
        return read_result(value)
    if isinstance(value, list) and value:
        texts = [
            item.get("text")
            for item in value
            if isinstance(item, dict) and item.get("type") in ("text", "output_text", "input_text")
        ]
        if len(texts) == len(value):
            return read_result("".join(str(text) for text in texts))
    return value


def last_text(said: list[Said] | None, role: str) -> str | None:
    """The last text that a role spoke; messages with calls are none."""
    for item in reversed(said or []):
        if item.role == role and item.text is not None and not item.calls:
            return item.text
    return None
