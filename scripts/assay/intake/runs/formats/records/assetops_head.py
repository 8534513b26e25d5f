"""What the records of AssetOpsBench have in common: case, agent, model, question, answer."""

from __future__ import annotations

from assay.intake.node import Node, shorten
from assay.intake.runs.formats.records.cut import kept, name_cut
from assay.intake.runs.imported import RawRun, Turn
from assay.models.run import RunField

CANNOT: frozenset[RunField] = frozenset({"final_state", "cost"})
"""What these records have no place for."""

HEAD = frozenset({"_note", "run_id", "scenario_id", "id", "runner", "model", "trajectory"})
"""Fields that every record may have."""


def head(record: Node, *unknown: RunField) -> RawRun:
    """A run with what stands at the top of every record; its note is reported."""
    raw = RawRun(record, unknown={*CANNOT, *unknown})
    for name in ("scenario_id", "id"):
        found = record.get(name)
        if found is not None:
            whole = isinstance(found.value, int)
            raw.case_id = str(found.whole()) if whole else found.text(empty=False)
            break
    for name, field in (("run_id", "trace_id"), ("runner", "agent"), ("model", "model")):
        given = record.get(name)
        if given is not None:
            setattr(raw, field, given.text() or None)
    note = record.get("_note")
    if note is not None:
        record.source.note(
            "IRU025",
            f"Whoever passed this record on says: {shorten(note.text(), 240)}",
            node=note,
            case_id=raw.case_id,
        )
    return raw


def asked(record: Node, raw: RawRun) -> Turn:
    """The one turn of a record: the question and the answer; a cut answer is unknown."""
    turn = Turn(record.need("question").text())
    raw.turns = [turn]
    answer = record.get("answer")
    if answer is not None:
        rest = kept(answer.text())
        turn.answer = (answer.text() if rest is None else rest) or None
        if rest is not None:
            raw.unknown |= {"answer", "final_answer"}
            name_cut(answer, raw)
    return turn
