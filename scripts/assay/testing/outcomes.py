"""What checking a case comes to, and the three ways in which a check does not pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assay.models.result import CaseResult, Outcome
from assay.models.run import ObservedRun


@dataclass(frozen=True)
class Verdict:
    """The verdict on one trial of one case."""

    result: CaseResult
    """The verdict with its evidence, as a line of scores holds it."""
    observed: ObservedRun
    """What the agent did, as it was understood."""
    _explain: Callable[[], str] = field(repr=False, compare=False)

    @property
    def outcome(self) -> Outcome:
        """``passed``, ``failed``, ``not_evaluated`` or ``error``."""
        return self.result.outcome

    @property
    def passed(self) -> bool:
        """Whether it passed; False says nothing about the agent where there is no verdict."""
        return self.result.outcome == "passed"

    @property
    def reason(self) -> str:
        """The deciding evidence in one sentence."""
        for part in self.result.components:
            if part.in_basis and part.outcome == self.result.outcome:
                for item in part.evidence:
                    if item.outcome == self.result.outcome:
                        return f"{item.message} {item.observed or ''}".strip()
        return "Nothing decided it."

    @property
    def text(self) -> str:
        """The whole explanation, as ``assay why`` prints it."""
        return self._explain()


class _NotPassed:
    """What the three have in common: the verdict, and its explanation as the message."""

    verdict: Verdict | None = None


class CaseFailedError(AssertionError, _NotPassed):
    """The agent failed the case. The message is what ``assay why`` says."""


class NotEvaluatedError(Exception, _NotPassed):
    """No verdict could be formed: neither passed nor failed."""


class InfrastructureError(Exception, _NotPassed):
    """The harness failed, not the agent."""


for _public in (CaseFailedError, NotEvaluatedError, InfrastructureError):
    # A report names an exception by its module; this is where people import it from.
    _public.__module__ = "assay.testing"


def raise_for(verdict: Verdict) -> None:
    """Nothing for a passed case, else the error of its kind.

    Raises:
        CaseFailedError: it failed.
        NotEvaluatedError: no verdict could be formed.
        InfrastructureError: the harness failed.
    """
    __tracebackhide__ = True
    if verdict.outcome == "passed":
        return
    text = verdict.text.rstrip("\n")
    error: CaseFailedError | NotEvaluatedError | InfrastructureError
    if verdict.outcome == "failed":
        error = CaseFailedError(text)
    elif verdict.outcome == "not_evaluated":
        error = NotEvaluatedError(text)
    else:
        error = InfrastructureError(text)
    error.verdict = verdict
    raise error
