"""Stage ``report``: the scoreboard and the report page, from what the other stages wrote."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from assay import __version__
from assay.files.reading import read_json
from assay.files.writing import write_text
from assay.intake.runs.load import load_runs
from assay.ledger.layout import RUNS
from assay.ledger.results import load_results
from assay.models.base import JsonValue
from assay.models.compiled import CompiledTruth, EffectiveTruth, RevisionRow
from assay.models.params import Params
from assay.models.truth import TruthRecord
from assay.pipeline.against import read_model, read_models, suite_named
from assay.pipeline.scored import read_scored
from assay.pipeline.stage import run_stage, stage_params
from assay.reporting.html import ReportInput, SuiteInput, render
from assay.reporting.plots import rates_csv, slices_csv
from assay.reporting.scoreboard import board, json_text, text

FOLDER = "report"
PAGE = f"{FOLDER}/index.html"


def report_stage(root: Path, arguments: list[str]) -> int:
    """Write ``report/``."""
    params = stage_params(root)
    folder = root / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in report_files(root, params).items():
        write_text(folder / name, content)
    return 0


def report_files(root: Path, params: Params) -> dict[str, str]:
    """Path below ``report/`` to content, sorted.

    Raises:
        InputError: a stage before has not run.
    """
    source = report_input(root, params)
    shown = board(replace(source.board_input(), report=PAGE))
    results = [result for suite in source.suites for result in suite.results]
    files = {
        **render(source),
        "scoreboard.txt": text(shown),
        "scoreboard.json": json_text(shown),
        "scoreboard.csv": rates_csv(results),
        "slices.csv": slices_csv(results),
    }
    return dict(sorted(files.items()))


def report_input(root: Path, params: Params) -> ReportInput:
    """Everything that the report shows."""
    policies: dict[str, str] = {}
    suites: list[SuiteInput] = []
    for name in params.suites:
        context = read_model(root, f"build/context/{name}.json", CompiledTruth)
        policies.update(context.policies)
        suites.append(_suite_input(root, name, params))
    return ReportInput(
        today=params.today,
        engine=__version__,
        suites=suites,
        policies=policies,
        titles=_titles(root),
        clauses=_clauses(root),
        alpha=params.gate.alpha,
        expiry_within=params.expiry.warn_within_days,
        published=[stored.published.result for stored in load_results(root).results],
        notes=_notes(params),
    )


def _suite_input(root: Path, name: str, params: Params) -> SuiteInput:
    suite = suite_named(root, name)
    results, lines = read_scored(root, f"scores/{name}")
    revisions: dict[str, list[TruthRecord]] = {}
    for row in read_models(root, f"build/history/{name}.jsonl", RevisionRow):
        revisions.setdefault(row.record.case_id, []).append(row.record)
    observed = [
        run
        for path in sorted((root / RUNS / name).glob("*.jsonl"))
        for run in load_runs(path, name=path.relative_to(root).as_posix())
    ]
    return SuiteInput(
        suite=name,
        title=suite.suite.title,
        cases=[stored.case for stored in suite.cases.values()],
        truths=read_models(root, f"build/truth/{name}.jsonl", EffectiveTruth),
        revisions=revisions,
        results=results,
        case_results=lines,
        observed=observed,
        floor=params.gate.floors.get(name),
    )


def _strings(value: JsonValue) -> dict[str, str]:
    assert isinstance(value, dict)
    return {key: str(item) for key, item in value.items()}


def _titles(root: Path) -> dict[str, str]:
    return _strings(read_json(root / "build/titles.json", name="build/titles.json"))


def _clauses(root: Path) -> dict[str, str]:
    return _strings(read_json(root / "build/clauses.json", name="build/clauses.json"))


def _notes(params: Params) -> tuple[str, ...]:
    if params.gate.unmeasured == "allow":
        return ("Agreement between labelers was not measured; slices gate all the same.",)
    return ()


if __name__ == "__main__":
    run_stage(report_stage)
