"""What a file looks like that no importer reads: a name for it, so that the refusal helps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.intake.document import Document
from assay.intake.node import Node, shorten

_SHOWN = 8
_WRITE = "write one of the formats in docs/formats/README.md; openai-chat takes plain messages"
_VERDICTS = frozenset({"correct", "is_correct", "label", "outcome", "pass", "result", "success"})
"""Columns in which other tools write what `passed` means here."""
_CASES = frozenset({"case", "case_name", "eval_id", "example_id", "id", "task_id", "test_case"})
"""Columns in which other tools write what `case_id` means here."""


def describe(document: Document) -> str:
    """What the file looks like, in words."""
    if document.layout == "table":
        return f"a table with the columns {_listed(document.columns)}"
    first = _first(document)
    known = _known(first)
    if known is not None:
        return known.words
    if isinstance(first.value, dict):
        keys = _listed(tuple(f"`{key}`" for key in first.value)) or "no fields"
        return f"{'objects' if first is not document.first else 'an object'} with {keys}"
    return "an empty list" if document.first.value == [] else "no object at all"


def advice(document: Document) -> str:
    """What to type or write next."""
    if document.layout == "table":
        return _rename(document.columns)
    known = _known(_first(document))
    return known.hint if known is not None else _WRITE


def _first(document: Document) -> Node:
    records = document.records
    return records[0] if records else document.first


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - _SHOWN
    shown = ", ".join(shorten(name, 40) for name in names[:_SHOWN])
    return f"{shown} and {more} more" if more > 0 else shown


def _rename(columns: tuple[str, ...]) -> str:
    """How the columns become those of a table of verdicts, where it is plain which they are."""
    pairs = []
    for wanted, others in (("case_id", _CASES), ("passed", _VERDICTS)):
        found = [name for name in columns if name.lower() in others]
        if wanted not in columns and len(found) == 1:
            pairs.append(f"`{found[0]}` to {wanted}")
        elif wanted not in columns:
            return "a table of verdicts needs the columns case_id and passed: docs/formats/table.md"
    return f"rename the columns: {' and '.join(pairs)} (docs/formats/table.md)"


@dataclass(frozen=True)
class _Known:
    """Something that is no run, or that nobody reads."""

    words: str
    fits: Callable[[Node], bool]
    hint: str


def _known(first: Node) -> _Known | None:
    if not isinstance(first.value, dict):
        return None
    return next((known for known in _KNOWN if known.fits(first)), None)


def is_eval_set(document: Document) -> bool:
    """Whether the file holds cases, not runs."""
    records = document.records
    return bool(records) and all(
        record.has("eval_cases", "query") or (record.has("eval_id") and record.has("conversation"))
        for record in records
    )


def _spans(node: Node) -> bool:
    return node.has("resource_spans") or node.has_all("start_time", "end_time", "attributes")


def _runs_beside(node: Node) -> bool:
    """Notes of a harness about runs that lie elsewhere."""
    return node.has("output_path") or node.has_all("run_name", "total_runs")


def _answers(node: Node) -> bool:
    """Cases of other benchmarks: what is asked, and what would be right."""
    if node.has("planning_steps", "execution_steps"):
        return True
    return node.has("text", "utterance") and node.has(
        "characteristic_form", "expected_tools", "ground_truth", "success_criteria"
    )


_RUNS = "import the runs themselves; assay runs import FOLDER leaves files like this one out"

_KNOWN: tuple[_Known, ...] = (
    _Known("OpenTelemetry spans without an agent in them", _spans, _WRITE),
    _Known("a judge's verdict on a run, which is no run", lambda n: n.has("judge_model"), _RUNS),
    _Known("a harness's notes about runs, which are no runs", _runs_beside, _RUNS),
    _Known(
        "scenarios or plans: what is asked and expected, not what an agent did",
        _answers,
        "import the runs that answer them",
    ),
    _Known("a JSON Schema", lambda n: "$schema" in n.object(), _WRITE),
)
