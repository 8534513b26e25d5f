"""Stage ``truth``: check everything, resolve the record that counts for every case today.

Everything behind this stage reads what is written here and never ``truth/`` or
``params.yaml``. An error in one record excludes its case and is listed; an error in what every
case depends on stops the pipeline.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from assay.checks.compiling import CompiledRepository, compile_truth, stops
from assay.checks.runner import rules, run_checks, world_of
from assay.errors import RefusedError
from assay.files.journal import pending
from assay.files.model_text import model_line, model_text, value_text
from assay.files.writing import write_text
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.repository import Repository
from assay.models.base import JsonValue
from assay.models.compiled import ExclusionRow, RevisionRow
from assay.models.finding import FindingReport
from assay.models.params import Params
from assay.pipeline.stage import BUILD, run_stage


def truth_stage(root: Path, arguments: list[str]) -> int:
    """Write ``build/``; see the module."""
    if pending(root):
        raise RefusedError(
            "A bulk write was interrupted here; part of the truth may be missing.",
            hint="assay doctor --roll-forward, or assay doctor --rollback",
        )
    repository = Repository.load(root)
    report = run_checks(repository)
    blocking = stops(report)
    if blocking:
        for finding in blocking[:20]:
            place = f"{finding.path}:{finding.line or 1}"
            print(f"assay: {place}: {finding.code} {finding.message}", file=sys.stderr)
            if finding.hint:
                print(f"  next  {finding.hint}", file=sys.stderr)
        more = len(blocking) - 20
        if more > 0:
            print(f"assay: and {more} more: ./assay check", file=sys.stderr)
        return 1
    write_build(root, repository, compile_truth(world_of(repository), report), report)
    return 0


def write_build(
    root: Path, repository: Repository, compiled: CompiledRepository, report: FindingReport
) -> None:
    """Write what the other stages read."""
    build = root / BUILD
    for folder in ("truth", "context", "history"):
        shutil.rmtree(build / folder, ignore_errors=True)
    params: Params = repository.params.model
    excluded: list[str] = []
    for suite in params.suites:
        entries = compiled.suites.get(suite, ())
        write_text(build / f"truth/{suite}.jsonl", "".join(map(model_line, entries)))
        context = compiled.context.model_copy(
            update={"truth": {suite: compiled.context.truth[suite]}}
        )
        write_text(build / f"context/{suite}.json", model_text(context))
        excluded += [
            model_line(
                ExclusionRow(
                    suite=suite,
                    case_id=entry.case_id,
                    status=entry.record.status if entry.record else None,
                    exclusions=entry.exclusions,
                )
            )
            for entry in entries
            if entry.exclusions
        ]
        history = [
            model_line(RevisionRow(path=stored.path, record=stored.record))
            for stored in repository.records
            if stored.suite == suite
        ]
        write_text(build / f"history/{suite}.jsonl", "".join(history))
    write_text(build / "excluded.jsonl", "".join(excluded))
    write_text(build / "findings.json", model_text(report))
    write_text(build / "tools.json", model_text(repository.catalog.model))
    # What the forge calls its teams decides no score.
    people = repository.people.model.model_copy(update={"forge": None})
    write_text(build / "people.json", model_text(people))
    write_text(build / "params.json", params_text(params))
    titles: dict[str, JsonValue] = {code: rule.title() for code, rule in rules().items()}
    write_text(build / "titles.json", value_text(titles) + "\n")
    citations = [clause for stored in repository.records for clause in stored.record.clauses]
    words: dict[str, JsonValue] = {
        **cited_clauses(root, repository.policies.model, citations),
    }
    write_text(build / "clauses.json", value_text(words) + "\n")


def params_text(params: Params) -> str:
    """All parameters with their defaults, so that a stage can name each one it reads."""
    return value_text(params.model_dump(mode="python")) + "\n"


if __name__ == "__main__":
    run_stage(truth_stage)
