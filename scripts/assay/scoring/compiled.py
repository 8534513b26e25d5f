"""A truth record made ready for scoring: read once, used for every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.files.locate import escape
from assay.ledger.toolnames import ToolNames
from assay.models.base import JsonValue
from assay.models.plan import ExecutionStep, Plan
from assay.models.result import Evidence
from assay.models.truth import Component, Fact, StateCheck, TruthRecord
from assay.scoring.build import evidence
from assay.scoring.matcher_forms import Reader, is_matcher
from assay.scoring.matchers import Fields, Node
from assay.scoring.text import Prose
from assay.scoring.values import MISSING, shown

COMPONENTS: tuple[Component, ...] = ("trajectory", "outcome", "rubric", "state")
"""In the order in which results list them."""


_STATE_KINDS = ("equals", "contains", "count", "unchanged", "absent")


class Argument(NamedTuple):
    """One named argument of a required call."""

    name: str
    """Its name."""
    node: Node
    """What it must be."""
    default: Any
    """What an omitted argument stands for; `MISSING` where the catalogue documents nothing."""
    expected: str
    """The expectation as canonical JSON."""


class Entry(NamedTuple):
    """One expected call: a required tool, or a step of the plan."""

    pointer: str
    """JSON pointer into the record."""
    tool: str
    """The name in the record."""
    names: frozenset[str]
    """Canonical names that meet it."""
    args: tuple[Argument, ...]
    """The arguments that matter."""
    least: int
    """How many calls must match."""
    most: int | None
    """How many may match; unlimited when None."""
    turn: int | None
    """The turn in which they must happen."""
    label: str
    """The expectation in words: ``charge(amount=100)``."""


class NamedTool(NamedTuple):
    """A forbidden tool, or one whose calls are counted."""

    pointer: str
    """JSON pointer into the record."""
    tool: str
    """The name in the record."""
    names: frozenset[str]
    """Canonical names that it stands for."""
    limit: int
    """How many calls are permitted."""


class Statement(NamedTuple):
    """A fact, or something that must not be stated."""

    pointer: str
    """JSON pointer into the record."""
    fact: Fact
    """The fact."""
    wordings: tuple[Prose, ...]
    """Its wordings."""
    expected: str
    """The wordings, for evidence."""
    clear: Evidence
    """The reason that something that must not be stated gives when it is not."""


class StateRule(NamedTuple):
    """One check of the final state."""

    pointer: str
    """JSON pointer into the record."""
    check: StateCheck
    """The check."""
    kind: str
    """Which condition it has."""
    node: Node | None
    """What `equals` or `contains` expects."""
    place: str
    """The place that it looks at, for sentences."""
    expected: str
    """The expectation in words."""
    held: Evidence
    """The reason that it gives when it holds."""


class CompiledRecord:
    """A record ready for scoring."""

    def __init__(self, record: TruthRecord, names: ToolNames, language: str) -> None:
        """Read every expectation of `record`, whose names have been through the map already."""
        self.record = record
        self.names = names
        self.language = language
        self.required = tuple(
            self.entry(f"/required_tools/{i}", e.tool, e.args, e.min, e.max, e.turn)
            for i, e in enumerate(record.required)
        )
        self.forbidden = tuple(
            self._named(f"/forbidden_tools/{i}", name, 0)
            for i, name in enumerate(record.forbidden_tools)
        )
        self.all_forbidden = frozenset(name for tool in self.forbidden for name in tool.names)
        self.max_calls = tuple(
            self._named(f"/max_calls/{escape(name)}", name, limit)
            for name, limit in record.max_calls.items()
        )
        self.clean = tuple(
            evidence(
                "forbidden_tool_absent",
                "passed",
                tool.pointer,
                f"`{tool.tool}` was not called.",
                expected=f"no call of {tool.tool}",
            )
            for tool in self.forbidden
        )
        self.steps, self.before = self._steps(record.plan if record.order == "plan" else None)
        self.answers = tuple(Prose(text, language) for text in record.acceptable_answers)
        self.facts = self._statements("facts", record.facts)
        self.must_not_state = self._statements("must_not_state", record.must_not_state)
        self.state = tuple(
            self._rule(f"/state/{i}", check) for i, check in enumerate(record.state or ())
        )
        self.final_out = (
            None
            if record.final_out is None
            else Reader(language, prose=True).read(record.final_out, "/final_out")
        )
        self.has_criteria = frozenset(
            name
            for name, present in (
                (
                    "trajectory",
                    self.required
                    or self.forbidden
                    or self.max_calls
                    or record.order == "plan"
                    or record.order == "exact",
                ),
                (
                    "outcome",
                    self.answers
                    or self.facts
                    or self.must_not_state
                    or record.final_out is not None,
                ),
                ("rubric", record.rubric),
                ("state", record.state is not None),
            )
            if present
        )
        given = record.score_basis
        self.basis = frozenset(given if given is not None else self.has_criteria)
        self.judged = tuple(
            name for name in COMPONENTS if name in self.has_criteria or name in self.basis
        )

    def entry(
        self,
        pointer: str,
        tool: str,
        args: Mapping[str, JsonValue],
        least: int = 1,
        most: int | None = None,
        turn: int | None = None,
    ) -> Entry:
        """An expected call, ready to be compared; see `Entry` for the arguments."""
        names = self.names.label(tool)
        reader = Reader(self.language)
        read = tuple(
            Argument(
                name,
                reader.read(value, f"{pointer}/args/{escape(name)}"),
                self._default(names, name),
                shown(value),
            )
            for name, value in args.items()
        )
        words = ", ".join(f"{arg.name}={arg.expected}" for arg in read)
        return Entry(
            pointer,
            tool,
            frozenset(names),
            read,
            least,
            most,
            turn,
            f"{tool}({words})" if words else tool,
        )

    def _default(self, names: tuple[str, ...], argument: str) -> Any:
        """The documented default of an optional argument, by the tool's JSON Schema."""
        found = [self._documented(name, argument) for name in names]
        return found[0] if len(found) == 1 else MISSING

    def _documented(self, name: str, argument: str) -> Any:
        tool = self.names.tool(name)
        schema = (tool.parameters if tool else None) or {}
        properties, demanded = schema.get("properties"), schema.get("required")
        if isinstance(demanded, list | tuple) and argument in demanded:
            return MISSING
        described = properties.get(argument) if isinstance(properties, Mapping) else None
        return described.get("default", MISSING) if isinstance(described, Mapping) else MISSING

    def _named(self, pointer: str, tool: str, limit: int) -> NamedTool:
        return NamedTool(pointer, tool, frozenset(self.names.label(tool)), limit)

    def _statements(self, name: str, facts: tuple[Fact, ...]) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for i, fact in enumerate(facts):
            pointer = f"/{name}/{i}"
            expected = ("not: " if name == "must_not_state" else "") + " | ".join(fact.any_of)
            sentence = f"The answer does not state {fact.id}."
            found.append(
                Statement(
                    pointer,
                    fact,
                    tuple(Prose(text, self.language) for text in fact.any_of),
                    expected,
                    evidence("not_stated", "passed", pointer, sentence, expected=expected),
                )
            )
        return tuple(found)

    def _rule(self, pointer: str, check: StateCheck) -> StateRule:
        kind = next(name for name in _STATE_KINDS if name in check.model_fields_set)
        value: JsonValue = getattr(check, kind)
        node: Node | None = None
        if kind in ("equals", "contains"):
            reader = Reader(self.language, unordered=check.unordered)
            whole_object = isinstance(value, Mapping) and not is_matcher(value)
            if kind == "contains" and whole_object:
                # Read field by field: an object is included in one that has more fields.
                node = Fields({k: reader.read(v) for k, v in value.items()})  # type: ignore[union-attr]
            else:
                node = reader.read(value, f"{pointer}/{kind}")
        place = f"`{check.path}`" if check.path else "The state"
        expected, sentence = {
            "equals": (shown(value), f"{place} is as expected."),
            "contains": (f"holds {shown(value)}", f"{place} holds the expected element."),
            "count": (f"{check.count} elements", f"{place} has {check.count} elements."),
            "unchanged": ("unchanged", f"{place} is what it was at the start."),
            "absent": ("nothing", f"Nothing stands at {place}."),
        }[kind]
        held = evidence("state_holds", "passed", pointer, sentence, expected=expected)
        return StateRule(pointer, check, kind, node, place, expected, held)

    # -- the plan ---------------------------------------------------------------------------

    def _steps(self, plan: Plan | None) -> tuple[tuple[Entry, ...], tuple[frozenset[int], ...]]:
        """The steps of a plan that are tool calls, and which of them each one comes after.

        Steps that no tool call shows (``Finish``, steps whose action is not deterministic) pass
        their predecessors on to those that come after them.
        """
        if plan is None:
            return (), ()
        steps = {step.name: step for step in plan.execution_steps}
        sources: dict[str, list[str]] = {}
        for link in plan.execution_links:
            if link.source in steps and link.target in steps and link.source != link.target:
                sources.setdefault(link.target, []).append(link.source)
        ancestors = {name: _reach(name, sources) for name in steps}
        shown_steps = [
            (i, step) for i, step in enumerate(plan.execution_steps) if self._is_call(step)
        ]
        place = {step.name: at for at, (_, step) in enumerate(shown_steps)}
        entries = tuple(
            self.entry(
                f"/plan/execution_steps/{i}",
                step.action,
                self._step_args(step, ancestors[step.name], steps),
            )
            for i, step in shown_steps
        )
        before = tuple(
            frozenset(place[name] for name in ancestors[step.name] if name in place) - {at}
            for at, (_, step) in enumerate(shown_steps)
        )
        return entries, before

    def _is_call(self, step: ExecutionStep) -> bool:
        by_name = step.deterministic is None or step.deterministic.action
        return by_name and step.action.lower() != "finish"

    def _step_args(
        self, step: ExecutionStep, ancestors: frozenset[str], steps: Mapping[str, ExecutionStep]
    ) -> dict[str, JsonValue]:
        """Arguments of a step that are compared; a reference to an earlier output is anything."""
        if step.deterministic is not None and not step.deterministic.arguments:
            return {}
        references = set(ancestors)
        for name in ancestors:
            for output in steps[name].outputs:
                references |= {output, f"{name}.{output}"}
        return {
            name: {"$any": True} if _refers(value, references) else value
            for name, value in step.arguments.items()
        }


def _reach(name: str, sources: Mapping[str, list[str]]) -> frozenset[str]:
    found: set[str] = set()
    queue = list(sources.get(name, ()))
    while queue:
        here = queue.pop()
        if here not in found:
            found.add(here)
            queue += sources.get(here, ())
    return frozenset(found)


def _refers(value: JsonValue, references: set[str]) -> bool:
    """Whether an argument is a reference: an output's name, bare or as ``$x`` or ``{x}``."""
    if not isinstance(value, str):
        return False
    bare = value.strip()
    for opening, closing in (("${", "}"), ("{{", "}}"), ("{", "}"), ("$", "")):
        if bare.startswith(opening) and bare.endswith(closing):
            bare = bare[len(opening) : len(bare) - len(closing)].strip()
            break
    return bare in references
