"""While a test runs: what its end means, and what its report carries."""

from __future__ import annotations

import pytest

from assay.files.model_text import model_line
from assay.testing.case import AssayCase
from assay.testing.outcomes import CaseFailedError, NotEvaluatedError
from assay.testing.plugin import FIXTURE

_unchecked: pytest.StashKey[bool] = pytest.StashKey()

_LEFT_EARLY = (pytest.skip.Exception, pytest.xfail.Exception, pytest.exit.Exception)


def _case(item: pytest.Item) -> AssayCase | None:
    found = getattr(item, "funcargs", {}).get(FIXTURE)
    return found if isinstance(found, AssayCase) else None


def not_evaluated(item: pytest.Item, error: NotEvaluatedError) -> str | None:
    """Why a test is skipped; none where ``--assay-strict`` makes it fail."""
    if item.config.getoption("assay_strict"):
        return None
    case, verdict = _case(item), error.verdict
    reason = verdict.reason if verdict is not None else str(error).partition("\n")[0]
    return f"{case.label if case else item.name} not evaluated: {reason}"


def called(item: pytest.Item) -> None:
    """Fail a test that ended without a verdict: it shows nothing."""
    case = _case(item)
    if case is not None and case.verdict is None:
        item.stash[_unchecked] = True
        pytest.fail(
            f"{case.label}: the test ended without a check, so it shows nothing.\n"
            "  next  assay_case.check(my_agent(assay_case.question))",
            pytrace=False,
        )


def annotate(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> None:
    """Put the observed run into a report, and say what kind of end it was."""
    case = _case(item)
    if case is None:
        return
    raised = call.excinfo.value if call.excinfo is not None else None
    if (
        case.verdict is None
        and raised is not None
        and not isinstance(raised, _LEFT_EARLY)
        and not item.stash.get(_unchecked, False)
    ):
        # Nobody can say whose fault it was, so it is an error, and not absent from the run.
        first = str(raised).partition("\n")[0]
        case.fail_by_harness(f"{type(raised).__name__}: {first}".rstrip(": "))
    if report.skipped and isinstance(report.longrepr, tuple) and case.verdict is not None:
        path, line = item.reportinfo()[:2]
        report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])
    if case.verdict is None:
        return
    report.__dict__.update(
        assay=[case.suite, model_line(case.verdict.observed)],
        assay_error=case.verdict.outcome == "error",
    )
    if (
        isinstance(raised, CaseFailedError)
        and item.config.getoption("assay_gating")
        and not case.gates
        and not item.config.getoption("runxfail")
    ):
        report.outcome = "skipped"
        report.wasxfail = f"{case.label} does not gate: {case.not_gating}"
