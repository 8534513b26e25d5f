"""Messages of every spelling to the canonical one: a role and parts.

Sources: `google.genai.types.Content` and `Part`; the message of tRPC-Agent, which carries
``content`` in place of parts, as OpenAI's does.
"""

from __future__ import annotations

from assay.intake.node import Node
from assay.models.base import JsonValue
from assay.models.case import Content, Part

_PART = frozenset(Part.model_fields)
_CONTENT = frozenset(Content.model_fields)
_MESSAGE = _CONTENT | {"content", "content_parts"}
_NESTED = frozenset(
    {"inline_data", "file_data", "executable_code", "code_execution_result", "video_metadata"}
)
_ROLES = {"assistant": "model"}


def snake_keys(node: Node) -> JsonValue:
    """An object with its own keys in snake_case and without those that are null."""
    return dict(node.snake_items())


class Messages:
    """Reads the messages of one case; what eval sets cannot carry goes to `extra`."""

    def __init__(self, base: str, extra: dict[str, JsonValue]) -> None:
        self.base = base
        self.extra = extra

    def keep(self, node: Node) -> None:
        """Keep a field that eval sets do not have, with a finding."""
        below = node.pointer.removeprefix(self.base).removeprefix("/")
        self.extra[below] = node.value
        node.source.note(
            "ICA030",
            f"{node.name} is no field of an eval set; it is kept in `suite.yaml` under `data`.",
            node=node,
        )

    def keep_rest(self, node: Node, known: frozenset[str]) -> None:
        """Keep every field of an object that is not known."""
        for child in node.rest(known):
            self.keep(child)

    def message(self, node: Node, role: str) -> dict[str, JsonValue]:
        """A message as canonical content: an object with parts, a text, or ``content``.

        Args:
            node: the message.
            role: its role where the message is only a text.
        """
        if isinstance(node.value, str):
            return {"parts": [{"text": node.value}], "role": role}
        if not node.has("parts") and node.has("content", "content_parts"):
            return self._with_content(node, role)
        self.keep_rest(node, _CONTENT)
        result: dict[str, JsonValue] = {}
        parts = node.get("parts")
        if parts is not None:
            result["parts"] = [part for part in map(self.part, parts.items()) if part]
        given = node.get("role")
        if given is not None:
            result["role"] = given.text()
        return result

    def _with_content(self, node: Node, role: str) -> dict[str, JsonValue]:
        node.source.note("ICA014", "Messages carry `content` in place of `parts`.", node=node)
        self.keep_rest(node, _MESSAGE)
        parts: list[JsonValue] = []
        content = node.get("content")
        if content is not None and isinstance(content.value, str):
            parts.append({"text": content.value})
        elif content is not None:
            parts += self._typed_parts(content)
        several = node.get("content_parts")
        if several is not None:
            parts += self._typed_parts(several)
        given = node.get("role")
        name = given.text() if given is not None else role
        return {"parts": parts, "role": _ROLES.get(name, name)}

    def _typed_parts(self, node: Node) -> list[JsonValue]:
        parts: list[JsonValue] = []
        for item in node.items():
            text = item.get("text")
            if text is None:
                self.keep(item)
                continue
            parts.append({"text": text.text()})
            self.keep_rest(item, frozenset({"type", "text"}))
        return parts

    def part(self, node: Node) -> dict[str, JsonValue]:
        """One part of a message, without what is null."""
        self.keep_rest(node, _PART)
        result: dict[str, JsonValue] = {}
        for name in Part.model_fields:
            field = node.field(name)
            if field is None:
                continue
            if field.value is None:
                continue
            if name in ("function_call", "function_response"):
                result[name] = self.call(field)
            elif name in _NESTED:
                result[name] = snake_keys(field)
            elif name == "thought":
                result[name] = field.boolean()
            else:
                result[name] = field.text()
        return result

    def call(self, node: Node) -> dict[str, JsonValue]:
        """A function call or response, without what is null; arguments are never touched."""
        return dict(node.snake_items())
