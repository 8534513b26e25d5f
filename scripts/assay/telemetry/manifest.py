"""Corpus manifests, ``corpora/<name>/manifest.yaml``: what a corpus is and where it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from assay.errors import InputError
from assay.files.yamls import read_yaml
from assay.models.base import Model, Name, SuiteId

CORPORA = "corpora"


class Manifest(Model):
    """What a corpus is, and how its data can be made again if it is simulated."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    corpus: SuiteId
    """Name of the corpus; its folder's name."""
    title: Name
    """What it is about."""
    licence: Name
    """Licence of the data, as an SPDX identifier."""
    simulated: bool
    """True where the data was made by the programs named here and can be made again."""
    telemetry: str | None = None
    """File that declares the simulation behind ``telemetry/<corpus>/``."""
    cassettes: str | None = None
    """File that declares the recordings behind ``cassettes/<corpus>/``."""


def manifests(root: Path) -> list[Manifest]:
    """All manifests, by name.

    Raises:
        InputError: one is wrong, or names another corpus than its folder.
    """
    found: list[Manifest] = []
    for file in sorted(root.glob(f"{CORPORA}/*/manifest.yaml")):
        name = file.relative_to(root).as_posix()
        manifest = read_yaml(file, name=name).require(Manifest)
        if manifest.corpus != file.parent.name:
            raise InputError(
                f"The corpus is called {manifest.corpus} and its folder {file.parent.name}.",
                path=name,
                pointer="/corpus",
                hint=f"corpus: {file.parent.name}",
            )
        found.append(manifest)
    return found
