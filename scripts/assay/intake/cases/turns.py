"""One turn of a case, in any of the spellings that are in use, to the canonical one.

=============  ===============================  ==========================================
spelling       the user                         what is expected
=============  ===============================  ==========================================
ADK            ``user_content``                 ``final_response``, ``intermediate_data``
tRPC-Agent     ``userContent`` with ``content``  ``finalResponse``, ``tools``
legacy ADK     ``query``                        ``reference``, ``expected_tool_use``
cookbook       ``user``                         ``reference_final_response``, ``expected_tool_use``
=============  ===============================  ==========================================

Absent, empty and present stay three different things: without ``expected_tool_use`` there is no
``intermediate_data`` afterwards, with an empty list there is an empty list.
"""

from __future__ import annotations

from assay.files.reading import parse_json
from assay.intake.cases.messages import Messages, snake_keys
from assay.intake.node import Node
from assay.models.base import JsonValue

_ADK = frozenset(
    {
        "invocation_id",
        "user_content",
        "final_response",
        "intermediate_data",
        "creation_timestamp",
        "rubrics",
        "app_details",
    }
)
_TRPC = _ADK | {"tools", "intermediate_responses"}
_LEGACY = frozenset(
    {"query", "reference", "expected_tool_use", "expected_intermediate_agent_responses"}
)
_COOKBOOK = frozenset({"user", "reference_final_response", "expected_tool_use"})
_DATA = frozenset({"tool_uses", "tool_responses", "intermediate_responses", "invocation_events"})
_EVENT = frozenset({"author", "content", "grounding_metadata", "usage_metadata", "model_version"})


