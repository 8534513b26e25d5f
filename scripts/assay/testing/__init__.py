"""Testing an agent of one's own against a benchmark: in pytest, or in a plain script.

What is here is imported when it is first used: the plugin is loaded into every session of pytest
in an environment that has the package, and must cost nothing there.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.testing.case import AssayCase
    from assay.testing.conversation import Conversation, Reply
    from assay.testing.loading import CaseList, load_cases
    from assay.testing.outcomes import (
        CaseFailedError,
        InfrastructureError,
        NotEvaluatedError,
        Verdict,
    )
    from assay.testing.task import Task, ToolSchema

__all__ = [
    "AssayCase",
    "CaseFailedError",
    "CaseList",
    "Conversation",
    "InfrastructureError",
    "NotEvaluatedError",
    "Reply",
    "Task",
    "ToolSchema",
    "Verdict",
    "load_cases",
]

_HOMES = {
    "AssayCase": "case",
    "CaseFailedError": "outcomes",
    "CaseList": "loading",
    "Conversation": "conversation",
    "InfrastructureError": "outcomes",
    "NotEvaluatedError": "outcomes",
    "Reply": "conversation",
    "Task": "task",
    "ToolSchema": "task",
    "Verdict": "outcomes",
    "load_cases": "loading",
}


def __getattr__(name: str) -> Any:
    """A public name, imported now."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
