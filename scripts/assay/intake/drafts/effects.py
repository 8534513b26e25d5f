"""Which tools write: from a catalogue, from the caller, else from the verb in the name.

Trace files do not say it. In this order: the caller names the tools that write; a catalogue
``tools.yaml`` beside the file says it; the first word of the name that is a known verb and no
common noun. A tool
whose name has none is taken to write, with a warning: a draft that asks for too much is seen at
once, one that asks for too little passes runs that did nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.files.yamls import read_yaml
from assay.ledger.toolnames import ToolNames
from assay.models.catalog import Tool, ToolCatalog

CATALOGUE = "tools.yaml"

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_READS = re.compile(
    "analy[sz]e|ask|browse|calculate|check|compare|compute|convert|count|describe|detect|estimate"
    "|evaluate|explain|extract|fetch|filter|find|forecast|get|inspect|list|load|look|lookup"
    "|monitor|predict|preview|query|read|recommend|retrieve|search|show|summari[sz]e|think|trace"
    "|track|translate|validate|verify|view"
)
_WRITES = re.compile(
    "add|apply|approve|archive|assign|authori[sz]e|block|book|buy|cancel|change|charge|clear"
    "|close|commit|complete|configure|confirm|create|credit|deactivate|debit|delete|deploy"
    "|disable|dispatch|edit|enable|enroll|escalate|exchange|execute|grant|insert|invite|issue"
    "|mark|memorize|merge|modify|move|notify|open|patch|pause|pay|post|publish|purchase|put"
    "|refund|register|reject|release|remove|rename|renew|replace|reply|reschedule|reserve|reset"
    "|resolve|restart|restore|resume|return|revoke|save|schedule|send|set|ship|start|stop|store"
    "|submit|subscribe|suspend|switch|toggle|transfer|trigger|unlock|unsubscribe|update|upgrade"
    "|upload|upsert|withdraw|write"
)
_HANDS_OVER = re.compile(r"(transfer|escalate|handoff|hand_off)_to_")

Ground = Literal["caller", "catalogue", "name", "guess"]


@dataclass(frozen=True)
class Effect:
    """Whether a tool writes, and how that is known."""

    writes: bool
    """Whether a call changes the world."""
    ground: Ground
    """How that is known."""


def verb_effect(name: str) -> bool | None:
    """Whether the verb in a tool's name writes; None where there is no known verb.

    A name that hands the conversation over, such as ``transfer_to_human``, writes nothing.
    """
    bare = re.split(r"__|/", name)[-1]
    if _HANDS_OVER.match(bare):
        return False
    for word in _WORD.findall(bare):
        if _READS.fullmatch(word.lower()):
            return False
        if _WRITES.fullmatch(word.lower()):
            return True
    return None


def read_catalogue(beside: Path) -> ToolCatalog:
    """The catalogue that lies in the same folder as a file; an empty one where none does.

    Raises:
        InputError: it is wrong.
    """
    path = beside.parent / CATALOGUE
    return read_yaml(path).require(ToolCatalog) if path.is_file() else ToolCatalog()


def effects(
    names: Iterable[str], writes: Iterable[str], catalogue: ToolCatalog
) -> dict[str, Effect]:
    """Tool name to its effect, sorted by name.

    Args:
        names: every tool that is mentioned.
        writes: tools that the caller says to write; they need not be mentioned.
        catalogue: what is known of tools.
    """
    named = frozenset(writes)
    known = ToolNames.from_catalog(catalogue)
    result: dict[str, Effect] = {}
    for name in sorted({*names, *named}):
        result[name] = _effect(name, named, known)
    return result


def _effect(name: str, named: frozenset[str], known: ToolNames) -> Effect:
    if name in named:
        return Effect(True, "caller")
    entries = [known.tool(key) for key in known.canonical(name)]
    listed = [entry for entry in entries if entry is not None]
    if listed:
        return Effect(any(entry.effect == "writes" for entry in listed), "catalogue")
    verb = verb_effect(name)
    return Effect(True, "guess") if verb is None else Effect(verb, "name")


def catalogue_of(found: dict[str, Effect], beside: ToolCatalog) -> ToolCatalog:
    """A catalogue of every tool: what was found beside the file, and the others by name."""
    known = {tool.name for tool in beside.tools}
    names = ToolNames.from_catalog(beside)
    added = [
        Tool(name=name, effect="writes" if effect.writes else "reads")
        for name, effect in found.items()
        if name not in known and not names.canonical(name)
    ]
    return beside.model_copy(update={"tools": (*beside.tools, *added)})
