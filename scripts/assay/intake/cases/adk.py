"""Eval sets of the ADK, current and legacy, and of tRPC-Agent, which follows them."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote

from assay.errors import InputError
from assay.intake.cases.imported import RawCase, RawSet
from assay.intake.cases.messages import snake_keys
from assay.intake.cases.turns import Turns
from assay.intake.document import Document
from assay.intake.ids import stem
from assay.intake.node import Node, Source, kind
from assay.models.base import JsonValue

_SET = frozenset({"eval_set_id", "name", "description", "eval_cases", "creation_timestamp"})
_CASE = frozenset(
    {
        "eval_id",
        "conversation",
        "conversation_scenario",
        "session_input",
        "creation_timestamp",
        "rubrics",
        "final_session_state",
        "eval_mode",
        "actual_conversation",
        "context_messages",
    }
)
_SESSION = frozenset({"app_name", "user_id", "state"})
_NAMED = frozenset({"name", "data", "initial_session"})


def text_id(node: Node | None) -> str | None:
    """An id as text; a number is read as the text that it is, with a finding."""
    if node is None:
        return None
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        node.source.note("ICA032", f"{node.name} is {kind(node.value)}; read as text.", node=node)
        return str(node.value)
    return node.text() or None


def eval_set(node: Node) -> RawSet:
    """One eval set object.

    Raises:
        InputError: it has no list of cases.
    """
    source = node.source
    cases = node.need("eval_cases")
    set_id = text_id(node.get("eval_set_id"))
    if set_id is None:
        set_id = stem(source.name)
        source.note(
            "ICA027",
            f"The set has no `eval_set_id`; the file's name stands in: {set_id}.",
            node=node,
        )
    for child in node.rest(_SET):
        source.drop(f"set field `{child.pointer.rsplit('/', 1)[-1]}`")
        source.note(
            "ICA031", f"{child.name} is no field of an eval set and was left out.", node=child
        )
    fields: dict[str, JsonValue] = {}
    for name in ("name", "description"):
        given = node.get(name)
        if given is not None:
            fields[name] = given.text()
    created = node.get("creation_timestamp")
    if created is not None:
        fields["creation_timestamp"] = created.value
    return RawSet(set_id, read_each(cases.items(), source, eval_case), fields)


def read_each(nodes: list[Node], source: Source, read: Callable[[Node], RawCase]) -> list[RawCase]:
    """Every case that can be read; one that cannot becomes a finding and is counted."""
    cases: list[RawCase] = []
    for node in nodes:
        try:
            cases.append(read(node))
        except InputError as error:
            source.drop("case that cannot be read")
            source.failed(error, "ICA002")
    return cases


def eval_case(node: Node) -> RawCase:
    """One eval case.

    Raises:
        InputError: a field has a wrong type.
    """
    node.object()
    raw = RawCase(text_id(node.get("eval_id")), {}, pointer=node.pointer, line=node.line)
    turns = Turns(node.pointer, raw.extra)
    turns.keep_rest(node, _CASE)
    conversation = node.get("conversation")
    if conversation is not None:
        raw.fields["conversation"] = turns.conversation(conversation)
    scenario = node.get("conversation_scenario")
    if scenario is not None:
        raw.fields["conversation_scenario"] = snake_keys(scenario)
    session = node.get("session_input")
    if session is not None:
        raw.fields["session_input"] = _session(session, turns, raw)
    created = node.get("creation_timestamp")
    if created is not None:
        raw.fields["creation_timestamp"] = created.value
    rubrics = node.get("rubrics")
    if rubrics is not None:
        raw.fields["rubrics"] = turns.rubrics(rubrics)
    final = node.get("final_session_state")
    if final is not None:
        raw.fields["final_session_state"] = final.object()
    _recorded(node, raw)
    context = node.get("context_messages")
    if context is not None:
        raw.extra["context_messages"] = [turns.message(item, "system") for item in context.items()]
        node.source.note(
            "ICA030",
            "`context_messages` is no field of an eval set; it is kept in `suite.yaml`"
            " under `data`.",
            node=context,
            case_id=raw.source_id,
        )
    return raw


def _recorded(node: Node, raw: RawCase) -> None:
    """Trace mode: what was recorded is a run, not a part of the case."""
    source = node.source
    mode = node.get("eval_mode")
    actual = node.get("actual_conversation")
    if mode is not None and mode.text() != "trace":
        raw.extra["eval_mode"] = mode.value
    if actual is not None:
        source.drop("recorded conversation (a run)")
        source.note(
            "ICA017",
            "`actual_conversation` is a run and no part of the case.",
            node=actual,
            hint=f"assay runs import {quote(source.name)} --from adk-trace --out runs",
            case_id=raw.source_id,
        )
    elif mode is not None and mode.value == "trace":
        source.note(
            "ICA017",
            "The case is in trace mode and holds no `actual_conversation`: its conversation may"
            " be a recording and no expectation.",
            node=mode,
            hint=f"assay runs import {quote(source.name)} --from adk-trace --out runs",
            case_id=raw.source_id,
        )


def _session(node: Node, turns: Turns, raw: RawCase) -> dict[str, JsonValue]:
    turns.keep_rest(node, _SESSION)
    result: dict[str, JsonValue] = {}
    for name in ("app_name", "user_id"):
        given = node.get(name)
        if given is not None:
            result[name] = given.text()
    missing = [name for name in ("app_name", "user_id") if name not in result]
    if missing:
        node.source.note(
            "ICA026",
            f"`session_input` lacks {' and '.join(f'`{name}`' for name in missing)};"
            " the ADK refuses such a case.",
            node=node,
            case_id=raw.source_id,
        )
    state = node.get("state")
    if state is not None:
        result["state"] = state.object()
    return result


def legacy_sets(document: Document) -> list[RawSet]:
    """The legacy list: of queries (one case), of lists of queries, or of named cases.

    As in the ADK, a flat list of queries is one conversation, named after its file.
    """
    source = document.source
    name = stem(source.name)
    source.note("ICA011", "The file is a list of queries in the legacy form, not an eval set.")
    items = list(document.records)
    if all(item.has("query") for item in items):
        cases = read_each([document.first], source, _flat_case)
    else:
        cases = read_each(items, source, _listed_case)
    return [RawSet(name, cases)]


def _flat_case(node: Node) -> RawCase:
    raw = RawCase(None, {}, pointer=node.pointer, line=node.line)
    turns = Turns(node.pointer, raw.extra)
    raw.fields["conversation"] = turns.conversation(node)
    return raw


def _listed_case(node: Node) -> RawCase:
    if isinstance(node.value, list):
        raw = _flat_case(node)
        raw.place = node.pointer.rsplit("/", 1)[-1]
        return raw
    data = node.need("data")
    raw = RawCase(text_id(node.get("name")), {}, pointer=node.pointer, line=node.line)
    turns = Turns(node.pointer, raw.extra)
    turns.keep_rest(node, _NAMED)
    raw.fields["conversation"] = turns.conversation(data)
    session = node.get("initial_session")
    if session is not None and session.object():
        raw.fields["session_input"] = _session(session, turns, raw)
    return raw
