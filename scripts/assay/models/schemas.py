"""JSON Schemas of every file that the repository holds or writes, generated from the models.

They are committed under ``scripts/assay/models/schemas/`` for editors and for other programs;
``python -m assay.models.schemas`` writes them anew, and a test holds that they are fresh.
"""

from __future__ import annotations

import json
from pathlib import Path

from assay.models.base import Model
from assay.models.case import EvalSet, Suite
from assay.models.catalog import People, Policies, Quarantine, ToolCatalog, Waivers
from assay.models.comparison import Comparison
from assay.models.compiled import CompiledTruth, EffectiveTruth, ExclusionRow, RevisionRow
from assay.models.finding import FindingReport
from assay.models.gate import GateReport
from assay.models.params import Params
from assay.models.published import Published
from assay.models.reproduced import Reproduced
from assay.models.result import CaseResult, ExcludedCase, Result
from assay.models.review import Review
from assay.models.run import ObservedRun
from assay.models.truth import TruthRecord
from assay.models.verdict import Verdict

FOLDER = Path(__file__).with_name("schemas")

MODELS: dict[str, type[Model]] = {
    "case-result": CaseResult,
    "comparison": Comparison,
    "compiled-truth": CompiledTruth,
    "effective-truth": EffectiveTruth,
    "eval-set": EvalSet,
    "excluded-case": ExcludedCase,
    "exclusion-row": ExclusionRow,
    "finding-report": FindingReport,
    "gate-report": GateReport,
    "observed-run": ObservedRun,
    "params": Params,
    "people": People,
    "policies": Policies,
    "published": Published,
    "quarantine": Quarantine,
    "reproduced": Reproduced,
    "result": Result,
    "review": Review,
    "revision-row": RevisionRow,
    "suite": Suite,
    "tool-catalog": ToolCatalog,
    "truth-record": TruthRecord,
    "verdict": Verdict,
    "waivers": Waivers,
}
"""Name of the schema to the model of the file, or of one line of it."""


def schema_text(name: str) -> str:
    """The schema as it stands in its file: draft 2020-12, two-space indent, final line feed."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:assay:{name}:1",
        **MODELS[name].model_json_schema(),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all schemas."""
    FOLDER.mkdir(exist_ok=True)
    for name in sorted(MODELS):
        FOLDER.joinpath(f"{name}.json").write_text(
            schema_text(name), encoding="utf-8", newline="\n"
        )
        print(FOLDER / f"{name}.json")


if __name__ == "__main__":
    main()
