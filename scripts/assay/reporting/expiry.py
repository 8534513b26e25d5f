"""Labels that end, as a table, JSON or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

from assay.checks.expiring import Ending, Forecast
from assay.checks.forecasting import Loss
from assay.models.base import JsonValue
from assay.reporting.words import count, left, right, safe

GROUPS = ("date", "owner", "suite")
"""What the table can be ordered by, the first one where nothing is said."""

COLUMNS = ("expires", "case_id", "suite", "status", "owner", "adjudicator", "expired")
MOST_NAMED = 4


def _group(ending: Ending, by: str) -> str:
    if by == "owner":
        return ending.owner or "nobody"
    if by == "suite":
        return ending.suite
    return "expired" if ending.expired else ending.expires[:7]


def grouped(endings: Sequence[Ending], by: str) -> list[tuple[str, list[Ending]]]:
    """Endings under what they are ordered by; what has expired comes first."""
    found: dict[str, list[Ending]] = {}
    for ending in endings:
        found.setdefault(_group(ending, by), []).append(ending)
    return sorted(found.items(), key=lambda item: (item[0] != "expired", item[0]))


def expiry_text(found: Forecast, by: str) -> str:
    """The table, what the gate loses, and the next command."""
    if not found.endings:
        return f"No label ends by {found.until}.\n"
    expired = sum(ending.expired for ending in found.endings)
    coming = len(found.endings) - expired
    lines = [
        f"On {found.today}: {count(expired, 'label')} expired{' (*)' if expired else ''},"
        f" {coming:,} more by {found.until}."
    ]
    wide = max(len(safe(ending.case_id)) for ending in found.endings)
    for name, endings in grouped(found.endings, by):
        lines += ["", f"{safe(name)}  ({len(endings):,})"]
        lines += [_row(ending, wide) for ending in endings]
    lines += ["", *_losses(found)]
    lines += ["", f"Next  {_command(found.endings)}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(ending: Ending, wide: int) -> str:
    who = f"owner {ending.owner}" if ending.owner else "no owner"
    signs = f", signs {ending.adjudicator}" if ending.adjudicator else ""
    mark = "*" if ending.expired else " "
    day = f"{ending.expires}{mark} {left(safe(ending.case_id), wide)}"
    return f"  {day}  {left(ending.status, 6)}  {safe(ending.suite)}  {safe(who + signs)}"


def _losses(found: Forecast) -> list[str]:
    if not found.losses:
        return []
    wide = max(5, *(len(safe(loss.suite)) for loss in found.losses))
    lines = [
        f"The gate on {found.until}, if nothing is done",
        f"  {left('suite', wide)}  {right('gates', 13)}  {right('coverage', 17)}  floor",
    ]
    for loss in found.losses:
        gates = f"{loss.before:,} → {loss.after:,}"
        coverage = f"{_share(loss, loss.before)} → {_share(loss, loss.after)} %"
        floor = f"{_percent(loss.floor)} %" if loss.floor is not None else "–"
        refuses = "  the gate then refuses" if loss.refuses else ""
        lines.append(
            f"  {left(safe(loss.suite), wide)}  {right(gates, 13)}  {right(coverage, 17)}"
            f"  {floor}{refuses}"
        )
    return lines


def _share(loss: Loss, number: int) -> str:
    return _percent(Fraction(number, loss.cases)) if loss.cases else "–"


def _percent(share: Fraction) -> str:
    tenths = (share * 1000 + Fraction(1, 2)).__floor__()
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else f"{tenths // 10}"


def _command(endings: Sequence[Ending]) -> str:
    if len(endings) <= MOST_NAMED:
        return f"assay renew {' '.join(ending.case_id for ending in endings)} --until 6m"
    day = endings[0].expires
    return f"assay renew --where expires={day} --until 6m --dry-run"


def expiry_json(found: Forecast) -> JsonValue:
    """What ``assay truth expiry --format json`` prints."""
    return {
        "schema_version": 1,
        "today": found.today,
        "until": found.until,
        "labels": [
            {
                "case_id": ending.case_id,
                "suite": ending.suite,
                "path": ending.path,
                "status": ending.status,
                "expires": ending.expires,
                "days": ending.days,
                "owner": ending.owner,
                "adjudicator": ending.adjudicator,
                "expired": ending.expired,
            }
            for ending in found.endings
        ],
        "suites": [
            {
                "suite": loss.suite,
                "cases": loss.cases,
                "gating": loss.before,
                "gating_then": loss.after,
                "refuses_then": loss.refuses,
            }
            for loss in found.losses
        ],
    }


def expiry_csv(found: Forecast) -> str:
    """One line a label, with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for ending in found.endings:
        cells = [getattr(ending, name) for name in COLUMNS[:-1]]
        writer.writerow([*cells, "yes" if ending.expired else "no"])
    return text.getvalue()
