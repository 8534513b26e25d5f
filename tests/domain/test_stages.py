"""The shipped pipeline: every stage reads what it declares, all of it and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.stage_guard import copy_repository, guard, unused
from tests.pipeline.stages import stages

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.domain, pytest.mark.pipeline]


def test_stages_read_what_they_declare(tmp_path: Path) -> None:
    root = copy_repository(ROOT, tmp_path / "copy")
    found = {stage.name: guard(root, stage) for stage in stages(root).values()}
    assert {name: violations for name, violations in found.items() if violations} == {}
    idle = {stage.name: unused(root, stage) for stage in stages(root).values()}
    assert {name: deps for name, deps in idle.items() if deps} == {}
