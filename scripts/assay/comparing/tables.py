"""Plain verdicts of any tool: ``case_id, passed[, score][, trial][, slice][, template]``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from assay.errors import InputError
from assay.intake.node import Node
from assay.intake.runs.formats.records.table import cell, number, verdict


@dataclass(frozen=True)
class VerdictRow:
    """One row: one case in one trial."""

    case_id: str
    """The case, as the tool calls it."""
    passed: bool | None = None
    """The verdict; none where the cell is empty: no verdict was formed."""
    score: Fraction | None = None
    """A graded score, exact."""
    trial: int | None = None
    """Zero-based trial; none where the table does not say: rows of a case then count up."""
    slice: str | None = None
    """What the case is grouped by in the comparison."""
    template: str | None = None
    """Cases with one template are not independent."""
    line: int | None = None
    """Where the row stands."""


def rows_of(nodes: Iterable[Node]) -> list[VerdictRow]:
    """The rows of a table, or of JSON objects, that was opened.

    Args:
        nodes: ``records`` of a document of `assay.intake.opening.feed.open_document`.

    Raises:
        InputError: a row has no case, or a cell is not what it should be.
    """
    return [_row(node) for node in nodes]


def _row(node: Node) -> VerdictRow:
    passed, score, trial = (cell(node, name) for name in ("passed", "score", "trial"))
    where = None if trial is None else number(trial)
    if trial is not None and (where != int(where or 0) or int(where or 0) < 0):
        raise trial.error(f"`trial` is {trial.value}.", "write 0, 1, 2 …")
    return VerdictRow(
        _name(node.need("case_id")),
        None if passed is None else verdict(passed),
        None if score is None else Fraction(number(score)),
        None if where is None else int(where),
        _optional(node, "slice"),
        _optional(node, "template"),
        node.line,
    )


def _optional(node: Node, name: str) -> str | None:
    given = cell(node, name)
    return None if given is None else _name(given)


def _name(node: Node) -> str:
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        return str(node.value)
    return node.text(empty=False)


def doubled(name: str, row: VerdictRow) -> InputError:
    """Two rows for one trial of one case."""
    return InputError(
        f"A second row for case {row.case_id}, trial {row.trial}.",
        path=name,
        line=row.line,
        hint="give each repetition its own `trial`, or drop one",
    )
