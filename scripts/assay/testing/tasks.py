"""From the benchmark's case, catalogue and policies to a task: only what an agent may know."""

from __future__ import annotations

from collections.abc import Mapping

from assay.files.model_text import compact_text
from assay.ledger.toolnames import ToolNames
from assay.models.case import EvalCase
from assay.testing.task import Task, ToolSchema

_ANYTHING: Mapping[str, object] = {"type": "object", "properties": {}}


def tools_of(names: ToolNames) -> tuple[ToolSchema, ...]:
    """The tools that exist today, by name; old names and aliases are left out."""
    return tuple(
        ToolSchema(
            name=key,
            description=tool.description,
            server=tool.server,
            writes=tool.effect == "writes",
            parameters=dict(_ANYTHING if tool.parameters is None else tool.parameters),  # type: ignore[arg-type]
        )
        for key, tool in sorted(names.entries.items())
        if not (tool.renamed_to or tool.split_into or tool.alias_of)
    )


def task_of(
    case: EvalCase,
    tools: tuple[ToolSchema, ...],
    policies: Mapping[str, str],
    *,
    today: str,
    reference_date: str | None,
    language: str,
) -> Task:
    """A case without its example answers, calls, rubrics and final state."""
    state = case.initial_state
    return Task(
        id=case.eval_id,
        turns=tuple(turn.user_content.text for turn in case.conversation or ()),
        initial_state_json=None if state is None else compact_text(state),
        tools=tools,
        policies=dict(policies),
        today=today,
        reference_date=reference_date,
        language=language,
        user_id=case.session_input.user_id if case.session_input else None,
        scenario=case.conversation_scenario,
    )
