"""The health of the truth: statuses, coverage, what expires soon, under which policies."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from assay.models.compiled import EffectiveTruth
from assay.reporting.html.bars import divided
from assay.reporting.html.inputs import ReportInput, SuiteInput
from assay.reporting.html.links import case_page
from assay.reporting.numbers import trimmed
from assay.statistics.power import smallest_visible_gap

HORIZON = 90
"""Days before expiry from which on a label is listed."""

NOISE = (Decimal(0), Decimal("0.05"), Decimal("0.10"))
"""Shares of wrong labels that the smallest visible gap is shown for."""

STATUSES = ("gold", "silver", "draft", "disputed", "retired", "none")
"""Statuses in the order in which they are drawn; ``none`` is a case without a record."""


def health(report: ReportInput, suite: SuiteInput) -> dict[str, Any]:
    """Everything about the truth of one suite."""
    soon = expiring(report, suite)
    statuses = Counter(t.record.status if t.record else "none" for t in suite.truths)
    return {
        "statuses": divided(statuses, STATUSES),
        "cases": len(suite.truths),
        "gating": sum(truth.gates for truth in suite.truths),
        "scorable": sum(not truth.exclusions for truth in suite.truths),
        "expired": sum(any(e.code == "EXP001" for e in t.exclusions) for t in suite.truths),
        "within": _within(soon),
        "expiring": soon,
        "disputed": statuses["disputed"],
        "labelers": _labelers(suite),
        "gaps": _gaps(sum(not truth.exclusions for truth in suite.truths), report.alpha),
        "policies": policies(report.policies, suite),
        "not_gating": _reasons(suite),
    }


def expiring(report: ReportInput, suite: SuiteInput) -> list[dict[str, Any]]:
    """Labels that count and expire within `HORIZON` days, the first to expire first."""
    today = datetime.date.fromisoformat(report.today)
    rows = []
    for truth in suite.truths:
        record = truth.record
        if record is None or record.expires is None or truth.case_id in report.withheld:
            continue
        if record.status not in ("gold", "silver"):
            continue
        days = (datetime.date.fromisoformat(record.expires) - today).days
        if 0 < days <= HORIZON:
            rows.append(
                {
                    "case_id": truth.case_id,
                    "page": case_page(suite.suite, truth.case_id),
                    "expires": record.expires,
                    "days": days,
                    "status": record.status,
                    "signs": record.adjudicator or "",
                }
            )
    return sorted(rows, key=lambda row: (row["expires"], row["case_id"]))


def _within(rows: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Days to how many labels expire within them."""
    return [(days, sum(row["days"] <= days for row in rows)) for days in (30, HORIZON)]


def _labelers(suite: SuiteInput) -> dict[str, int]:
    """How many people stand behind the gold labels that count."""
    gold = [t.record for t in suite.truths if t.record is not None and t.record.status == "gold"]
    return {
        "gold": len(gold),
        "several": sum(len(set(record.labelers)) > 1 for record in gold),
        "adjudicated": sum(record.adjudicator is not None for record in gold),
    }


def _gaps(cases: int, alpha: Decimal) -> list[tuple[str, str]]:
    """Share of wrong labels in percent, to the smallest gap that the suite then shows."""
    found = []
    for errors in NOISE:
        gap = smallest_visible_gap(cases, label_errors=errors, alpha=alpha)
        found.append((trimmed(errors * 100), "" if gap is None else f"{gap:.1f}"))
    return found


def policies(in_force: Mapping[str, str], suite: SuiteInput) -> list[dict[str, Any]]:
    """Policy versions that labels rest on, with whether each is in force."""
    counts = Counter(
        version for truth in suite.truths if truth.record for version in truth.record.policies
    )
    current = set(in_force.values())
    return [
        {"version": version, "cases": counts[version], "in_force": version in current}
        for version in sorted(counts)
    ]


def _reasons(suite: SuiteInput) -> list[tuple[str, int]]:
    counts = Counter(reason for truth in suite.truths for reason in _of(truth))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _of(truth: EffectiveTruth) -> tuple[str, ...]:
    return () if truth.exclusions else truth.not_gating
