"""Requests to OpenAI's Responses interface with what came back, linked to conversations."""

from __future__ import annotations

from dataclasses import dataclass

from assay.intake.instants import of_epoch
from assay.intake.node import Node
from assay.intake.runs.formats.messages.batch import body_of, failed, message_of
from assay.intake.runs.formats.messages.chat import Chat, optional_text
from assay.intake.runs.formats.messages.head import Meter, missing, read_head, stopped
from assay.intake.runs.formats.messages.responses_items import Items
from assay.intake.runs.imported import RawRun
from assay.models.run import RunField

CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state", "cost", "started_at"})
"""What the interface has no place for; a line may give the final state beside the items."""


@dataclass(frozen=True)
class Exchange:
    """A request and its response, as far as a record holds them."""

    record: Node
    """Where they stand."""
    asked: Node | None = None
    """Text or items that were sent."""
    output: Node | None = None
    """Items that came back."""
    response: Node | None = None
    """The response."""


def exchange_of(record: Node) -> Exchange:
    """The exchange of a record: a response, or one beside its request, or a line of a batch.

    Raises:
        InputError: a field has a wrong type.
    """
    response, inner = record, record.get("response")
    if inner is not None and isinstance(inner.value, dict):
        response = inner.get("body") or inner
    request = record.get("request")
    asked = record.get("input")
    if asked is None and request is not None:
        body = request.get("body") or request
        asked = body.get("input")
    return Exchange(record, asked, response.get("output"), response)


def paths(records: list[Node]) -> list[list[Node]]:
    """Records from first to last response, one list for every response that none comes after.

    Two responses to the same one are two conversations with the same beginning.
    """
    ids = [_link(record, "id") for record in records]
    place = {name: index for index, name in reversed(list(enumerate(ids))) if name is not None}
    before = [place.get(_link(record, "previous_response_id") or "") for record in records]
    continued = set(before)
    found: list[list[Node]] = []
    seen: set[int] = set()
    for index in range(len(records)):
        if index in continued:
            continue
        found.append(_back(index, before, records, seen))
    # What only names itself in a circle begins nowhere; each of these stands alone.
    found += [[record] for index, record in enumerate(records) if index not in seen]
    return found


def _back(index: int, before: list[int | None], records: list[Node], seen: set[int]) -> list[Node]:
    path: list[int] = []
    here: int | None = index
    while here is not None and here not in path:
        path.append(here)
        here = before[here]
    seen.update(path)
    return [records[item] for item in reversed(path)]


def _link(record: Node, name: str) -> str | None:
    value = record.value
    inner = value.get("response") if isinstance(value, dict) else None
    for holder in (inner, value):
        if isinstance(holder, dict) and isinstance(holder.get(name), str):
            return str(holder[name])
    return None


def conversation(exchanges: list[Exchange]) -> RawRun:
    """The run that exchanges make up, from first to last.

    Raises:
        InputError: a field has a wrong type.
    """
    first = exchanges[0]
    raw = RawRun(first.record, unknown=set(CANNOT))
    chat, meter = Chat(first.record.source), Meter()
    items = Items(raw, chat)
    if isinstance(first.record.value, dict) and body_of(first.record.value) is not None:
        read_head(first.record, raw)
        if failed(first.record, raw):
            return raw
    for exchange in exchanges:
        _exchange(exchange, raw, items, meter)
    raw.turns = chat.turns
    _gaps(exchanges, raw, items)
    meter.finish(raw)
    return raw


def _exchange(exchange: Exchange, raw: RawRun, items: Items, meter: Meter) -> None:
    response = exchange.response
    if isinstance(exchange.record.value, dict):
        read_head(exchange.record, raw)
    if exchange.asked is not None:
        if isinstance(exchange.asked.value, str):
            items.chat.user(exchange.asked.value)
        else:
            items.read(exchange.asked.items())
    if exchange.output is not None:
        items.read(exchange.output.items())
    if response is None:
        return
    if response.pointer != exchange.record.pointer:
        read_head(response, raw)
    meter.model(response.get("model"))
    meter.tokens(response.get("usage"), ("input_tokens",), ("output_tokens",))
    raw.trace_id = optional_text(response, "id") or raw.trace_id
    created = response.get("created_at")
    if created is not None and raw.started_at is None:
        raw.started_at = of_epoch(created.number())
    response.source.drop("system message", int(bool(response.get("instructions"))))
    _status(response, raw)


def _status(response: Node, raw: RawRun) -> None:
    """How a response ended: cut off is the agent's end, failed and cancelled are not."""
    status = optional_text(response, "status")
    if status == "incomplete":
        details = response.get("incomplete_details")
        reason = optional_text(details, "reason") if details is not None else None
        stopped(raw, f"the response is incomplete ({reason or 'it gives no reason'})")
    elif status is not None and status != "completed":
        said = message_of(response.get("error"))
        raw.infrastructure_errors.append(
            f"The response is {status}: {said}" if said else f"The response is {status}."
        )


def _gaps(exchanges: list[Exchange], raw: RawRun, items: Items) -> None:
    """Name what responses without their requests cannot tell."""
    if any(exchange.response is not None and exchange.asked is None for exchange in exchanges):
        raw.unknown |= {"user"}
        if any(not call.answered for turn in raw.turns for call in turn.calls):
            raw.unknown |= {"call_results", "call_outcomes"}
    first = exchanges[0]
    earlier = _link(first.record, "previous_response_id")
    if first.response is not None and earlier is not None:
        missing(
            raw,
            first.record,
            "The response answers to an earlier one that is not in the file.",
        )
