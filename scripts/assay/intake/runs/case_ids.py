"""Which case a run belongs to: from the format, a field, the file's name, or a mapping."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError, UsageError
from assay.intake.ids import stem
from assay.intake.node import Node
from assay.intake.opening.feed import open_document
from assay.models.base import JsonValue
from assay.models.run import ObservedRun

if TYPE_CHECKING:
    from assay.models.case import Suite

FILE_NAME = "filename"

NOTHING: Mapping[str, JsonValue] = {}

_COMPARED = 200
"""Known ids that an unknown one is compared with exactly, when there are more."""


@dataclass(frozen=True)
class CaseIds:
    """How the case of a run is found."""

    attribute: tuple[str, ...] = ()
    """Path of a field in the record, or else in what the trace says outside of it, such as
    ``("metadata", "case")`` or ``("samples", "0", "id")``.
    """
    file_name: bool = False
    """The file's name names the case."""
    mapping: Mapping[str, str] = field(default_factory=dict)
    """Id in the trace to our id; ids that are not there stay as they are."""

    def of(
        self, record: Node, named: str | None, attributes: Mapping[str, JsonValue] = NOTHING
    ) -> tuple[str, bool]:
        """Id of a run's case, and whether only the file's name gave it.

        Args:
            record: where the run stands.
            named: the case that the format names, if it does.
            attributes: what the trace says of the run outside of the record.

        Raises:
            InputError: the field that should name the case is not there.
        """
        if self.attribute:
            named = self._attribute(record, attributes)
        elif self.file_name:
            named = None
        given = named if named is not None else _from_name(record)
        return self.mapping.get(given, given), named is None and not self.file_name

    def _attribute(self, record: Node, attributes: Mapping[str, JsonValue]) -> str:
        value = value_at(record.value, self.attribute)
        if value is None and attributes:
            value = value_at(dict(attributes), self.attribute)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value:
            raise record.error(
                f"The field `{'.'.join(self.attribute)}` that should name the case is not there.",
                "choose another one with --case-id-from",
            )
        return value


def _from_name(record: Node) -> str:
    """The case that the file's name names."""
    name = stem(record.source.name)
    if name.encode("utf-8", "replace").decode("utf-8") != name:
        raise record.error(
            "The file's name is not UTF-8 and can name no case.",
            "rename the file, or name a field with --case-id-from",
        )
    return name


def value_at(value: JsonValue, steps: tuple[str, ...]) -> JsonValue:
    """The value at a path of keys and indexes; None where there is none.

    A key may hold dots: of ``session.id``, both the field `id` of `session` and the field
    ``session.id`` are looked for, the shorter key first.
    """
    if not steps:
        return value
    if isinstance(value, dict):
        for end in range(1, len(steps) + 1):
            key = ".".join(steps[:end])
            if key in value:
                found = value_at(value[key], steps[end:])
                if found is not None:
                    return found
        return None
    if isinstance(value, list) and re.fullmatch(r"[0-9]{1,9}", steps[0]):
        index = int(steps[0])
        return value_at(value[index], steps[1:]) if index < len(value) else None
    return None


def parse_case_ids(text: str | None) -> CaseIds:
    """What ``--case-id-from`` says: ``filename``, a mapping file, or the path of a field.

    A mapping file is a JSON object, a YAML mapping, or a table with the columns ``source_id`` and
    ``case_id``.

    Raises:
        InputError: the mapping file is wrong.
        UsageError: nothing was given.
    """
    if text is None:
        return CaseIds()
    if not text.strip():
        raise UsageError("--case-id-from names nothing.", hint="filename, FILE, or a field's path")
    if text == FILE_NAME:
        return CaseIds(file_name=True)
    if Path(text).suffix.lower() in (".json", ".yaml", ".yml", ".csv", ".tsv"):
        return CaseIds(mapping=read_mapping(Path(text)))
    return CaseIds(attribute=tuple(text.split(".")))


def read_mapping(path: Path) -> dict[str, str]:
    """Ids in traces to our ids.

    Raises:
        InputError: unreadable, or no mapping of text to text.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        from assay.files.yamls import read_yaml

        yaml = read_yaml(path)
        value, rows = yaml.value, None
    else:
        document = open_document(path)
        value = document.first.value
        rows = document.nodes if document.layout == "table" else None
    if rows is not None:
        return {
            row.need("source_id").text(empty=False): row.need("case_id").text(empty=False)
            for row in rows
        }
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise InputError(
            "The mapping must be an object of text to text.",
            path=path.as_posix(),
            hint='{"id in the trace": "our-case-id"}; quote numbers',
        )
    return {key: str(item) for key, item in value.items()}


@dataclass(frozen=True)
class KnownCases:
    """The cases of a suite, for traces that name them otherwise."""

    ids: frozenset[str] = frozenset()
    """Our ids."""
    by_source: Mapping[str, str] = field(default_factory=dict)
    """Foreign id to ours; foreign ids that stand for several cases are left out."""

    def resolve(self, case_id: str) -> str:
        """Our id of a case: the id itself if it is ours, else by foreign id, else unchanged."""
        return case_id if case_id in self.ids else self.by_source.get(case_id, case_id)

    def nearest(self, case_id: str) -> list[str]:
        """Known ids that look like this one, at most three."""
        candidates: Iterable[str] = sorted(self.ids)
        if len(self.ids) > _COMPARED:
            # Exact comparison takes 50 µs each: only those with most pieces in common get it.
            wanted = _pieces(case_id[:_COMPARED])
            candidates = heapq.nlargest(
                _COMPARED, candidates, key=lambda known: len(wanted & _pieces(known))
            )
        import difflib

        return difflib.get_close_matches(case_id[:_COMPARED], candidates, 3)


def _pieces(text: str) -> set[str]:
    return {text[at : at + 3] for at in range(max(len(text) - 2, 1))}


def known_cases(suites: Iterable[Suite]) -> KnownCases:
    """The cases that suites list."""
    ids: set[str] = set()
    by_source: dict[str, str] = {}
    doubled: set[str] = set()
    for suite in suites:
        for case_id, attributes in suite.cases.items():
            ids.add(case_id)
            source_id = attributes.source_id
            if source_id is None:
                continue
            if source_id in by_source:
                doubled.add(source_id)
            by_source[source_id] = case_id
    unique = {key: by_source[key] for key in sorted(by_source) if key not in doubled}
    return KnownCases(frozenset(ids), unique)


def resolve_cases(runs: Iterable[ObservedRun], cases: KnownCases) -> tuple[ObservedRun, ...]:
    """Runs under our case ids; unknown ids stay as they are. By case and trial."""
    resolved = [run.model_copy(update={"case_id": cases.resolve(run.case_id)}) for run in runs]
    return tuple(sorted(resolved, key=lambda run: (run.case_id, run.trial)))
