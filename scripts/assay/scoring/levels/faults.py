"""What went wrong, with the step and the call that it points at; each kind is a failure tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assay.models.levels import FaultTag, StepFault
from assay.models.result import ComponentResult
from assay.scoring.compiled import CompiledRecord
from assay.scoring.levels.agents import Agents
from assay.scoring.levels.answers import answer_faults
from assay.scoring.levels.assignment import heaviest
from assay.scoring.levels.efficiency import repeated
from assay.scoring.levels.flow import Flow
from assay.scoring.levels.process import Process
from assay.scoring.levels.steps import Step
from assay.scoring.observed import SeenCall, SeenRun
from assay.scoring.values import MISSING, same, shown

_LAST: Final = 1 << 60


def faults_of(
    truth: CompiledRecord,
    made: Process,
    components: Sequence[ComponentResult],
    seen: SeenRun,
    agents: Agents,
    flow: Flow,
) -> list[StepFault]:
    """Everything that went wrong against a path: by step, then by call."""
    found = _Faults(truth, made, seen, agents, flow)
    found.steps()
    found.calls(components)
    found.faults += answer_faults(truth, components, seen)
    return found.faults


class _Faults:
    def __init__(
        self, truth: CompiledRecord, made: Process, seen: SeenRun, agents: Agents, flow: Flow
    ) -> None:
        self.truth, self.made, self.seen = truth, made, seen
        self.agents, self.flow = agents, flow
        self.faults: list[StepFault] = []
        self.used: set[int] = set()

    def add(self, tag: FaultTag, message: str, step: Step | None, call: int | None) -> None:
        pointer = step.pointer if step is not None else ""
        self.faults.append(StepFault(tag=tag, pointer=pointer, call=call, message=message))

    # -- by step -----------------------------------------------------------------------------

    def steps(self) -> None:
        """Steps that are missing or were carried out otherwise."""
        instead = self._instead()
        self.used = set(instead.values())
        ended = self.seen.final is None and "final_answer" not in self.seen.unknown
        for at, step in enumerate(self.made.steps.steps):
            pair = self.made.pairs.get(at)
            if pair is not None:
                self._paired(at, step, self.seen.calls[pair.call])
            elif at in self.made.missing:
                if step.finish:
                    continue
                if at in instead:
                    call = self.seen.calls[instead[at]]
                    words = f"{call.label} was called where {step.label} belongs."
                    self.add("wrong_tool", words, step, call.index)
                else:
                    self._missing(step)
        if ended:
            finish = next((s for s in self.made.steps.steps if s.finish), None)
            last = self.seen.calls[-1].index if self.seen.calls else None
            missing = sum(not self.made.steps.steps[at].finish for at in self.made.missing)
            words = "The run ends without an answer"
            words += f", {missing} step{'s' * (missing != 1)} short." if missing else "."
            self.add("premature_end", words, finish, last)

    def _missing(self, step: Step) -> None:
        tried = [
            call
            for call in self.seen.calls
            if not call.fine and not step.entry.names.isdisjoint(call.names)
        ]
        if tried:
            what = "blocked" if tried[-1].call.outcome == "blocked" else "failed"
            words = f"{step.label} is missing: every attempt {what}."
            self.add("missing_step", words, step, tried[-1].index)
        else:
            self.add("missing_step", f"{step.label} is missing.", step, None)

    def _paired(self, at: int, step: Step, call: SeenCall) -> None:
        pair = self.made.pairs[at]
        if not pair.agent:
            by = ", ".join(sorted(self.agents.of(call)))
            words = f"{step.label} is {step.step.agent}'s, and was made through {by}."
            self.add("wrong_agent", words, step, call.index)
        for i in pair.wrong:
            argument = step.entry.args[i]
            value = call.args.get(argument.name, MISSING)
            words = f"{step.label}: {argument.name} is {shown(value)}, not {argument.expected}."
            self.add("wrong_argument", words, step, call.index)
            if value is not MISSING and self.flow.known:
                invented = self.flow.invented(call.index)
                if any(same(value, item) for item in invented):  # type: ignore[arg-type]
                    words = f"{step.label}: {shown(value)} stands in no question and no result."
                    self.add("hallucinated_value", words, step, call.index)
        for source, target, value in self.made.broken:
            if target == at:
                self._broken(source, step, call, value)

    def _broken(self, source: int, step: Step, call: SeenCall, value: object) -> None:
        before = self.made.steps.steps[source]
        if value is None:
            words = f"{step.label} comes before {before.label}, or at once with it; it needs it."
            self.add("wrong_order", words, step, call.index)
            return
        words = f"{step.label} was given {shown(value)}, which {before.label} did not return."  # type: ignore[arg-type]
        nowhere = not self.flow.producers(value, call.index)  # type: ignore[arg-type]
        self.add("hallucinated_value" if nowhere else "wrong_argument", words, step, call.index)

    def _instead(self) -> dict[int, int]:
        """Missing step to a call that was made in its place, between what is before and after it.

        Of several the one that shares most: arguments, then the agent, then the nearest.
        """
        missing = [at for at in self.made.missing if not self.made.steps.steps[at].finish]
        required = {name for entry in self.truth.required for name in entry.names}
        calls = [self.seen.calls[i] for i in self.made.extra]
        calls = [call for call in calls if required.isdisjoint(call.names)]
        table: list[dict[int, int]] = []
        for at in missing:
            low, high = self._window(at)
            options: dict[int, int] = {}
            for call in calls:
                if low < call.index < high:
                    alike = self._alike(self.made.steps.steps[at], call)
                    if alike:
                        options[call.index] = alike * 1_000_000 - call.index
            table.append(options)
        return {missing[row]: call for row, call in heaviest(table).items()}

    def _window(self, at: int) -> tuple[int, int]:
        pairs, links = self.made.pairs, self.made.links
        low = max((pairs[a].call for a, b in links if b == at and a in pairs), default=-1)
        high = min((pairs[b].call for a, b in links if a == at and b in pairs), default=_LAST)
        return low, high

    def _alike(self, step: Step, call: SeenCall) -> int:
        agent = self.agents.agree(step.step.agent, call)
        values = [arg for arg in step.entry.args if arg.name in call.args]
        if agent is False and not values:
            return 0
        return 1 + (agent is True) + 2 * len(values)

    # -- by call -----------------------------------------------------------------------------

    def calls(self, components: Sequence[ComponentResult]) -> None:
        """Calls that no step asks for, forbidden ones, and writes that were made twice."""
        forbidden: set[int] = set()
        for part in components:
            for piece in part.evidence:
                if piece.kind == "forbidden_call" and piece.call is not None:
                    forbidden.add(piece.call)
                    self.faults.append(
                        StepFault(
                            tag="forbidden_call",
                            pointer=piece.pointer,
                            call=piece.call,
                            message=piece.message,
                        )
                    )
        required = {name for entry in self.truth.required for name in entry.names}
        twice = set(repeated(self.seen))
        for index in self.made.extra:
            call = self.seen.calls[index]
            if index in self.used or index in forbidden:
                continue
            tool = self.seen.names.tool(call.name)
            if index in twice and tool is not None and tool.effect == "writes":
                words = f"{call.label} writes the same once more."
                self.add("repeated_write", words, None, index)
            elif required.isdisjoint(call.names):
                self.add("unnecessary_step", f"No step asks for {call.label}.", None, index)
