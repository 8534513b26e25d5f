"""What stands beside the messages: the case, who answered, and what it used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assay.intake.node import Node
from assay.intake.runs.formats.messages.chat import Chat
from assay.intake.runs.imported import RawRun

CASE_IDS = ("case_id", "eval_id", "task_id", "custom_id")
"""Fields that may name the case, in this order."""


def read_head(record: Node, raw: RawRun) -> None:
    """Case, trial, agent, model and final state, as a line beside its messages may give them.

    The case and the trial may stand in ``metadata`` too: that is what the field is for.
    """
    metadata = record.get("metadata")
    beside = metadata if metadata is not None and isinstance(metadata.value, dict) else None
    named = record.get(*CASE_IDS) or (beside.get(*CASE_IDS) if beside is not None else None)
    if named is not None and raw.case_id is None:
        raw.case_id = (
            str(named.whole()) if isinstance(named.value, int) else named.text(empty=False)
        )
    trial = record.get("trial") or (beside.get("trial") if beside is not None else None)
    if trial is not None and raw.trial is None:
        raw.trial = _trial(trial)
    for name in ("agent", "model"):
        given = record.get(name)
        if given is not None and getattr(raw, name) is None:
            setattr(raw, name, given.text() or None)
    world = record.get("final_state")
    if world is not None:
        raw.final_state = world.object()
        raw.unknown.discard("final_state")


def _trial(node: Node) -> int:
    """A trial; as text too, for some interfaces take nothing else in ``metadata``."""
    text = node.value
    if isinstance(text, str) and re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    return node.whole()


@dataclass
class Meter:
    """Models and tokens, added up over the answers of one run."""

    models: list[str] = field(default_factory=list)
    tokens_in: int | None = None
    tokens_out: int | None = None

    def model(self, node: Node | None) -> None:
        """Take down the model that gave an answer."""
        name = node.text() if node is not None else ""
        if name and name not in self.models:
            self.models.append(name)

    def tokens(self, usage: Node | None, came: tuple[str, ...], went: tuple[str, ...]) -> None:
        """Add the tokens of one answer: the sums of the named fields."""
        if usage is None:
            return
        self.tokens_in = _sum(self.tokens_in, usage, came)
        self.tokens_out = _sum(self.tokens_out, usage, went)

    def finish(self, raw: RawRun) -> None:
        """Take over into the run what was counted."""
        if self.tokens_in is not None:
            raw.tokens_in = self.tokens_in
        if self.tokens_out is not None:
            raw.tokens_out = self.tokens_out
        if self.models and raw.model is None:
            raw.model = self.models[0]
        if len(self.models) > 1:
            raw.record.source.note(
                "IRU007",
                f"Several models took part: {', '.join(self.models)}; the first one is named.",
                node=raw.record,
                case_id=raw.case_id,
            )


def _sum(before: int | None, usage: Node, names: tuple[str, ...]) -> int | None:
    given = [node.whole() for name in names if (node := usage.get(name)) is not None]
    return (before or 0) + sum(given) if given else before


def stopped(raw: RawRun, reason: str) -> None:
    """Note that the model was cut off: that is how the run ended, and it stays the agent's."""
    raw.record.source.note(
        "IRU015",
        f"The model stopped before it was done: {reason}.",
        node=raw.record,
        case_id=raw.case_id,
    )


def compacted(raw: RawRun, chat: Chat, node: Node) -> None:
    """Take a summary that stands for an earlier part of the conversation.

    Where that part stands in the file too, nothing is lost.
    """
    if any(turn.calls or turn.answer is not None for turn in chat.turns):
        node.source.drop("summary of what came before")
        return
    missing(raw, node, "What came before a compaction stands in the file as a summary only.")


def missing(raw: RawRun, node: Node, message: str) -> None:
    """Note that a part of the conversation is not in the file: calls may have been made there."""
    raw.unknown |= {"tool_calls"}
    node.source.note("IRU016", message, node=node, case_id=raw.case_id)
