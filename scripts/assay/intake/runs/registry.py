"""The formats of runs, and which of them a file has."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError, UsageError
from assay.intake.document import Document
from assay.intake.runs.foreign import advice, describe, is_eval_set
from assay.intake.runs.format import Format
from assay.intake.runs.formats.adk import inference as adk_inference
from assay.intake.runs.formats.adk import invocations as adk_invocations
from assay.intake.runs.formats.adk import platform as agent_platform
from assay.intake.runs.formats.adk import result as adk_result
from assay.intake.runs.formats.adk import session as adk_session
from assay.intake.runs.formats.adk import trace as adk_trace
from assay.intake.runs.formats.adk import trpc
from assay.intake.runs.formats.messages import (
    anthropic_messages,
    inspect_log,
    langchain_messages,
    langgraph_states,
    openai_chat,
    openai_responses,
    tau2,
    tau_bench,
)
from assay.intake.runs.formats.records import (
    assetops,
    native,
    smart_grid,
    table,
    vertex_trajectory,
)
from assay.intake.runs.formats.spans import (
    langsmith,
    mcp_session,
    openai_agents,
    openinference,
    otel_genai,
)

_MODULES = (
    adk_inference,
    adk_invocations,
    adk_result,
    adk_session,
    adk_trace,
    agent_platform,
    anthropic_messages,
    assetops,
    inspect_log,
    langchain_messages,
    langgraph_states,
    langsmith,
    mcp_session,
    openai_agents,
    openai_chat,
    openai_responses,
    openinference,
    otel_genai,
    smart_grid,
    table,
    tau2,
    tau_bench,
    trpc,
    vertex_trajectory,
)

FORMATS: tuple[Format, ...] = (
    *(
        Format(
            module.NAME,
            module.TITLE,
            module.fits,
            module.read,
            module.STREAMS,
            getattr(module, "opens", None),
            getattr(module, "takes", None),
            getattr(module, "load", None),
        )
        for module in _MODULES
    ),
    Format(native.NAME, native.TITLE, native.fits, None, native.STREAMS),
)
"""All formats. At most one of them fits a file."""


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: there is none.
    """
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(sorted(known.name for known in FORMATS))
    raise UsageError(f"There is no format `{name}`.", hint=f"--from takes one of: {names}")


def opener(path: Path) -> Format | None:
    """The format of a file that only its own reader can open; None for every other file."""
    return next((known for known in FORMATS if known.opens is not None and known.opens(path)), None)


class NoFormatError(InputError):
    """No format of runs fits a file."""


def detect(document: Document) -> Format:
    """The format that a file has.

    Raises:
        NoFormatError: none fits; the message says what was tried and what the file looks like.
        InputError: several fit.
    """
    found = [known for known in FORMATS if fits(known, document)]
    if len(found) == 1:
        return found[0]
    name = document.source.name
    if found:
        names = " and ".join(known.name for known in found)
        raise document.first.error(
            f"The file could be {names}.", f"assay runs import {name} --from {found[0].name}"
        )
    if is_eval_set(document) and not document.first.has("eval_case_results"):
        raise _no_format(
            document,
            "The file holds eval cases and no recorded run.",
            f"assay cases import {name} --out cases",
        )
    tried = ", ".join(known.name for known in FORMATS)
    raise _no_format(
        document,
        f"No format of runs fits. The file looks like {describe(document)}. Tried: {tried}.",
        advice(document),
    )


def _no_format(document: Document, message: str, hint: str) -> NoFormatError:
    first = document.first
    return NoFormatError(
        message, hint=hint, path=document.source.name, line=first.line, pointer=first.pointer
    )


def fits(known: Format, document: Document) -> bool:
    """Whether the document has this format."""
    try:
        return known.fits(document)
    except InputError:
        return False


def takes(known: Format, document: Document) -> bool:
    """Whether further records of a file of this format can be read."""
    try:
        return known.fits(document) or (known.takes is not None and known.takes(document))
    except InputError:
        return False
