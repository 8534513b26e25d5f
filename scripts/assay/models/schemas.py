"""JSON Schemas of every file that the repository holds or writes, generated from the models.

They are committed under ``scripts/assay/models/schemas/`` for editors and for other programs;
``python -m assay.models.schemas`` writes them anew, and a test holds that they are fresh.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, get_args

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
    body = MODELS[name].model_json_schema()
    models = _within(MODELS[name], {})
    for title, part in [(MODELS[name].__name__, body), *body.get("$defs", {}).items()]:
        _explain(models[title], part)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:assay:{name}:1",
        **body,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@cache
def field_texts(model: type[Model]) -> dict[str, str]:
    """Field to what stands below it in the source: its meaning."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, Model) and base is not Model:
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            assert isinstance(body, ast.ClassDef)
            found |= _texts(body)
    return found


def _texts(body: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in zip(body.body, body.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _within(annotation: Any, found: dict[str, type[Model]]) -> dict[str, type[Model]]:
    """Name to every model that a type is made of, found below its fields."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        if annotation.__name__ not in found:
            found[annotation.__name__] = annotation
            for field in annotation.model_fields.values():
                _within(field.annotation, found)
    else:
        for part in get_args(annotation):
            _within(part, found)
    return found


def _explain(model: type[Model], schema: dict[str, Any]) -> None:
    """Add the meaning of every field."""
    texts = field_texts(model)
    properties = schema.get("properties", {})
    for name, field in model.model_fields.items():
        shown = field.alias or name
        if shown in properties and name in texts:
            described = {"description": texts[name], **properties[shown]}
            properties[shown] = dict(sorted(described.items()))


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
