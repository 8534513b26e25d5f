"""Where pages lie, and names for places on them."""

from __future__ import annotations

import re

from assay.models.base import CASE_ID_PATTERN

_CASE = re.compile(CASE_ID_PATTERN)
_SUITE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def suite_page(suite: str) -> str | None:
    """Path of the page with all cases of a suite; none for a name that is no safe file name."""
    return f"suites/{suite}.html" if _SUITE.fullmatch(suite) else None


def case_page(suite: str, case_id: str) -> str | None:
    """Path of a case's page below the report; none for a name that is no safe file name."""
    if _SUITE.fullmatch(suite) and _CASE.fullmatch(case_id):
        return f"cases/{suite}/{case_id}.html"
    return None
