"""An observed run as scoring looks at it: tool names resolved, answers in order, a digest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.ledger.toolnames import ToolNames
from assay.models.base import JsonValue
from assay.models.run import ObservedRun, ToolCall
from assay.scoring.lazy import lazy
from assay.scoring.observed_digest import observed_digest
from assay.scoring.text import Prose
from assay.scoring.values import MISSING, resolve


@dataclass(slots=True)
class SeenCall:
    """One observed call after the rename map."""

    index: int
    """Zero-based index over all calls of the run."""
    turn: int
    """Zero-based turn."""
    call: ToolCall
    """The call as the agent made it."""
    names: tuple[str, ...]
    """Canonical names that it may be; one normally."""
    args: dict[str, JsonValue]
    """Arguments after the map."""
    fine: bool
    """Whether it came back without error, as far as is known."""
    note: str
    """What the map did; empty when nothing."""

    @property
    def name(self) -> str:
        """The canonical name, or all that it may be."""
        return " or ".join(self.names)

    @property
    def label(self) -> str:
        """The name as called, and the canonical name where that is another."""
        called = self.call.name
        if self.call.server and self.names != (called,):
            called = f"{self.call.server}/{called}"
        return f"`{called}`" if self.names == (called,) else f"`{called}` (is `{self.name}`)"

    @property
    def structured(self) -> JsonValue:
        """What came back; JSON text is parsed."""
        return _structured(self.call.result)


class SeenAnswer(NamedTuple):
    """Something that the agent answered."""

    turn: int | None
    """Zero-based turn; none for a final answer that stands apart from the turns."""
    text: Prose
    """What it said."""


class SeenRun:
    """One observed run, resolved once and looked at by every component."""

    def __init__(self, run: ObservedRun, names: ToolNames, language: str) -> None:
        """Resolve the tool names of `run`; `language` says how its answers write numbers."""
        self.run = run
        self.names = names
        self.language = language
        self.unknown = frozenset(run.unknown)
        calls: list[SeenCall] = []
        for turn, part in enumerate(run.turns):
            for call in part.tool_calls:
                resolved = names.call(call.name, call.server, call.args)
                calls.append(
                    SeenCall(
                        len(calls),
                        turn,
                        call,
                        resolved.names,
                        resolved.args,
                        call.outcome in ("ok", "unknown"),
                        resolved.note,
                    )
                )
        self.calls: tuple[SeenCall, ...] = tuple(calls)

    @lazy
    def final(self) -> Prose | None:
        """The final answer; none where the agent gave none or the format cannot carry it."""
        text = self.run.final_answer
        return None if text is None else Prose(text, self.language)

    @lazy
    def answers(self) -> tuple[SeenAnswer, ...]:
        """Everything that the agent answered, in order; the final answer stands last, once."""
        final, last = self.final, len(self.run.turns) - 1
        found: list[SeenAnswer] = []
        for turn, part in enumerate(self.run.turns):
            if part.answer is None:
                continue
            same = final is not None and turn == last and part.answer == final.text
            found.append(
                SeenAnswer(turn, final if same and final else Prose(part.answer, self.language))
            )
        if final is not None and not any(answer.text is final for answer in found):
            found.append(SeenAnswer(None, final))
        return tuple(found)

    @lazy
    def answer_open(self) -> bool:
        """Whether something that the agent answered may be unknown."""
        if self.final is None and "final_answer" in self.unknown:
            return True
        earlier = len(self.run.turns) - (self.final is not None)
        return "answer" in self.unknown and (earlier > 0 or not self.answers)

    @lazy
    def digest(self) -> str:
        """SHA-256 of what the agent did."""
        return observed_digest(self.run)

    def earlier(
        self, before: int, tool: str, source: str, pointer: str
    ) -> Sequence[JsonValue] | None:
        """Values at a pointer into the arguments or results of calls before an index.

        Args:
            before: index of the call that refers to them.
            tool: canonical name of the tool.
            source: ``result`` or ``arguments``.
            pointer: JSON pointer.

        Returns:
            None where the format cannot carry them, or no result of such a call is known.
        """
        if ("call_results" if source == "result" else "call_arguments") in self.unknown:
            return None
        wanted = set(self.names.label(tool))
        found: list[JsonValue] = []
        blind = False
        for call in self.calls[:before]:
            if not (call.fine and wanted.issuperset(call.names)):
                continue
            whole: JsonValue = call.args if source == "arguments" else call.call.result
            if source == "result" and whole is None:
                blind = True
                continue
            value = resolve(_structured(whole) if pointer else whole, pointer)
            if value is not MISSING:
                found.append(value)  # type: ignore[arg-type]
        return None if blind and not found else found


def _structured(value: JsonValue) -> JsonValue:
    """A result that came as JSON text, parsed; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(value, name="result")
        except InputError:
            return value
    return value
