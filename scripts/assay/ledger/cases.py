"""Suites and their cases: strict here, where foreign shapes have already been converted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.errors import AssayError
from assay.files.locate import locate, locate_all
from assay.files.reading import parse_json, read_text
from assay.files.validation import validate
from assay.ledger.faults import LoadFault
from assay.ledger.hashes import case_digest
from assay.ledger.layout import CASES, EVAL_SET_SUFFIX, SUITE_FILE
from assay.ledger.yaml_files import YamlFile, load_yaml
from assay.models.case import CaseAttributes, EvalCase, EvalSet, Suite


@dataclass(frozen=True)
class StoredCase:
    """One case and where it stands."""

    suite: str
    """The suite."""
    path: str
    """The eval-set file, relative to the root."""
    index: int
    """Zero-based position in the file."""
    case: EvalCase
    """The case."""
    line: int
    """One-based line on which it begins."""

    @cached_property
    def digest(self) -> str:
        """Digest of what a labeler saw."""
        return case_digest(self.case)


@dataclass(frozen=True)
class StoredSuite:
    """A suite with its cases."""

    name: str
    """Name of its folder."""
    file: YamlFile[Suite]
    """``suite.yaml``."""
    eval_sets: tuple[tuple[str, EvalSet], ...]
    """Path and content of each eval-set file, sorted by path."""
    cases: dict[str, StoredCase]
    """Case id to case, sorted by id."""

    @property
    def suite(self) -> Suite:
        """Content of ``suite.yaml``."""
        return self.file.model

    def attributes(self, case_id: str) -> CaseAttributes | None:
        """What ``suite.yaml`` says of a case."""
        return self.suite.cases.get(case_id)

    def reference_date(self, case_id: str) -> str | None:
        """The day that relative dates in the case refer to."""
        attributes = self.attributes(case_id)
        own = attributes.reference_date if attributes else None
        return own or self.suite.reference_date

    def owner(self, case_id: str) -> str:
        """Who answers for the case."""
        attributes = self.attributes(case_id)
        return (attributes.owner if attributes else None) or self.suite.owner


def suite_names(root: Path) -> tuple[str, ...]:
    """Folders below ``cases/``, sorted."""
    top = root / CASES
    if not top.is_dir():
        return ()
    return tuple(sorted(p.name for p in top.iterdir() if p.is_dir() and p.name[0] != "."))


def load_suite(root: Path, name: str) -> tuple[StoredSuite | None, tuple[LoadFault, ...]]:
    """A suite, and what is wrong with its files; no suite without a readable ``suite.yaml``."""
    faults: list[LoadFault] = []
    found = load_yaml(root, f"{CASES}/{name}/{SUITE_FILE}", Suite, None, suite=name)
    eval_sets: list[tuple[str, EvalSet]] = []
    cases: dict[str, StoredCase] = {}
    for path in sorted((root / CASES / name).glob(f"*{EVAL_SET_SUFFIX}")):
        label = path.relative_to(root).as_posix()
        stored, wrong = _load_eval_set(path, label, name)
        faults += wrong
        if stored is None:
            continue
        eval_set, lines = stored
        eval_sets.append((label, eval_set))
        for index, case in enumerate(eval_set.eval_cases):
            place = StoredCase(name, label, index, case, lines[index])
            first = cases.setdefault(case.eval_id, place)
            if first is not place:
                faults.append(
                    LoadFault(
                        "identity",
                        label,
                        f"Case `{case.eval_id}` stands in {first.path}:{first.line} already.",
                        "give this one another id; an id is never used again",
                        lines[index],
                        None,
                        f"/eval_cases/{index}/eval_id",
                        name,
                        case.eval_id,
                    )
                )
    if not isinstance(found, YamlFile):
        return None, (*found, *faults)
    ordered = {case_id: cases[case_id] for case_id in sorted(cases)}
    return StoredSuite(name, found, tuple(eval_sets), ordered), tuple(faults)


def _load_eval_set(
    path: Path, label: str, suite: str
) -> tuple[tuple[EvalSet, list[int]] | None, list[LoadFault]]:
    try:
        text = read_text(path, name=label)
        value = parse_json(text, name=label)
    except AssayError as error:
        return None, [LoadFault.of(error, suite=suite)]
    eval_set, problems = validate(EvalSet, value)
    if eval_set is None:
        return None, [
            LoadFault(
                "schema",
                label,
                problem.message,
                problem.hint or f"assay cases import {label}",
                *(locate(text, problem.pointer) or (1, 1)),
                problem.pointer,
                suite,
            )
            for problem in problems
        ]
    pointers = [f"/eval_cases/{index}/eval_id" for index in range(len(eval_set.eval_cases))]
    places = locate_all(text, pointers)
    lines = [places[pointer][0] for pointer in pointers]
    return (eval_set, lines), []
