"""What the runs of a suite are scored against, as the stages before have written it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from assay.errors import InputError
from assay.files.canonical import digest
from assay.files.reading import json_lines, read_json
from assay.files.validation import require
from assay.ledger.cases import StoredSuite, load_suite, suite_names
from assay.ledger.people import PeopleIndex
from assay.ledger.toolnames import ToolNames
from assay.ledger.verdicts import load_verdicts
from assay.models.base import JsonValue, Model
from assay.models.catalog import People, ToolCatalog
from assay.models.compiled import CompiledTruth, EffectiveTruth
from assay.models.params import Params
from assay.models.result import Context
from assay.pipeline.stage import stage_params
from assay.scoring.case import Scorer
from assay.scoring.code_digest import code_digest
from assay.scoring.keys import cases_digest
from assay.scoring.run import SuiteTruth
from assay.scoring.verdicts import VerdictIndex

M = TypeVar("M", bound=Model)


def read_model(root: Path, path: str, model: type[M]) -> M:
    """A JSON file that another stage wrote.

    Raises:
        InputError: missing, or not what it should be.
    """
    return require(model, read_json(root / path, name=path), name=path)


def read_models(root: Path, path: str, model: type[M]) -> tuple[M, ...]:
    """The lines of a JSONL file that another stage wrote.

    Raises:
        InputError: missing, or not what it should be.
    """
    return tuple(
        require(model, value, name=path, first_line=line)
        for line, value in json_lines(root / path, name=path)
    )


def from_build(root: Path, name: str) -> SuiteTruth:
    """What the stage ``score`` scores against.

    Raises:
        InputError: a stage before has not run, or the suite cannot be loaded.
    """
    params = stage_params(root)
    context = read_model(root, f"build/context/{name}.json", CompiledTruth)
    placed = read_json(root / f"splits/{name}.json", name=f"splits/{name}.json")
    assert isinstance(placed, dict)
    cases = placed["cases"]
    assert isinstance(cases, dict)
    sides = {case_id: str(_side(cases[case_id])) for case_id in cases}
    return suite_truth(
        suite_named(root, name),
        read_models(root, f"build/truth/{name}.jsonl", EffectiveTruth),
        context,
        ToolNames.from_catalog(read_model(root, "build/tools.json", ToolCatalog)),
        PeopleIndex(read_model(root, "build/people.json", People)),
        params,
        sides,
        root,
        frozenset(),
    )


def _side(entry: JsonValue) -> JsonValue:
    assert isinstance(entry, dict)
    return entry["split"]


def suite_named(root: Path, name: str) -> StoredSuite:
    """A suite of the repository.

    Raises:
        InputError: there is none of this name, or it cannot be loaded.
    """
    suite, faults = load_suite(root, name)
    if suite is None:
        known = ", ".join(suite_names(root)) or "none"
        if not faults:
            raise InputError(f"No suite is called `{name}`.", hint=f"known: {known}")
        first = faults[0]
        raise InputError(first.message, path=first.path, line=first.line, hint=first.hint)
    return suite


def suite_truth(
    suite: StoredSuite,
    entries: Iterable[EffectiveTruth],
    compiled: CompiledTruth,
    names: ToolNames,
    who: PeopleIndex,
    params: Params,
    sides: Mapping[str, str],
    root: Path,
    elsewhere: frozenset[str],
) -> SuiteTruth:
    """Truth, cases, verdicts and context of one suite."""
    cases = {case_id: stored.case for case_id, stored in suite.cases.items()}
    verdicts = VerdictIndex.of(
        stored.verdict for file in load_verdicts(root, suite.name) for stored in file.verdicts
    )
    context = Context(
        suite=suite.name,
        truth=compiled.truth.get(suite.name, digest([])),
        cases=cases_digest(cases),
        policies=dict(compiled.policies),
        scorer=code_digest(),
        weights=params.weights.model_dump(),
        split=digest({case_id: sides[case_id] for case_id in sorted(sides)}),
        verdicts=verdicts.digest(),
        rename_map=compiled.rename_map,
    )
    return SuiteTruth(
        suite.suite,
        tuple(entries),
        cases,
        Scorer(names, suite.suite.language, who.same_model, params.weights),
        context,
        compiled.today,
        verdicts,
        elsewhere,
    )
