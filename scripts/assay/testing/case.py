"""One case in one trial: what a test hands to its agent, and what it checks by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NoReturn

from assay.errors import UsageError
from assay.models.run import ObservedRun
from assay.reporting.judging import WORDS
from assay.testing.bench import Bench
from assay.testing.conversation import Conversation, Say, play, play_async
from assay.testing.filters import Row
from assay.testing.observing import NOT_GIVEN, Asked, broken, observe
from assay.testing.outcomes import Verdict, raise_for
from assay.testing.task import Task, ToolSchema


class AssayCase:
    """One case in one trial.

    Its truth is nowhere among its attributes. Hand the agent `question`, `turns` or `task`, not
    the case itself: only the case can check.
    """

    __slots__ = ("_judge", "_known", "_row", "run", "task", "trial", "trials", "verdict")

    def __init__(
        self,
        bench: Bench,
        row: Row,
        *,
        run: str,
        trial: int = 0,
        trials: int = 1,
    ) -> None:
        """A case of `bench`; `run` names the run that its verdict belongs to."""
        self._row = row
        self.task: Task = bench.task(row)
        """What the agent may know."""
        self.run = run
        """Name of the run."""
        self.trial = trial
        """Zero-based trial."""
        self.trials = trials
        """How many trials there are."""
        self.verdict: Verdict | None = None
        """The verdict, once there is one."""
        self._known = bench.known
        self._judge = _judge(bench, row)

    def __repr__(self) -> str:
        return f"<AssayCase {self.label}>"

    @property
    def label(self) -> str:
        """The case's id, with the trial (from 1) where there are several."""
        return self.id if self.trials == 1 else f"{self.id}-trial{self.trial + 1}"

    # -- what is known of it ------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The case's id."""
        return self.task.id

    @property
    def suite(self) -> str:
        """The suite."""
        return self._row.suite

    @property
    def slice(self) -> str:
        """The slice."""
        return self._row.slice

    @property
    def category(self) -> str:
        """What is asked for."""
        return self._row.category

    @property
    def status(self) -> str:
        """Status of the record that counts."""
        return self._row.status

    @property
    def gates(self) -> bool:
        """Whether it may block a merge."""
        return self._row.gates

    @property
    def not_gating(self) -> str:
        """Why it does not gate; the empty text where it does."""
        return "" if self.gates else " ".join(self._row.not_gating) or "its truth is not reviewed"

    @property
    def question(self) -> str:
        """What the user says; refused for a case of several turns."""
        return self.task.question

    @property
    def turns(self) -> tuple[str, ...]:
        """What the user says, turn by turn."""
        return self.task.turns

    @property
    def initial_state(self) -> Any:
        """The seeded state of the world, a fresh copy each time."""
        return self.task.initial_state

    @property
    def tools(self) -> tuple[ToolSchema, ...]:
        """The tools of the catalogue."""
        return self.task.tools

    @property
    def policies(self) -> Mapping[str, str]:
        """Policy version in force to its text."""
        return self.task.policies

    @property
    def today(self) -> str:
        """The day that everything is judged at."""
        return self.task.today

    @property
    def reference_date(self) -> str | None:
        """The day that relative dates refer to."""
        return self.task.reference_date

    # -- asking -------------------------------------------------------------------------------

    def converse(self, agent: Say) -> Conversation:
        """Give the agent each turn of the user; what it gives back is kept for `check`.

        Args:
            agent: called with what the user says; gives back an answer, a `Reply`, an answer with
                its calls, or the messages of the turn.
        """
        return play(self.turns, agent)

    async def aconverse(self, agent: Callable[[str], Awaitable[Any]]) -> Conversation:
        """As `converse`, for an asynchronous agent."""
        return await play_async(self.turns, agent)

    # -- checking -----------------------------------------------------------------------------

    def score(
        self,
        observed: Any,
        *,
        calls: Sequence[Any] | None = None,
        final_state: Any = NOT_GIVEN,
        agent: str | None = None,
        model: str | None = None,
        format: str | None = None,
    ) -> Verdict:
        """The verdict on what the agent did; raises nothing for a failure.

        Args:
            observed: messages of any provider, an `ObservedRun`, a `Conversation`, a `Reply`, a
                plain answer, or whatever else ``assay runs import`` reads.
            calls: tool calls beside a plain answer; unknown where absent, which is not *none*.
            final_state: the world afterwards, in the shape of `initial_state`.
            agent: the agent's name, for the record.
            model: the model's name, for the record.
            format: name of the format; found out where absent.

        Raises:
            UsageError: it is no observation of this case, or the case has its verdict already.
            InputError: it has no format that is known.
        """
        asked = self._asked(calls, final_state, agent, model, format)
        return self._decide(observe(observed, asked))

    def check(
        self,
        observed: Any,
        *,
        calls: Sequence[Any] | None = None,
        final_state: Any = NOT_GIVEN,
        agent: str | None = None,
        model: str | None = None,
        format: str | None = None,
    ) -> Verdict:
        """The verdict on what the agent did, which must be *passed*; see `score`.

        Raises:
            CaseFailedError: it failed; an AssertionError that says what ``assay why`` says.
            NotEvaluatedError: no verdict could be formed.
            InfrastructureError: the harness failed.
            UsageError: it is no observation of this case, or the case has its verdict already.
            InputError: it has no format that is known.
        """
        __tracebackhide__ = True
        asked = self._asked(calls, final_state, agent, model, format)
        verdict = self._decide(observe(observed, asked))
        raise_for(verdict)
        return verdict

    def infrastructure_error(self, message: object) -> NoReturn:
        """Say that the harness failed and not the agent: a rate limit, a timeout, a dead server.

        Raises:
            InfrastructureError: always, but where something forbidden was done before.
        """
        __tracebackhide__ = True
        verdict = self.fail_by_harness(str(message))
        raise_for(verdict)
        raise AssertionError(f"{self.label} passed without a run")  # pragma: no cover

    def fail_by_harness(self, message: str) -> Verdict:
        """The verdict of a trial in which the harness failed; raises nothing for it."""
        asked = self._asked(None, NOT_GIVEN, None, None, None)
        return self._decide(broken(message, asked))

    def _asked(
        self,
        calls: Sequence[Any] | None,
        final_state: Any,
        agent: str | None,
        model: str | None,
        format: str | None,
    ) -> Asked:
        return Asked(
            self.id,
            self.turns,
            self.run,
            self.trial,
            calls=calls,
            final_state=final_state,
            agent=agent,
            model=model,
            format=format,
            known=self._known,
        )

    def _decide(self, observed: ObservedRun) -> Verdict:
        if self.verdict is not None:
            raise UsageError(
                f"{self.label} has its verdict already.",
                hint="one check a test; further trials with --assay-trials N",
            )
        self.verdict = self._judge(observed)
        return self.verdict


def _judge(bench: Bench, row: Row) -> Callable[[ObservedRun], Verdict]:
    """What judges a case, closed over its truth, so that no attribute of the case leads there."""

    def judge(observed: ObservedRun) -> Verdict:
        result = bench.score(row, observed)

        def explain() -> str:
            if row.held_out:
                return (
                    f"{row.case_id}: {observed.run} {WORDS[result.outcome]}.\n"
                    "  The case is held out, so its truth is not shown."
                )
            return bench.explain(row, result, observed)

        return Verdict(result, observed, explain)

    return judge
