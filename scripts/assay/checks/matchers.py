"""Matchers in labels: objects with a key that begins with ``$``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, at
from assay.checks.world import World
from assay.files.locate import escape
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord
from assay.scoring.matcher_forms import matcher_problems


class MAT001(Rule):
    """A matcher cannot be understood.

    It would match nothing, or what nobody meant.

    Write what the hint says; `{"$literal": …}` writes an object that has such keys itself.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Faults of the matchers in arguments, state, plan and structured result."""
        for judged in world.live():
            # Nearly all labels have none, and the text tells at once.
            if b'"$' in judged.stored.data:
                for pointer, value in _expectations(judged.record):
                    for problem in matcher_problems(value, pointer):
                        yield at(judged, problem.pointer, problem.message, problem.hint)


def _expectations(record: TruthRecord) -> Iterator[tuple[str, JsonValue]]:
    for index, entry in enumerate(record.required_tools):
        if not isinstance(entry, str):
            for name, value in entry.args.items():
                yield f"/required_tools/{index}/args/{escape(name)}", value
    for index, check in enumerate(record.state or ()):
        for field in ("equals", "contains"):
            if field in check.model_fields_set:
                yield f"/state/{index}/{field}", getattr(check, field)
    for index, step in enumerate(record.plan.execution_steps if record.plan else ()):
        for name, value in step.arguments.items():
            yield f"/plan/execution_steps/{index}/arguments/{escape(name)}", value
    if record.final_out is not None:
        yield "/final_out", record.final_out
