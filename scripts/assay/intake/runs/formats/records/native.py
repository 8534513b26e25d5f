"""The project's own lines: one observed run a line, as ``runs/<suite>/<run>.jsonl`` holds them."""

from __future__ import annotations

from assay.files.model_text import data_text, shallow
from assay.files.validation import validate
from assay.intake.document import Document
from assay.intake.node import Node
from assay.models.run import ObservedRun

NAME = "native"
TITLE = "observed runs, one a line (what this command writes)"
STREAMS = True


def fits(document: Document) -> bool:
    """Whether the file holds observed runs."""
    records = document.records
    return (
        document.layout != "table"
        and bool(records)
        and all(
            record.has_all("run", "case_id") and not record.has("passed", "messages", "traj")
            for record in records
        )
    )


def read_run(node: Node) -> ObservedRun:
    """The run of a line.

    Raises:
        InputError: it is none.
    """
    run, problems = validate(ObservedRun, node.value)
    if run is not None:
        return run
    first = problems[0]
    raise Node(None, node.source, node.pointer + first.pointer, node.line).error(
        first.message, first.hint
    )


def run_line(run: ObservedRun) -> str:
    """The canonical line of a run: fields in the order of the model, defaults left out, exact
    numbers, no line feed at the end.
    """
    return data_text(shallow(run))
