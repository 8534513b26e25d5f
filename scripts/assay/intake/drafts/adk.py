"""Draft truth from the expectations in ADK eval sets.

- expected calls are required with their arguments, as often as they stand there, in their turn
  where the case has several; their order is not asked for, though the ADK's own metric compares
  the exact sequence: harmless reorderings would count as failures;
- the example answer of the last turn is an acceptable answer where it is short enough to be
  compared as a whole; a longer one becomes a criterion that a person or judge answers;
- rubrics become criteria; the expected final state becomes state checks.

An example is one way to be right and rarely all of them: every draft needs a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.files.canonical import canonical_json
from assay.files.locate import escape
from assay.intake.cases.read import read_cases
from assay.intake.cases.review import placeholder
from assay.intake.codes import finding, sorted_findings
from assay.intake.drafts.effects import catalogue_of, effects, read_catalogue
from assay.intake.drafts.imported import DraftImport, guessed, is_literal
from assay.ledger.hashes import case_digest
from assay.models.base import JsonValue
from assay.models.case import EvalCase, Invocation, ToolUse
from assay.models.finding import Finding
from assay.models.truth import Criterion, RequiredTool, StateCheck, TruthRecord

DRAFTED_BY = "import:adk"
WHOLE = 80
"""Longest example answer, in characters, that is compared as a whole."""


def draft_from_adk(
    path: Path, *, writes: Iterable[str] = (), name: str | None = None
) -> DraftImport:
    """Draft records from a file of eval cases of any shape that cases are read from.

    Args:
        path: the file.
        writes: tools that write, beside those that a catalogue or their names tell.
        name: the file's name for rationales.

    Raises:
        InputError: the file cannot be read or is no file of cases.
    """
    label = name or path.name
    imported = read_cases(path)
    findings = list(imported.findings)
    beside = read_catalogue(path)
    cases = [case for made in imported.eval_sets for case in made.eval_cases]
    mentioned = {use.name for case in cases for turn in _turns(case) for use in tool_uses(turn)}
    found = effects(mentioned, writes, beside)
    findings += guessed(found, path.as_posix())
    records: list[TruthRecord] = []
    for case in cases:
        source_id = imported.attributes[case.eval_id].source_id
        record = _Drafter(case, source_id, label, path.as_posix(), findings).record()
        if record is not None:
            records.append(record)
    return DraftImport(
        tuple(sorted(records, key=lambda record: record.case_id)),
        imported.eval_sets,
        imported.attributes,
        catalogue_of(found, beside),
        sorted_findings(findings),
    )


def _turns(case: EvalCase) -> tuple[Invocation, ...]:
    return case.conversation or ()


def tool_uses(turn: Invocation) -> tuple[ToolUse, ...]:
    """The expected calls of a turn, from either form of intermediate data."""
    data = turn.intermediate_data
    if data is None:
        return ()
    if data.tool_uses is not None:
        return data.tool_uses
    uses: list[ToolUse] = []
    for event in data.invocation_events or ():
        content = event.get("content") if isinstance(event, dict) else None
        parts = content.get("parts") if isinstance(content, dict) else None
        for part in parts if isinstance(parts, list | tuple) else ():
            call = part.get("function_call") if isinstance(part, dict) else None
            called = call.get("name") if isinstance(call, dict) else None
            if isinstance(call, dict) and isinstance(called, str) and called:
                args = call.get("args")
                uses.append(ToolUse(name=called, args=args if isinstance(args, dict) else None))
    return tuple(uses)


class _Drafter:
    """Drafts the record of one case."""

    def __init__(
        self,
        case: EvalCase,
        source_id: str | None,
        label: str,
        path: str,
        findings: list[Finding],
    ) -> None:
        self.case = case
        self.source_id = source_id
        self.label = label
        self.path = path
        self.findings = findings
        self.notes: list[str] = []

    def note(self, code: str, message: str) -> None:
        self.findings.append(finding(code, message, path=self.path, case_id=self.case.eval_id))

    def record(self) -> TruthRecord | None:
        """The draft; None where the case expects nothing that could be drafted."""
        required = self.required()
        answers, criteria = self.answer()
        criteria = [*self.rubrics(), *criteria]
        state = self.state()
        if not (required or answers or criteria or state):
            self.note("IDR005", "The case expects nothing that a record could be drafted from.")
            return None
        known = f" ({self.source_id})" if self.source_id else ""
        return TruthRecord(
            case_id=self.case.eval_id,
            revision=1,
            status="draft",
            change="new",
            rationale=(
                f"Drafted from the example expectations of this case{known} in {self.label}; an"
                " example is one way to be right.",
                *self.notes,
            ),
            required_tools=tuple(required),
            acceptable_answers=tuple(answers),
            rubric=tuple(criteria),
            state=tuple(state) or None,
            drafted_by=DRAFTED_BY,
            evidence=(f"{self.label}, case {self.source_id or self.case.eval_id}",),
            source_id=self.source_id,
            case_digest=case_digest(self.case),
        )

    def required(self) -> list[RequiredTool]:
        turns = _turns(self.case)
        counted: dict[str, tuple[ToolUse, int | None, int]] = {}
        for index, turn in enumerate(turns):
            place = index if len(turns) > 1 else None
            uses = tool_uses(turn)
            if turn.intermediate_data is not None and not uses:
                self.note(
                    "IDR007",
                    f"Turn {index + 1} expects no call; the draft does not ask for that.",
                )
            for use in uses:
                key = canonical_json([index, use.name, use.args or {}])
                times = counted.get(key, (use, place, 0))[2]
                counted[key] = (use, place, times + 1)
        if counted:
            self.notes.append(
                "Expected calls are required in any order; the ADK compares the exact sequence."
            )
        return [self.entry(*item) for item in counted.values()]

    def entry(self, use: ToolUse, turn: int | None, times: int) -> RequiredTool:
        args: dict[str, JsonValue] = {}
        for key, value in (use.args or {}).items():
            if is_literal(value):
                args[key] = value
            else:
                self.note("IDR004", f"`{key}` of `{use.name}` looks like a matcher; left out.")
        return RequiredTool(tool=use.name, args=args, min=times, turn=turn)

    def answer(self) -> tuple[list[str], list[Criterion]]:
        """The example answer of the last turn, as an accepted one or as a criterion."""
        turns = _turns(self.case)
        for index, turn in enumerate(turns[:-1]):
            if turn.final_response is not None and turn.final_response.text.strip():
                self.note("IDR006", f"The example answer of turn {index + 1} is not in the draft.")
        last = turns[-1].final_response if turns else None
        text = last.text if last is not None else ""
        if not text.strip():
            return [], []
        if placeholder(text) is not None:
            self.note("IDR006", "The example answer is a placeholder and not in the draft.")
            return [], []
        if len(text.strip()) <= WHOLE:
            self.notes.append(
                "The example answer is accepted as a whole; say as facts what it must contain."
            )
            return [text.strip()], []
        self.note(
            "IDR009",
            f"The example answer has {len(text.strip())} characters; it became a criterion.",
        )
        self.notes.append(
            "The example answer is too long to be compared as a whole; it became a criterion that"
            " somebody must answer, until facts say what an answer must contain."
        )
        question = (
            "Does the final answer say what this example says, without contradicting it?"
            f' "{text.strip()}"'
        )
        return [], [Criterion(id="example-answer", text=question)]

    def rubrics(self) -> list[Criterion]:
        turns = _turns(self.case)
        listed: list[tuple[int | None, JsonValue]] = [
            (None, rubric) for rubric in self.case.rubrics or ()
        ]
        for number, turn in enumerate(turns):
            listed += [(number, rubric) for rubric in turn.rubrics or ()]
        criteria: list[Criterion] = []
        used: set[str] = {"example-answer"}
        for index, rubric in listed:
            content = rubric.get("rubric_content") if isinstance(rubric, dict) else None
            text = content.get("text_property") if isinstance(content, dict) else None
            given = rubric.get("rubric_id") if isinstance(rubric, dict) else None
            if not isinstance(text, str) or not text.strip():
                self.note("IDR006", "A rubric without text is not in the draft.")
                continue
            name = given if isinstance(given, str) and given else f"rubric-{len(criteria) + 1}"
            while name in used:
                name += "-again"
            used.add(name)
            where = f"In turn {index + 1}: " if index is not None and len(turns) > 1 else ""
            criteria.append(Criterion(id=name, text=where + text))
        return criteria

    def state(self) -> list[StateCheck]:
        checks: list[StateCheck] = []
        for key, value in (self.case.final_session_state or {}).items():
            if is_literal(value):
                checks.append(StateCheck(path=f"/{escape(key)}", equals=value))
            else:
                self.note("IDR004", f"`{key}` of the final state looks like a matcher; left out.")
        return checks
