"""What is asked: eval sets in the shape of Google's Agent Development Kit, and their suite.

Sources: the ADK's eval-set schema (`EvalSet`, `EvalCase`, `Invocation`), and section 2.1 of the
design. Nothing of ours is put into eval-set files; what statistics, splits and owners need
stands beside them in ``suite.yaml``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import CaseId, Day, Handle, JsonValue, Many, Model, Name, SuiteId


class Part(Model):
    """One piece of a message (`google.genai.types.Part`)."""

    text: str | None = None
    """Plain text."""
    thought: bool | None = None
    """True where the text is the model's thinking and not its answer."""
    thought_signature: str | None = None
    """Opaque signature of the thinking."""
    function_call: JsonValue = None
    """A tool call: id, name, args."""
    function_response: JsonValue = None
    """A tool result: id, name, response."""
    inline_data: JsonValue = None
    """Embedded bytes with their MIME type."""
    file_data: JsonValue = None
    """A file by URI."""
    executable_code: JsonValue = None
    """Code that the model wrote to run."""
    code_execution_result: JsonValue = None
    """What that code printed."""
    video_metadata: JsonValue = None
    """Start and end of a video."""


class Content(Model):
    """A message (`google.genai.types.Content`)."""

    parts: Many[Part] | None = None
    """Its pieces in order."""
    role: str | None = None
    """``user`` or ``model``."""

    @property
    def text(self) -> str:
        """The text that is meant for the reader: all text parts but the thinking, joined."""
        return "".join(p.text for p in self.parts or () if p.text is not None and not p.thought)


class ToolUse(Model):
    """An expected tool call (`google.genai.types.FunctionCall`)."""

    id: str | None = None
    """Id of the call."""
    name: Name
    """Tool name."""
    args: dict[str, JsonValue] | None = None
    """Arguments."""


class IntermediateData(Model):
    """What happens between question and answer."""

    tool_uses: Many[ToolUse] | None = None
    """Tool calls in order."""
    tool_responses: Many[JsonValue] | None = None
    """Tool results in order."""
    intermediate_responses: Many[JsonValue] | None = None
    """Messages by the agent or its sub-agents on the way."""
    invocation_events: Many[JsonValue] | None = None
    """The events as current versions of the ADK record them."""


class Invocation(Model):
    """One turn: the user's message up to the agent's final response."""

    invocation_id: str = ""
    """Id of the turn."""
    user_content: Content
    """What the user says."""
    final_response: Content | None = None
    """An example of the answer. The truth record wins where they differ."""
    intermediate_data: IntermediateData | None = None
    """Example tool calls; absent does not mean that none are expected."""
    creation_timestamp: JsonValue = None
    """When it was written; no part of the case digest."""
    rubrics: Many[JsonValue] | None = None
    """Rubrics of this turn."""
    app_details: JsonValue = None
    """Details of the agent under test."""


class SessionInput(Model):
    """The session that the case starts from."""

    app_name: str | None = None
    """Name of the application."""
    user_id: str | None = None
    """The user."""
    state: dict[str, JsonValue] | None = None
    """Initial state of the world."""


class EvalCase(Model):
    """One case: what the user says, and the world it starts in."""

    eval_id: CaseId
    """Id of the case, unique in the repository, never used again."""
    conversation: Many[Invocation] | None = None
    """Fixed turns."""
    conversation_scenario: JsonValue = None
    """A scripted user in place of fixed turns."""
    session_input: SessionInput | None = None
    """Where the session starts."""
    creation_timestamp: JsonValue = None
    """When it was written; no part of the case digest."""
    rubrics: Many[JsonValue] | None = None
    """Rubrics of the whole case."""
    final_session_state: dict[str, JsonValue] | None = None
    """An example of the final state."""

    @property
    def user_text(self) -> str:
        """All that the user says, turn by turn, joined by line feeds."""
        return "\n".join(turn.user_content.text for turn in self.conversation or ())

    @property
    def initial_state(self) -> dict[str, JsonValue] | None:
        """The seeded state of the world, or none where the case seeds none."""
        return self.session_input.state if self.session_input else None


class EvalSet(Model):
    """``cases/<suite>/<name>.evalset.json``."""

    eval_set_id: Name
    """Id of the set."""
    name: str | None = None
    """Title of the set."""
    description: str | None = None
    """What it is about; carries the suite's canary."""
    eval_cases: Many[EvalCase] = ()
    """The cases."""
    creation_timestamp: JsonValue = None
    """When it was written."""


class CaseAttributes(Model):
    """What statistics, splits and owners need to know of a case."""

    slice: Name
    """The part of the suite that agreement and rates are reported for."""
    template: str | None = None
    """The template it was made from; cases of one template are one cluster."""
    groups: dict[str, str] = Field(default_factory=dict)
    """Further groups, kind to name, that must not be on both sides of a split."""
    owner: Handle | None = None
    """Who owns the case; the suite's owner when absent."""
    reference_date: Day | None = None
    """The day that relative dates refer to; the suite's when absent."""
    type: str | None = None
    """The plan's main agent."""
    category: str | None = None
    """What is asked for: knowledge, decision, prediction …"""
    group: str | None = None
    """Group of scenarios."""
    entity: str | None = None
    """What the case is about."""
    note: str | None = None
    """Where the case came from and who owns it."""
    uuid: str | None = None
    """Id that is unique in the world."""
    data: JsonValue = None
    """Data that the case refers to."""
    paradigm: str | None = None
    """Multi-agent, multi-MCP or hybrid."""
    source_id: str | None = None
    """Id of the case where it was imported from, if that could not be kept."""


class Suite(Model):
    """``cases/<suite>/suite.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    suite: SuiteId
    """Name of the suite; its folder's name."""
    title: str = ""
    """What it is about."""
    owner: Handle
    """Who answers for the suite."""
    canary: Name
    """A GUID that must not turn up in prompts, indexes or training data."""
    licence: Name
    """Licence of the data, as an SPDX identifier."""
    reference_date: Day | None = None
    """The day that relative dates refer to."""
    language: str = "en"
    """Language of questions and answers, for negation words and number formats."""
    cases: dict[CaseId, CaseAttributes] = Field(default_factory=dict)
    """Case id to its attributes; every case of the suite has an entry."""