class Turns(Messages):
    """Reads the turns of one case."""

    def conversation(self, node: Node) -> list[JsonValue]:
        """All turns of a list."""
        return [self.turn(item) for item in node.items()]

    def turn(self, node: Node) -> dict[str, JsonValue]:
        """One turn.

        Raises:
            InputError: it is no object, or says nothing of a user, or a field has a wrong type.
        """
        if node.has("user_content"):
            return self._adk(node)
        if node.has("query"):
            node.source.note("ICA012", "Turns carry `query` and `reference`.", node=node)
            return self._flat(node, "query", "reference", _LEGACY)
        if node.has("user"):
            node.source.note(
                "ICA013", "Turns carry `user` and `reference_final_response`.", node=node
            )
            return self._flat(node, "user", "reference_final_response", _COOKBOOK)
        node.object()
        raise node.error("The turn has no message of the user.", "add `user_content` with `parts`")

    # -- ADK and tRPC-Agent -----------------------------------------------------------------

    def _adk(self, node: Node) -> dict[str, JsonValue]:
        trpc = node.has("tools") or (
            node.has("intermediate_responses") and not node.has("intermediate_data")
        )
        self.keep_rest(node, _TRPC if trpc else _ADK)
        result: dict[str, JsonValue] = {}
        invocation = node.get("invocation_id")
        if invocation is not None:
            result["invocation_id"] = invocation.text()
        result["user_content"] = self.message(node.need("user_content"), "user")
        answer = node.get("final_response")
        if answer is not None:
            result["final_response"] = self.message(answer, "model")
        data = node.get("intermediate_data")
        if data is not None:
            result["intermediate_data"] = self._data(data)
        elif trpc:
            result["intermediate_data"] = self._tools(node)
        for name in ("creation_timestamp", "app_details"):
            given = node.get(name)
            if given is not None:
                result[name] = given.value
        rubrics = node.get("rubrics")
        if rubrics is not None:
            result["rubrics"] = self.rubrics(rubrics)
        return result

    def _data(self, node: Node) -> dict[str, JsonValue]:
        self.keep_rest(node, _DATA)
        result: dict[str, JsonValue] = {}
        for name in ("tool_uses", "tool_responses"):
            calls = node.get(name)
            if calls is not None:
                result[name] = [self._use(item, name) for item in calls.items()]
        said = node.get("intermediate_responses")
        if said is not None:
            result["intermediate_responses"] = [self._said(item) for item in said.items()]
        events = node.get("invocation_events")
        if events is not None:
            result["invocation_events"] = [self._event(item) for item in events.items()]
        return result

    def _use(self, node: Node, name: str) -> dict[str, JsonValue]:
        node.need("name").text(empty=False)
        if name == "tool_responses":
            return self.call(node)
        self.keep_rest(node, frozenset({"id", "name", "args"}))
        result: dict[str, JsonValue] = {}
        for field in ("id", "name", "args"):
            given = node.get(field)
            if given is not None:
                result[field] = given.object() if field == "args" else given.text()
        return result

    def _said(self, node: Node) -> JsonValue:
        if not isinstance(node.value, list):
            return self.message(node, "model")
        pair = node.items()
        if len(pair) != 2:
            raise node.error(f"{node.name} must be an author and a list of parts.")
        author, parts = pair
        return [author.text(), [self.part(part) for part in parts.items()]]

    def _event(self, node: Node) -> dict[str, JsonValue]:
        self.keep_rest(node, _EVENT)
        result: dict[str, JsonValue] = {}
        author = node.get("author")
        if author is not None:
            result["author"] = author.text()
        content = node.get("content")
        if content is not None:
            result["content"] = self.message(content, "model")
        for name in ("grounding_metadata", "usage_metadata"):
            given = node.get(name)
            if given is not None:
                result[name] = snake_keys(given)
        model = node.get("model_version")
        if model is not None:
            result["model_version"] = model.text()
        return result

    def _tools(self, node: Node) -> dict[str, JsonValue]:
        """The calls of tRPC-Agent: one list that holds call and result together."""
        uses: list[JsonValue] = []
        responses: list[JsonValue] = []
        tools = node.get("tools")
        if tools is not None:
            node.source.note("ICA019", "`tools` holds calls together with results.", node=tools)
        for item in tools.items() if tools is not None else []:
            self.keep_rest(item, frozenset({"id", "name", "arguments", "result"}))
            name = item.need("name").text(empty=False)
            call_id = item.get("id")
            head: dict[str, JsonValue] = {"id": call_id.text()} if call_id is not None else {}
            use: dict[str, JsonValue] = {**head, "name": name}
            arguments = item.get("arguments")
            if arguments is not None:
                use["args"] = _arguments(arguments)
            uses.append(use)
            given = item.get("result")
            if given is not None:
                response: JsonValue = given.value
                if not isinstance(response, dict):
                    response = {"result": response}
                responses.append({**head, "name": name, "response": response})
        result: dict[str, JsonValue] = {} if tools is None else {"tool_uses": uses}
        if responses:
            result["tool_responses"] = responses
        said = node.get("intermediate_responses")
        if said is not None:
            result["intermediate_responses"] = [self._said(item) for item in said.items()]
        return result

    # -- legacy and cookbook ------------------------------------------------------------------

    def _flat(
        self, node: Node, user: str, reference: str, known: frozenset[str]
    ) -> dict[str, JsonValue]:
        self.keep_rest(node, known)
        result: dict[str, JsonValue] = {
            "user_content": {"parts": [{"text": node.need(user).text()}], "role": "user"}
        }
        answer = node.field(reference)
        if answer is not None:
            parts: list[JsonValue] = [] if answer.value is None else [{"text": answer.text()}]
            result["final_response"] = {"parts": parts, "role": "model"}
        data: dict[str, JsonValue] = {}
        expected = node.get("expected_tool_use")
        if expected is not None:
            data["tool_uses"] = [self._expected(item) for item in expected.items()]
        said = node.get("expected_intermediate_agent_responses")
        if said is not None:
            data["intermediate_responses"] = [
                [item.need("author").text(), [{"text": item.need("text").text()}]]
                for item in said.items()
            ]
        if data:
            result["intermediate_data"] = data
        return result

    def _expected(self, node: Node) -> dict[str, JsonValue]:
        self.keep_rest(node, frozenset({"tool_name", "tool_input", "name", "args"}))
        name = node.get("tool_name", "name")
        if name is None:
            raise node.error("The expected call names no tool.", "add `tool_name`")
        result: dict[str, JsonValue] = {"name": name.text(empty=False)}
        given = node.get("tool_input", "args")
        if given is not None:
            result["args"] = given.object()
        return result

    # -- rubrics --------------------------------------------------------------------------

    def rubrics(self, node: Node) -> list[JsonValue]:
        """Rubrics with their own keys in snake_case."""
        result: list[JsonValue] = []
        for item in node.items():
            rubric = snake_keys(item)
            content = item.get("rubric_content")
            if content is not None and isinstance(rubric, dict):
                rubric["rubric_content"] = snake_keys(content)
            result.append(rubric)
        return result


def _arguments(node: Node) -> dict[str, JsonValue]:
    if isinstance(node.value, str):
        value = parse_json(node.value or "{}", name=f"{node.source.name} ({node.name})")
        return Node(value, node.source, node.pointer, node.line).object()
    return node.object()
