"""What dvc.yaml, dvc.lock, params.yaml and the pointers must hold so that dvc tells the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.nodes import Node, ScalarNode

from tests.architecture.source import ROOT
from tests.pipeline.stages import Stage, stages


def load(name: str) -> Any:
    """A YAML file of the root, or a skip where it is not there yet."""
    file = ROOT / name
    if not file.is_file():
        pytest.skip(f"{name} is not here")
    return YAML(typ="safe", pure=True).load(file)


def pipeline() -> dict[str, Stage]:
    """The stages, with one score stage for each suite."""
    if not (ROOT / "params.yaml").is_file():
        return stages(ROOT, suites=["alpha", "beta"])
    return stages(ROOT)


def test_days_in_params_are_quoted() -> None:
    """A plain date makes every dvc command fail."""
    file = ROOT / "params.yaml"
    if not file.is_file():
        pytest.skip("params.yaml is not here")

    def plain_dates(node: Node) -> list[str]:
        if isinstance(node, ScalarNode):
            date = node.tag.endswith(":timestamp")
            return [f"line {node.start_mark.line + 1}: {node.value}"] if date else []
        below: list[str] = []
        for item in node.value:
            for part in item if isinstance(item, tuple) else (item,):
                below += plain_dates(part)
        return below

    assert plain_dates(YAML(typ="safe", pure=True).compose(file)) == []


def test_folders_in_the_lock_were_not_empty() -> None:
    """A folder that .dvcignore hides is hashed as empty, and then never seems to change."""
    for name, stage in load("dvc.lock")["stages"].items():
        for dependency in stage.get("deps", []):
            if str(dependency.get("md5", "")).endswith(".dir"):
                assert dependency["nfiles"] > 0, f"{name}: {dependency['path']}"


def test_no_dependency_is_hidden_from_dvc() -> None:
    from dvc.ignore import DvcIgnoreFilter
    from dvc.repo import Repo

    ignore = DvcIgnoreFilter(Repo(ROOT, uninitialized=True).fs, str(ROOT))
    for stage in pipeline().values():
        for path in stage.deps:
            full = str(ROOT / path)
            assert not ignore.is_ignored_dir(full, ignore_subrepos=False), path
            assert not ignore.is_ignored_file(full, ignore_subrepos=False), path


def test_no_pointer_lies_in_a_folder_that_a_stage_depends_on() -> None:
    deps = {Path(path) for stage in pipeline().values() for path in stage.deps}
    pointers = [
        file.relative_to(ROOT)
        for file in ROOT.glob("*/**/*.dvc")
        if not file.relative_to(ROOT).parts[0].startswith(".")
    ]
    inside = [p.as_posix() for p in pointers if deps & set(p.parents)]
    assert inside == []


def test_only_truth_reads_truth_and_params() -> None:
    for name, stage in pipeline().items():
        below = [path for path in stage.deps if path == "truth" or path.startswith("truth/")]
        if name == "truth":
            assert below == ["truth"]
        else:
            assert below == []
            assert "params.yaml" not in stage.params


def test_a_score_reads_only_its_own_suite() -> None:
    """Else a record of another suite would run it again."""
    found = pipeline()
    suites = [name.removeprefix("score@") for name in found if name.startswith("score@")]
    assert suites
    for suite in suites:
        stage = found[f"score@{suite}"]
        for path in stage.deps:
            assert path not in {"cases", "runs", "splits", "scores", "build"}, path
            assert path not in {"build/truth", "build/context"}, path
            others = [s for s in suites if s != suite and s in Path(path).stem.split(".")]
            assert others == [], path
        assert "suites" not in {key for keys in stage.params.values() for key in keys or ()}


def test_every_stage_declares_its_own_module_and_what_exists() -> None:
    made = {out for stage in pipeline().values() for out in stage.outs}
    for name, stage in pipeline().items():
        assert stage.command[:2] == ["python", "-m"], name
        module = stage.command[2].split(".")
        assert f"scripts/{'/'.join(module)}.py" in stage.deps, name
        for path in stage.deps:
            if path.startswith("scripts/assay/") and path.count("/") == 2 and "." not in path:
                continue
            if path.split("/")[0] in {"cases", "runs", "truth", "splits", "scores", "build"}:
                continue
            assert path in made or (ROOT / path).exists() or path.endswith(".py"), path


def test_nothing_is_frozen_or_always_run() -> None:
    for name, stage in load("dvc.yaml")["stages"].items():
        body = stage.get("do", stage)
        assert "frozen" not in body, name
        assert "always_changed" not in body, name
        for out in body.get("outs", []):
            options = next(iter(out.values())) if isinstance(out, dict) else {}
            assert "persist" not in options, name
