"""From a file of eval cases to canonical eval sets: detection, reading, ids, findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from assay.errors import InputError
from assay.files.validation import validate
from assay.intake.cases.adk import eval_case, eval_set, legacy_sets, read_each
from assay.intake.cases.identity import Identities
from assay.intake.cases.imported import CaseImport, RawCase, RawSet
from assay.intake.cases.platform import is_platform_case, platform_set
from assay.intake.cases.results import result_set
from assay.intake.cases.review import review
from assay.intake.codes import finding, sorted_findings
from assay.intake.document import Document
from assay.intake.ids import stem
from assay.intake.node import Node, Source
from assay.intake.opening.feed import open_document
from assay.models.case import CaseAttributes, EvalCase, EvalSet
from assay.models.finding import Finding

_SESSION = ("session_input", "rubrics", "conversation_scenario", "final_session_state")
_SHAPES: dict[str, tuple[str, ...]] = {
    "adk-evalset": (),
    "adk-cases": (),
    "adk-legacy": ("eval_id", "rubrics", "conversation_scenario", "final_session_state"),
    "adk-evalset-result": _SESSION,
    "agent-platform": ("session_input", "conversation_scenario", "final_session_state"),
}
"""Shape to the fields that it has no place for."""


def read_cases(
    path: Path,
    *,
    name: str | None = None,
    slice_name: str = "imported",
    identities: Identities | None = None,
) -> CaseImport:
    """Read a file of eval cases, whatever shape it has.

    Args:
        path: the file.
        name: its name for messages.
        slice_name: the slice that the cases' attributes name.
        identities: ids that other files of the same import took already.

    Raises:
        InputError: the file cannot be read, or is no file of cases; what is wrong with a
            single case is a finding.
    """
    document = open_document(path, name=name)
    source = document.source
    with source.placed():
        shape, sets = _read(document)
    ids = identities if identities is not None else Identities()
    attributes: dict[str, CaseAttributes] = {}
    finished: list[EvalSet] = []
    for raw_set in sets:
        cases: list[EvalCase] = []
        for raw in raw_set.cases:
            case = _finish(raw, raw_set.set_id, ids, source)
            if case is None:
                continue
            cases.append(case[0])
            attributes[case[0].eval_id] = CaseAttributes(
                slice=slice_name,
                # Nothing tells which cases were made alike: each is a cluster of its own.
                template=case[0].eval_id,
                source_id=case[1],
                data=raw.extra or None,
            )
        if not raw_set.cases:
            source.note("ICA025", f"The eval set `{raw_set.set_id}` has no cases.")
        finished.append(_eval_set(raw_set, cases, source))
    _spelling(source)
    return CaseImport(
        eval_sets=tuple(finished),
        attributes=attributes,
        shape=shape,
        read=sum(len(eval_set.eval_cases) for eval_set in finished),
        dropped=dict(sorted(source.dropped.items())),
        unknown=_SHAPES[shape],
        findings=merged(source.findings()),
    )


def _read(document: Document) -> tuple[str, list[RawSet]]:
    """The shape of the file and its sets.

    Raises:
        InputError: it has no shape that is known.
    """
    first = document.first
    for shape, fits, read in _READERS:
        if document.layout != "table" and fits(document):
            return shape, read(document)
    raise first.error(
        f"This is no file of eval cases: {_looks(document)}.",
        "an eval set has `eval_set_id` and `eval_cases`; recorded runs go to `assay runs import`",
    )


def _looks(document: Document) -> str:
    first = document.records[0] if document.records else document.first
    if document.layout == "table":
        return f"a table with the columns {', '.join(document.columns[:8])}"
    if isinstance(first.value, dict):
        keys = ", ".join(f"`{key}`" for key in list(first.value)[:8])
        where = "objects" if first is not document.first else "an object"
        return f"it holds {where} with {keys or 'no fields'}"
    return "it holds no object"


def _sets(document: Document) -> list[RawSet]:
    return [
        platform_set(node) if _is_platform(node) else eval_set(node) for node in document.records
    ]


def _is_platform(node: Node) -> bool:
    cases = node.get("eval_cases") if node.has("eval_cases") else None
    listed = cases.items() if cases is not None and isinstance(cases.value, list) else []
    return bool(listed) and all(is_platform_case(item) for item in listed)


def _bare_cases(document: Document) -> list[RawSet]:
    source = document.source
    set_id = stem(source.name)
    source.note("ICA027", f"The cases stand in no eval set; the file's name stands in: {set_id}.")
    cases: list[RawCase] = read_each(list(document.records), source, eval_case)
    return [RawSet(set_id, cases)]


def _all(document: Document, *names: str) -> bool:
    records = document.records
    return bool(records) and all(record.has(*names) for record in records)


def _is_legacy(document: Document) -> bool:
    if document.layout != "json" or not isinstance(document.first.value, list):
        return False
    items = document.records
    return bool(items) and all(
        item.has("query")
        or item.has("data")
        or (isinstance(item.value, list) and all(turn.has("query") for turn in item.items()))
        for item in items
    )


_READERS: tuple[tuple[str, Callable[[Document], bool], Callable[[Document], list[RawSet]]], ...] = (
    (
        "adk-evalset-result",
        lambda d: _all(d, "eval_case_results"),
        lambda d: [result_set(node) for node in d.records],
    ),
    (
        "agent-platform",
        lambda d: bool(d.records) and all(_is_platform(node) for node in d.records),
        _sets,
    ),
    ("adk-evalset", lambda d: _all(d, "eval_cases"), _sets),
    ("adk-cases", lambda d: _all(d, "eval_id"), _bare_cases),
    ("adk-legacy", _is_legacy, legacy_sets),
)


def _finish(
    raw: RawCase, set_id: str, ids: Identities, source: Source
) -> tuple[EvalCase, str | None] | None:
    """The case under its final id and the foreign id; None where it was left out."""
    assigned = ids.assign(raw, set_id, source)
    if assigned is None:
        return None
    case_id, source_id = assigned
    case, problems = validate(EvalCase, {"eval_id": case_id, **raw.fields})
    if case is None:
        source.drop("case that cannot be read")
        first = problems[0]
        error = InputError(
            first.message,
            hint=first.hint,
            path=source.name,
            line=raw.line,
            pointer=raw.pointer + first.pointer,
        )
        source.failed(error, "ICA002")
        return None
    review(case, raw.pointer, raw.line, source)
    return case, source_id


def _eval_set(raw: RawSet, cases: list[EvalCase], source: Source) -> EvalSet:
    made, problems = validate(EvalSet, {"eval_set_id": raw.set_id, **raw.fields})
    if made is None:
        raise InputError(problems[0].message, hint=problems[0].hint, path=source.name)
    return made.model_copy(update={"eval_cases": tuple(cases)})


def _spelling(source: Source) -> None:
    if source.camel:
        source.note(
            "ICA010",
            "Keys are written in camelCase; they became snake_case.",
            count=len(source.camel),
        )
    if source.nulls:
        source.note("ICA018", "Fields that hold null were left out.", count=len(source.nulls))


_ONCE = frozenset({"ICA012", "ICA013", "ICA014", "ICA019"})


def merged(findings: list[Finding]) -> tuple[Finding, ...]:
    """Findings in order; those that only say how a file is spelt stand there once, counted."""
    counts: dict[str, int] = defaultdict(int)
    firsts: dict[str, Finding] = {}
    rest: list[Finding] = []
    for item in findings:
        if item.code in _ONCE:
            counts[item.code] += item.count
            firsts.setdefault(item.code, item)
        else:
            rest.append(item)
    for code, first in firsts.items():
        rest.append(
            finding(
                code,
                first.message,
                path=first.path,
                line=first.line,
                column=first.column,
                pointer=first.pointer,
                count=counts[code],
            )
        )
    return sorted_findings(rest)
