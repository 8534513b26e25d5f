"""Plain verdicts: a table, or JSON objects, of ``case_id, passed[, score][, trial]``.

A slice, and a template or cluster, may stand beside them.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

from assay.intake.document import Document
from assay.intake.node import Node
from assay.intake.opening.feed import open_document
from assay.intake.runs.format import Format
from assay.intake.runs.imported import ALL_FIELDS, Piece, RawRun, RunImport

NAME = "table"
TITLE = "plain CSV, JSON or JSONL of `case_id, passed[, score][, trial]`"
STREAMS = True

_YES = frozenset({"true", "1", "yes", "y", "pass", "passed"})
_NO = frozenset({"false", "0", "no", "n", "fail", "failed"})
_OPEN = frozenset({"", "none", "null", "n/a", "na", "skipped", "not_evaluated", "not evaluated"})
_BROKEN = frozenset({"error", "errored"})
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_KNOWN = ("case_id", "passed", "score", "trial", "agent", "model", "run")
_GROUPS = ("slice", "template", "cluster")


def read_table(path: Path) -> RunImport:
    """Read a file that is known to be such a table, without a look at any other format.

    Raises:
        InputError: it cannot be read.
    """
    from assay.intake.runs.read import RunOptions, read_document

    used = Format(NAME, TITLE, fits, read, STREAMS)
    return read_document(open_document(path), used, RunOptions())


def fits(document: Document) -> bool:
    """Whether the file is such a table."""
    if document.layout == "table":
        return {"case_id", "passed"} <= set(document.columns)
    records = document.records
    return bool(records) and all(
        record.has_all("case_id", "passed") and not record.has("messages", "turns", "traj")
        for record in records
    )


def read(document: Document) -> list[Piece]:
    """One run for every row. Nothing but the verdict is known of it."""
    source = document.source
    names = document.columns or tuple(
        sorted({key for record in document.records for key in record.object()})
    )
    for name in names:
        if name not in (*_KNOWN, *_GROUPS):
            source.drop(f"column `{name}`", len(document.records))
    if document.records:
        source.note(
            "IRU013",
            "Nothing but verdicts came with the data; truth cannot be applied to them.",
            hint="compare two such files, or import the traces themselves",
        )
    return [(record, _row) for record in document.records]


def _row(node: Node) -> RawRun:
    source = node.source
    raw = RawRun(node, unknown=set(ALL_FIELDS))
    case_id = node.need("case_id")
    raw.case_id = (
        str(case_id.whole()) if isinstance(case_id.value, int) else case_id.text(empty=False)
    )
    trial = _cell(node, "trial")
    raw.trial = Node(_number(trial), source, trial.pointer, node.line).whole() if trial else None
    for name in ("agent", "model"):
        given = _cell(node, name)
        if given is not None:
            setattr(raw, name, given.text())
    raw.slice = _group(node, "slice")
    raw.cluster = _group(node, "cluster") or _group(node, "template")
    passed = _cell(node, "passed")
    word = "" if passed is None or passed.value is None else str(passed.value).strip().lower()
    if word in _BROKEN:
        raw.infrastructure_errors.append("The data says that the harness failed.")
    elif passed is None or word in _OPEN:
        source.note("IRU011", "The row has no verdict.", node=node, case_id=raw.case_id)
    else:
        raw.outcome = _verdict(passed)
    score = _cell(node, "score")
    raw.score = _number(score) if score is not None else None
    return raw


def _cell(node: Node, name: str) -> Node | None:
    """A cell that holds something; an empty cell of a table holds nothing."""
    given = node.get(name)
    return None if given is None or given.value == "" else given


def _group(node: Node, name: str) -> str | None:
    """The name of a group; a number is taken as it is written."""
    cell = _cell(node, name)
    if cell is None or cell.value is None:
        return None
    if isinstance(cell.value, int | Decimal) and not isinstance(cell.value, bool):
        return str(cell.value)
    return cell.text().strip() or None


def _verdict(node: Node) -> bool:
    value = node.value
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _YES or word in _NO:
        return word in _YES
    raise node.error(f"`passed` is {word[:40]!r}.", "write true or false, error, or nothing")


def _number(node: Node) -> int | Decimal:
    if not isinstance(node.value, str):
        return node.number()
    text = node.value.strip()
    if not _NUMBER.fullmatch(text):
        raise node.error(f"{node.name} is {text[:40]!r}, which is no number.", "write 0.5")
    return Decimal(text)
