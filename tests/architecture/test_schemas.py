"""The committed JSON Schemas are those of the models, and say what every field means."""

from __future__ import annotations

import json
import os

import jsonschema
import pytest
from pydantic import BaseModel

from assay.models import base, schemas
from tests.architecture.source import ROOT


@pytest.mark.parametrize("name", sorted(schemas.MODELS))
def test_schema_is_fresh(name: str) -> None:
    file = schemas.FOLDER / f"{name}.json"
    text = schemas.schema_text(name)
    if os.environ.get("ASSAY_BLESS"):
        file.write_text(text, encoding="utf-8", newline="\n")
    assert file.is_file(), "./scripts/test --bless tests/architecture"
    assert file.read_text(encoding="utf-8") == text, "./scripts/test --bless tests/architecture"


def test_no_schema_is_left_over() -> None:
    files = {file.stem for file in schemas.FOLDER.glob("*")}
    assert files == set(schemas.MODELS)


@pytest.mark.parametrize("name", sorted(schemas.MODELS))
def test_schema_is_valid(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schemas.schema_text(name)))


def models() -> list[type[BaseModel]]:
    """Every model of the package that has been imported, by name."""
    found = {model.__name__: model for model in base.Model.__subclasses__()}
    return [found[name] for name in sorted(found) if found[name].__module__.startswith("assay.")]


@pytest.mark.parametrize("model", models(), ids=lambda m: m.__name__)
def test_models_are_frozen_closed_and_explained(model: type[BaseModel]) -> None:
    assert model.model_config.get("frozen")
    assert model.model_config.get("extra") == "forbid"
    assert model.__doc__
    unexplained = [name for name in model.model_fields if not schemas.field_texts(model).get(name)]  # type: ignore[arg-type]
    assert unexplained == []


def test_schemas_are_shipped() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "models/schemas/*.json" in text
