"""Draft truth from tau-bench: what its reward means, said without its database.

The benchmark's reward is 1 where the database after the run equals the database after the gold
actions, and where every one of the task's outputs occurs in some message of the agent, after the
commas of the message were removed and without regard to case. We have no database. So:

- every gold call of a tool that writes is required, with its exact arguments, as often as it
  stands there;
- no writing tool may succeed more often than in the gold actions; one that the task does not use
  may not succeed at all. A failed attempt changes no database, so it is counted by ``max_calls``
  and not forbidden;
- gold calls that only read, and those that hand the conversation over, are not required;
- every output is a fact.

Where the two must part: other calls can lead to the same database; gold calls can cancel out; an
output is found inside a longer word there, and only as whole tokens here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from assay.files.canonical import canonical_json
from assay.intake.codes import sorted_findings
from assay.intake.drafts.effects import Effect, catalogue_of, effects, read_catalogue
from assay.intake.drafts.imported import DraftImport, guessed, is_literal
from assay.intake.drafts.tau_tasks import Action, Task, called_tools, read_tasks
from assay.intake.ids import derived, is_safe
from assay.intake.node import shorten
from assay.intake.opening.feed import open_document
from assay.ledger.hashes import case_digest
from assay.models.base import JsonValue
from assay.models.case import CaseAttributes, EvalCase, EvalSet, SessionInput
from assay.models.truth import Fact, RequiredTool, TruthRecord, Witness, WitnessCall, Witnesses

DRAFTED_BY = "import:tau-bench"
_RESPOND = "respond"
"""The benchmark's own action for an answer; no tool."""


def draft_from_tau_bench(
    path: Path, *, suite: str = "tau-bench", writes: Iterable[str] = (), name: str | None = None
) -> DraftImport:
    """Draft cases and records from a result file, or from a list of tasks.

    Args:
        path: results (``task_id``, ``info.task``, ``traj``), or tasks (``instruction``,
            ``actions``, ``outputs``).
        suite: ids of cases begin with it, for the benchmark only numbers its tasks.
        writes: tools that write, beside those that a catalogue or their names tell.
        name: the file's name for rationales.

    Raises:
        InputError: the file cannot be read or holds no task.
    """
    label = name or path.name
    document = open_document(path)
    with document.source.placed():
        tasks = read_tasks(document)
        if not tasks:
            raise document.first.error(
                "The file holds no task of tau-bench.",
                "results carry `task_id` and `info.task`, tasks `instruction` and `actions`",
            )
    beside = read_catalogue(path)
    mentioned = {action.name for task in tasks for action in task.actions}
    found = effects((mentioned | called_tools(document)) - {_RESPOND}, writes, beside)
    drafters = [_Drafter(case_id_of(suite, task.number), task, found, label) for task in tasks]
    records = sorted((drafter.record() for drafter in drafters), key=lambda r: r.case_id)
    findings = document.source.findings() + guessed(found, document.source.name)
    return DraftImport(
        records=tuple(records),
        eval_sets=(
            EvalSet(
                eval_set_id=suite,
                name=f"tau-bench: {label}",
                description="Tasks of tau-bench; a simulated user follows the plan.",
                eval_cases=tuple(drafter.case() for drafter in drafters),
            ),
        ),
        attributes={
            drafter.case_id: CaseAttributes(
                slice="tau-bench", template=drafter.case_id, source_id=drafter.task.number
            )
            for drafter in drafters
        },
        tools=catalogue_of(found, beside),
        findings=sorted_findings(findings),
    )


def case_id_of(suite: str, number: str) -> str:
    """Id of the case of a task: ``airline-007`` for task 7 of the suite ``airline``."""
    case_id = f"{suite}-{number.zfill(3)}" if number.isdigit() else f"{suite}-{number}"
    return case_id if is_safe(case_id) else f"{suite[:24]}-{derived(number)[:71]}"


