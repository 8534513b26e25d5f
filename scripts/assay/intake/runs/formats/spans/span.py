"""One span of a trace, whatever wrote it, and the steps that an instrumentation's spans mean."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from assay.files.canonical import canonical_json
from assay.intake.node import Node
from assay.intake.runs.formats.spans.attributes import Attributes
from assay.intake.runs.formats.spans.said import Said
from assay.intake.runs.imported import Call
from assay.models.base import JsonValue


@dataclass
class SpanEvent:
    """Something that happened within a span; log records that name a span are events too."""

    name: str
    time: int | None = None
    attributes: Attributes = field(default_factory=dict)
    body: JsonValue = None
    index: int = 0
    """Place among the events of its source, for events of one instant."""


@dataclass
class Span:
    """A span."""

    node: Node
    """Where it stands."""
    id: str
    """Its id as it stands there; made up where there is none."""
    trace_id: str = ""
    parent: str | None = None
    name: str = ""
    start: int | None = None
    """Nanoseconds since 1970."""
    end: int | None = None
    attributes: Attributes = field(default_factory=dict)
    resource: Attributes = field(default_factory=dict)
    events: list[SpanEvent] = field(default_factory=list)
    failed: bool = False
    """Whether its status is that of an error."""
    message: str = ""
    """What the status says."""
    order: str = ""
    """A key of the format itself that orders spans of one start."""

    def exception(self) -> str | None:
        """The exception that was recorded last, as ``Type: message``."""
        for event in reversed(self.events):
            if event.name == "exception":
                given = event.attributes
                said = [given.get("exception.type"), given.get("exception.message")]
                words = [str(item) for item in said if item not in (None, "")]
                return ": ".join(words) or "exception"
        return None

    def error(self) -> str | None:
        """What went wrong: the exception, the status, the type of the error; None for success."""
        kind = self.attributes.get("error.type")
        raised = self.exception()
        told = isinstance(kind, str) and kind != ""
        if not (self.failed or told):
            return None
        return raised or self.message or (str(kind) if told else "error")


class LeftOut(Exception):  # noqa: N818 - it is no error
    """A span that is known and means nothing for the run: raised with the rule to count it by, or
    with none for one that is of use otherwise.
    """

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


Kind = Literal["agent", "model", "tool"]


@dataclass
class Step:
    """What a span means for the run: an agent's work, one call of a model, one call of a tool."""

    kind: Kind
    span: Span
    input: list[Said] | None = None
    """Messages that went in; None where they are not recorded."""
    output: list[Said] | None = None
    """Messages that came out; None where they are not recorded."""
    call: Call | None = None
    """The call of a tool."""
    args_known: bool = True
    result_known: bool = True
    name: str | None = None
    """The agent's name."""
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: int | Decimal | None = None
    turn: str | None = None
    """The format's own id of the turn."""
    failure: str | None = None
    """A failure of the harness."""


def hex_id(text: str, size: int) -> str:
    """An id as backends show it: base64 of `size` bytes, as protobuf writes it, becomes hex.

    Everything else, hex above all, stays exactly as it stands.
    """
    if len(text) != -(-size // 3) * 4:
        return text
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text
    return raw.hex() if len(raw) == size else text


def plain_id(text: str | None) -> str:
    """An id for comparing: without ``0x``, in small letters."""
    return (text or "").removeprefix("0x").lower()


def stable_key(span: Span) -> str:
    """A text that orders spans of which neither times nor ids tell the order."""
    return canonical_json(span.node.value)
