"""Data sets of the agent platform's evaluation service: prompts, references, agent data.

Sources: `EvaluationDataset`, `EvalCase` and `AgentData` of Google's evaluation SDK. A turn holds
events of user and agents; what agents did there is a recording, kept as an example.
"""

from __future__ import annotations

from assay.intake.cases.adk import read_each, text_id
from assay.intake.cases.imported import RawCase, RawSet
from assay.intake.cases.turns import Turns
from assay.intake.ids import stem
from assay.intake.node import Node
from assay.models.base import JsonValue

_SET = frozenset({"eval_cases", "eval_dataset_id", "name", "description"})
_CASE = frozenset(
    {
        "eval_case_id",
        "prompt",
        "reference",
        "responses",
        "conversation_history",
        "agent_data",
        "rubric_groups",
    }
)


def is_platform_case(node: Node) -> bool:
    """Whether one element of ``eval_cases`` has the agent platform's shape."""
    return node.has("eval_case_id", "agent_data") or (
        node.has("prompt") and not node.has("conversation", "eval_id")
    )


def platform_set(node: Node) -> RawSet:
    """One data set.

    Raises:
        InputError: it has no list of cases.
    """
    source = node.source
    source.note("ICA015", "The file is a data set of the agent platform, not an ADK eval set.")
    for child in node.rest(_SET):
        source.drop(f"set field `{child.pointer.rsplit('/', 1)[-1]}`")
        source.note(
            "ICA031", f"{child.name} is no field of an eval set and was left out.", node=child
        )
    set_id = text_id(node.get("eval_dataset_id")) or stem(source.name)
    fields: dict[str, JsonValue] = {}
    for name in ("name", "description"):
        given = node.get(name)
        if given is not None:
            fields[name] = given.text()
    cases = read_each(node.need("eval_cases").items(), source, _case)
    return RawSet(set_id, cases, fields)


def _case(node: Node) -> RawCase:
    raw = RawCase(text_id(node.get("eval_case_id")), {}, pointer=node.pointer, line=node.line)
    raw.place = node.pointer.rsplit("/", 1)[-1]
    turns = Turns(node.pointer, raw.extra)
    turns.keep_rest(node, _CASE)
    conversation = _history(node, turns)
    data = node.get("agent_data")
    if data is not None:
        turns.keep_rest(data, frozenset({"turns"}))
        conversation += _recorded(data, turns, raw)
    prompt = node.get("prompt")
    if prompt is not None:
        conversation.append({"user_content": turns.message(prompt, "user")})
    reference = node.get("reference")
    if reference is not None and conversation:
        conversation[-1]["final_response"] = _response(reference, turns)
    if conversation:
        raw.fields["conversation"] = list(conversation)
    groups = node.get("rubric_groups")
    if groups is not None:
        raw.fields["rubrics"] = _rubrics(groups, turns)
    if node.get("responses") is not None:
        node.source.drop("recorded response (a run)")
    return raw


def _response(node: Node, turns: Turns) -> dict[str, JsonValue]:
    inner = node.get("response") if isinstance(node.value, dict) else None
    if inner is None:
        return turns.message(node, "model")
    turns.keep_rest(node, frozenset({"response"}))
    return turns.message(inner, "model")


def _history(node: Node, turns: Turns) -> list[dict[str, JsonValue]]:
    """Earlier turns: messages of user and model by turns."""
    result: list[dict[str, JsonValue]] = []
    given = node.get("conversation_history")
    for item in given.items() if given is not None else []:
        content = item.get("content") if item.has("content") and not item.has("role") else item
        if content is None:
            continue
        message = turns.message(content, "user")
        if message.get("role") == "user" or not result:
            result.append({"user_content": message})
        else:
            result[-1]["final_response"] = message
    return result


def _recorded(data: Node, turns: Turns, raw: RawCase) -> list[dict[str, JsonValue]]:
    result: list[dict[str, JsonValue]] = []
    recorded = 0
    given = data.get("turns")
    for item in given.items() if given is not None else []:
        turns.keep_rest(item, frozenset({"turn_index", "turn_id", "events"}))
        events = item.need("events").items()
        turn, count = _turn(events, turns)
        recorded += count
        if turn is not None:
            result.append(turn)
    if recorded:
        data.source.note(
            "ICA017",
            "Events of an agent are a recording; they are kept as an example of the turn.",
            node=data,
            case_id=raw.source_id,
            count=recorded,
        )
    return result


def _turn(events: list[Node], turns: Turns) -> tuple[dict[str, JsonValue] | None, int]:
    """The turn, and how many of its events are an agent's."""
    turn: dict[str, JsonValue] = {}
    steps: list[JsonValue] = []
    for event in events:
        turns.keep_rest(
            event, frozenset({"author", "content", "event_time", "state_delta", "active_tools"})
        )
        author = event.get("author")
        content = event.get("content")
        if content is None:
            continue
        message = turns.message(content, "model")
        if author is not None and author.text() == "user":
            turn["user_content"] = message
        else:
            step: dict[str, JsonValue] = {"author": author.text()} if author is not None else {}
            steps.append({**step, "content": message})
    if not turn:
        return None, len(steps)
    last = steps[-1] if steps else None
    said = last.get("content") if isinstance(last, dict) else None
    if isinstance(said, dict) and _is_answer(said):
        turn["final_response"] = said
        steps.pop()
    if steps or "final_response" in turn:
        turn["intermediate_data"] = {"invocation_events": steps}
    return turn, len(steps) + ("final_response" in turn)


def _is_answer(message: dict[str, JsonValue]) -> bool:
    parts = message.get("parts")
    if not isinstance(parts, list):
        return False
    keys = {key for part in parts if isinstance(part, dict) for key in part}
    return "text" in keys and not keys & {"function_call", "function_response"}


def _rubrics(node: Node, turns: Turns) -> list[JsonValue]:
    rubrics: list[JsonValue] = []
    for name in sorted(node.object()):
        group = node.child(name)
        listed = group.get("rubrics") if isinstance(group.value, dict) else group
        if listed is not None:
            rubrics += turns.rubrics(listed)
    return rubrics