class _Drafter:
    """Drafts case and record of one task."""

    def __init__(self, case_id: str, task: Task, found: dict[str, Effect], label: str) -> None:
        self.case_id = case_id
        self.task = task
        self.found = found
        self.label = label
        self.notes: list[str] = []
        self.calls = [action for action in task.actions if action.name != _RESPOND]

    def note(self, code: str, message: str) -> None:
        node = self.task.node
        node.source.note(
            code, f"Task {self.task.number}: {message}", node=node, case_id=self.case_id
        )

    def case(self) -> EvalCase:
        """The case: a simulated user who follows the task's instruction."""
        task = self.task
        scenario: dict[str, JsonValue] = {
            "starting_prompt": task.opening or task.instruction,
            "conversation_plan": task.instruction,
        }
        session = SessionInput(user_id=task.user_id) if task.user_id else None
        return EvalCase(eval_id=self.case_id, conversation_scenario=scenario, session_input=session)

    def record(self) -> TruthRecord:
        """The draft."""
        number = self.task.number
        gold = Counter(action.name for action in self.calls)
        required = self.required()
        facts = self.facts()
        self.not_required(gold)
        if not required and not facts:
            self.notes.append(
                "The benchmark asks only that nothing is written, so a run that does nothing"
                " passes: say what the agent must tell or do before this becomes gold."
            )
            self.note("IDR002", "nothing must be written or said; doing nothing passes.")
        return TruthRecord(
            case_id=self.case_id,
            revision=1,
            status="draft",
            change="new",
            rationale=(
                f"Drafted from task {number} of tau-bench in {self.label}: the reward asks for the"
                " database as it is after the gold actions, and for each output in some message"
                " of the agent.",
                "No database is at hand: the gold calls that write are required with their exact"
                " arguments, and no tool that writes may succeed more often than there.",
                *self.notes,
            ),
            required_tools=tuple(required),
            max_calls={name: gold[name] for name, found in self.found.items() if found.writes},
            facts=tuple(facts),
            drafted_by=DRAFTED_BY,
            evidence=(f"{self.label}, task {number}",),
            source_id=number,
            case_digest=case_digest(self.case()),
            witnesses=self.witnesses() if required or facts else None,
        )

    def required(self) -> list[RequiredTool]:
        """The gold calls that write, equal ones counted."""
        counted: dict[str, tuple[Action, int]] = {}
        for action in self.calls:
            if self.found[action.name].writes:
                key = canonical_json([action.name, action.args])
                counted[key] = (action, counted.get(key, (action, 0))[1] + 1)
        entries: list[RequiredTool] = []
        for action, times in counted.values():
            args = {key: value for key, value in action.args.items() if is_literal(value)}
            for key in sorted(set(action.args) - set(args)):
                self.note("IDR004", f"`{key}` of `{action.name}` looks like a matcher; left out.")
            entries.append(RequiredTool(tool=action.name, args=args, min=times))
        return entries

    def not_required(self, gold: Counter[str]) -> None:
        """Say which gold calls the draft does not ask for."""
        words = ", ".join(
            f"{name} ×{gold[name]}" for name in sorted(gold) if not self.found[name].writes
        )
        if words:
            self.notes.append(f"Not required, for they write nothing: {words}.")
            self.note("IDR003", f"calls that write nothing are not required: {words}.")

    def facts(self) -> list[Fact]:
        """The outputs."""
        facts: list[Fact] = []
        for index, output in enumerate(self.task.outputs):
            if not output.strip():
                self.note("IDR004", f"output {index} is empty and was left out.")
                continue
            if "," in output:
                self.note(
                    "IDR004",
                    f'output "{shorten(output)}" has a comma; the benchmark removes commas from'
                    " messages, so that it can never find it.",
                )
            facts.append(Fact(id=f"output-{index + 1}", any_of=(output,)))
        if facts:
            self.notes.append(
                "Outputs are compared as whole tokens, numbers as numbers; the benchmark removes"
                " commas from messages and finds an output inside longer words too."
            )
        return facts

    def witnesses(self) -> Witnesses:
        """The gold actions themselves must pass."""
        said = "; ".join(output for output in self.task.outputs if output.strip())
        calls = tuple(WitnessCall(tool=call.name, args=call.args) for call in self.calls)
        note = "The gold actions, with the outputs said at the end."
        return Witnesses(accept=(Witness(note=note, answer=said or None, tool_calls=calls),))
