"""One changed record in a clone runs `truth`, `splits`, its suite's `score`, and `report`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from assay.files.yamls import read_yaml
from assay.pipeline import repro
from tests.pipeline.stage_guard import copy_repository
from tests.support import CANARY, finish

ROOT = Path(__file__).resolve().parents[2]
NEW = "neighbour"

pytestmark = [pytest.mark.domain, pytest.mark.pipeline]


def add_suite(root: Path, owner: str) -> None:
    """A second suite, with one drafted case and one run that does nothing."""
    files = {
        f"cases/{NEW}/suite.yaml": f"schema_version: 1\nsuite: {NEW}\nowner: {owner}\n"
        f"canary: {CANARY}\nlicence: CC0-1.0\ncases:\n"
        f"  {NEW}-1: {{slice: all, template: {NEW}-1}}\n",
        f"cases/{NEW}/{NEW}.evalset.json": json.dumps(
            {
                "eval_set_id": NEW,
                "description": f"canary {CANARY}",
                "eval_cases": [
                    {
                        "eval_id": f"{NEW}-1",
                        "conversation": [
                            {"user_content": {"parts": [{"text": "Hello?"}], "role": "user"}}
                        ],
                    }
                ],
            }
        ),
        f"truth/records/{NEW}/{NEW}-1.r0001.json": json.dumps(
            {
                "schema_version": 1,
                "case_id": f"{NEW}-1",
                "revision": 1,
                "status": "draft",
                "change": "new",
                "rationale": ["A greeting is answered."],
                "acceptable_answers": ["Hello!"],
            }
        ),
        f"runs/{NEW}/idle.jsonl": json.dumps(
            {"schema_version": 1, "run": "idle", "case_id": f"{NEW}-1"}
        )
        + "\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    finish(root)


def stages_run(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Stages that dvc says it ran since the last look."""
    out = capfd.readouterr().out
    return [line.split("'")[1] for line in out.splitlines() if line.startswith("Running stage")]


def test_one_record(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_repository(ROOT, tmp_path / "clone")
    monkeypatch.setenv("PYTHONPATH", str(root / "scripts"))
    (root / ".dvc").mkdir()
    for name in ("config", ".gitignore"):
        (root / ".dvc" / name).write_bytes((ROOT / ".dvc" / name).read_bytes())
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    value = read_yaml(root / "params.yaml").value
    assert isinstance(value, dict)
    (suite,) = value["suites"][:1]  # type: ignore[index]
    owner = read_yaml(root / f"cases/{suite}/suite.yaml").value["owner"]  # type: ignore[index]
    params = root / "params.yaml"
    listed = params.read_text(encoding="utf-8")
    params.write_text(listed.replace(f"suites: [{suite}", f"suites: [{NEW}, {suite}"))
    add_suite(root, owner)

    assert repro.main([str(root)]) == 0
    assert len(stages_run(capfd)) >= 5
    record = sorted((root / f"truth/records/{suite}").glob("*.json"))[-1]
    text = record.read_text(encoding="utf-8")
    reason = json.loads(text)["rationale"][0]
    changed = f"{reason[:-2]}{'x' if reason[-2] != 'x' else 'y'}{reason[-1]}"
    record.write_text(text.replace(reason, changed, 1), encoding="utf-8", newline="\n")
    assert repro.main([str(root)]) == 0
    assert stages_run(capfd) == ["truth", "splits", f"score@{suite}", "report"]
    assert repro.main([str(root)]) == 0
    assert stages_run(capfd) == []
