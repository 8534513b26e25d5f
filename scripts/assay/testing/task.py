"""What an agent may know of a case: the question, the world, the tools, the policies.

No expectation, no example answer, no rubric, no canary: a task can be handed to an agent whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from assay.errors import UsageError
from assay.files.reading import parse_json
from assay.models.base import JsonValue


@dataclass(frozen=True)
class ToolSchema:
    """One tool of the catalogue, under the name that it has today."""

    name: str
    """Bare name; ``server/tool`` where several servers offer one of that name."""
    description: str
    """What it does."""
    server: str | None
    """The server or agent that offers it."""
    writes: bool
    """Whether a call changes the world."""
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)
    """JSON Schema of the arguments; any object where the catalogue does not say."""

    def openai(self) -> dict[str, Any]:
        """The tool as OpenAI's chat completions take it."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": _native(self.parameters),
            },
        }

    def anthropic(self) -> dict[str, Any]:
        """The tool as Anthropic's messages take it."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": _native(self.parameters),
        }


@dataclass(frozen=True)
class Task:
    """One case as its agent may see it."""

    id: str
    """The case."""
    turns: tuple[str, ...]
    """What the user says, turn by turn."""
    initial_state_json: str | None
    """The seeded state of the world as JSON text; none where the case seeds none."""
    tools: tuple[ToolSchema, ...]
    """Every tool of the catalogue, by name; not only those that the case needs."""
    policies: Mapping[str, str]
    """Policy version in force to its text."""
    today: str
    """The day that everything is judged at."""
    reference_date: str | None
    """The day that "tomorrow" and "next Monday" refer to in this case."""
    language: str = "en"
    """Language of the suite."""
    user_id: str | None = None
    """The user that the session belongs to, where the case names one."""
    scenario: JsonValue = None
    """The script of a simulated user, where the case has no fixed turns."""

    @property
    def question(self) -> str:
        """What the user says in a case of one turn.

        Raises:
            UsageError: the case has another number of turns.
        """
        if len(self.turns) != 1:
            raise UsageError(
                f"{self.id} has {len(self.turns)} turns, so it has no single question.",
                hint="give your agent every turn: assay_case.check(assay_case.converse(agent))",
            )
        return self.turns[0]

    @property
    def initial_state(self) -> Any:
        """The seeded state, a fresh copy each time; numbers are ``int`` or exact ``Decimal``."""
        text = self.initial_state_json
        return None if text is None else parse_json(text, name=self.id)


def _native(value: Any) -> Any:
    """A JSON value whose fractions are floats, as the clients of model providers expect."""
    if isinstance(value, Mapping):
        return {key: _native(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_native(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value
