"""The stages of a dvc.yaml as plain values, with foreach written out; no dvc needed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML


@dataclass(frozen=True)
class Stage:
    """What a stage declares."""

    name: str
    """Its name; ``score@refunds`` for one of a foreach."""
    command: list[str]
    """Its command, in words."""
    deps: list[str]
    """Files and folders that it may read."""
    params: dict[str, list[str] | None]
    """Parameter file to the keys that it may read; None for all."""
    outs: list[str]
    """Files and folders that it writes."""


def stages(root: Path, *, suites: Sequence[str] | None = None) -> dict[str, Stage]:
    """Name to stage, in the order of dvc.yaml.

    Args:
        root: the repository.
        suites: the suites of foreach stages; those of params.yaml when absent.
    """
    yaml = YAML(typ="safe", pure=True)
    if suites is None:
        suites = [str(suite) for suite in yaml.load(root / "params.yaml")["suites"]]
    found: dict[str, Stage] = {}
    for name, body in yaml.load(root / "dvc.yaml")["stages"].items():
        if "foreach" in body:
            assert body["foreach"] == "${suites}", f"{name}: only foreach over suites is known"
            for suite in suites:
                found[f"{name}@{suite}"] = _stage(f"{name}@{suite}", body["do"], suite)
        else:
            found[name] = _stage(name, body, "")
    return found


def _stage(name: str, body: dict[str, Any], item: str) -> Stage:
    def text(value: str) -> str:
        return value.replace("${item}", item)

    params: dict[str, list[str] | None] = {}
    for entry in body.get("params", []):
        if isinstance(entry, str):
            keys = params.setdefault("params.yaml", [])
            assert keys is not None
            keys.append(entry)
        else:
            for file, wanted in entry.items():
                params[text(file)] = None if wanted is None else [str(key) for key in wanted]
    outs = [
        text(out if isinstance(out, str) else next(iter(out)))
        for kind in ("outs", "metrics", "plots")
        for out in body.get(kind, [])
    ]
    return Stage(
        name=name,
        command=shlex.split(text(body["cmd"])),
        deps=[text(dep) for dep in body.get("deps", [])],
        params=params,
        outs=outs,
    )
