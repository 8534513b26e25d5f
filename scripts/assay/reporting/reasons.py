"""Why cases are not scored: a short label and the next command for each code or status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.models.result import ExcludedCase


@dataclass(frozen=True)
class Reason:
    """How one kind of exclusion is called, and what helps."""

    label: str
    """Two or three words, lower case."""
    command: str
    """What to type next; ``{case}`` is the first case concerned, ``{code}`` the code."""


BY_STATUS: dict[str, Reason] = {
    "draft": Reason("draft only", "assay truth show --status draft"),
    "disputed": Reason("disputed", "assay truth show {case}"),
    "retired": Reason("retired", "assay truth show {case}"),
}
"""For exclusions that follow from the status alone."""

BY_CODE: dict[str, Reason] = {
    "CAS001": Reason("case changed", "assay check --select CAS001"),
    "EXP001": Reason("expired", "assay truth expiry"),
    "POL001": Reason("policy moved", "assay check --select POL001"),
    "STA002": Reason("no record", "assay new {case}"),
    "STA003": Reason("case gone", "assay truth show {case}"),
    "TOL006": Reason("tool was split", "assay check --select TOL006"),
}
"""For codes that exclude."""

_TITLE = 28


def reason_for(
    excluded: ExcludedCase,
    titles: Mapping[str, str],
    known: Mapping[str, Reason] = BY_CODE,
) -> tuple[str, Reason]:
    """The code that a case is counted under, and how that is called.

    A case with several codes counts once, under the first; its status decides where it says
    enough (draft, disputed, retired).

    Args:
        excluded: the case with its codes, in order.
        titles: code to title, used where it is short and `known` has nothing.
        known: code to label and command.
    """
    code = excluded.codes[0] if excluded.codes else ""
    if excluded.status in BY_STATUS:
        return code, BY_STATUS[excluded.status]
    if code in known:
        return code, known[code]
    title = titles.get(code, "").replace("`", "").strip().rstrip(".")
    if title and len(title) <= _TITLE:
        label = title[:1].lower() + title[1:]
    else:
        label = f"faulty, {code}" if code else "no reason given"
    return code, Reason(label, "assay check --select {code}" if code else "assay check")
