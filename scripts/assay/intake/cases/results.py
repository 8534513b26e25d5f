"""The cases that a result file of the ADK or of tRPC-Agent holds.

A result repeats, for every turn, the invocation that was expected. Session, rubrics and
scenario of the case do not stand there: they are unknown.
"""

from __future__ import annotations

from shlex import quote

from assay.files.canonical import canonical_json
from assay.intake.cases.adk import read_each, text_id
from assay.intake.cases.imported import RawCase, RawSet
from assay.intake.cases.turns import Turns
from assay.intake.ids import stem
from assay.intake.node import Node
from assay.models.base import JsonValue


def result_set(node: Node) -> RawSet:
    """The eval set that a result file was made from, as far as it can be told.

    Raises:
        InputError: it has no list of results.
    """
    source = node.source
    source.note(
        "ICA016",
        "The file holds results; the cases were rebuilt from what was expected there.",
        hint=f"assay runs import {quote(source.name)} --out runs",
    )
    cases = read_each(node.need("eval_case_results").items(), source, _case)
    kept: list[RawCase] = []
    seen: set[tuple[str | None, str]] = set()
    for raw in cases:
        key = (raw.source_id, canonical_json(raw.fields))
        if key in seen:
            source.drop("further result of the same case")
            continue
        seen.add(key)
        kept.append(raw)
    return RawSet(text_id(node.get("eval_set_id")) or stem(source.name), kept)


def _case(node: Node) -> RawCase:
    raw = RawCase(text_id(node.need("eval_id")), {}, pointer=node.pointer, line=node.line)
    turns = Turns(node.pointer, raw.extra)
    conversation: list[JsonValue] = []
    for item in node.need("eval_metric_result_per_invocation").items():
        expected = item.get("expected_invocation")
        if expected is None:
            # Without an expectation only what the user said belongs to the case.
            said = item.need("actual_invocation").need("user_content")
            conversation.append({"user_content": turns.message(said, "user")})
        else:
            conversation.append(turns.turn(expected))
    if conversation:
        raw.fields["conversation"] = conversation
    return raw
