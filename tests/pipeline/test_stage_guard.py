"""The guard sees every way in which a stage can cheat, and lets an honest one pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.pipeline.stage_guard import StageError, guard, unused
from tests.pipeline.stages import Stage, stages

PIPELINE = """\
stages:
  toy:
    cmd: python -m assay.toy
    deps: [data, notes.txt, scripts/assay/__init__.py, scripts/assay/toy.py, scripts/assay/models]
    params:
      - params.yaml: [today]
    outs: [out, folder/result.json]
"""

HONEST = """\
import os
import tempfile
from pathlib import Path

Path("out").mkdir()
names = sorted(os.listdir("data"))
for file in sorted(Path("data").rglob("*.txt")):
    Path("out", file.name).write_text(file.read_text())
Path("notes.txt").read_bytes()
today = Path("params.yaml").read_text()
Path("folder").mkdir(exist_ok=True)
handle, name = tempfile.mkstemp(prefix=".result.json.", suffix=".tmp", dir="folder")
os.write(handle, b"{}")
os.close(handle)
os.replace(name, "folder/result.json")
"""

CHEATS = {
    "open('secret.txt').read()": "reads secret.txt (scripts/assay/toy.py:16)",
    "Path('secret.txt').read_bytes()": "reads secret.txt (scripts/assay/toy.py:16)",
    "os.open('secret.txt', os.O_RDONLY)": "reads secret.txt (scripts/assay/toy.py:16)",
    "Path('other/deep/x.txt').read_text()": "reads other/deep/x.txt (scripts/assay/toy.py:16)",
    "import assay.hidden": "reads scripts/assay/hidden.py (scripts/assay/toy.py:16)",
    "os.listdir('other')": "lists other (scripts/assay/toy.py:16)",
    "list(Path('.').iterdir())": "lists . (scripts/assay/toy.py:16)",
    "os.listdir()": "lists . (scripts/assay/toy.py:16)",
    "sorted(Path('other').rglob('*'))": "lists other (scripts/assay/toy.py:16)",
    "Path('stray.txt').write_text('x')": "writes stray.txt (scripts/assay/toy.py:16)",
    "import time; time.time()": "reads the clock: time.time (scripts/assay/toy.py:16)",
    "from time import time as t; t()": "reads the clock: time.time (scripts/assay/toy.py:16)",
    "import datetime as d; d.date.today()": "reads the clock: date.today (scripts/assay/toy.py:16)",
    "from datetime import datetime as d; d.now()": (
        "reads the clock: datetime.now (scripts/assay/toy.py:16)"
    ),
    "import subprocess; subprocess.run(['true'])": "starts: true (scripts/assay/toy.py:16)",
    "import socket; socket.getaddrinfo('localhost', 1)": (
        "connects: localhost (scripts/assay/toy.py:16)"
    ),
    "from assay.models.params import Params; Params(today='x', seed=2).seed": (
        "uses the parameter seed (scripts/assay/toy.py:16)"
    ),
    "Path('out/today').write_text(str('seed' in today))": (
        "out/today changes when undeclared parameters are taken away"
    ),
}

PARAMS = """\
class Params:
    today: str
    seed: int

    def __init__(self, today, seed):
        self.today, self.seed = today, seed
"""


def toy(root: Path, more: str = "") -> Stage:
    """A repository whose stage does what it should, and one thing more."""
    files = {
        "dvc.yaml": PIPELINE,
        "params.yaml": "today: '2026-11-30'\nsuites: [a]\nseed: 7\n",
        "data/one.txt": "1",
        "data/deep/two.txt": "2",
        "notes.txt": "n",
        "secret.txt": "s",
        "other/deep/x.txt": "x",
        "scripts/assay/__init__.py": "",
        "scripts/assay/hidden.py": "",
        "scripts/assay/models/__init__.py": "",
        "scripts/assay/models/params.py": PARAMS,
        "scripts/assay/toy.py": f"{HONEST}{more}\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return stages(root)["toy"]


def test_an_honest_stage_passes(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    assert guard(root, toy(root)) == []


@pytest.mark.parametrize("cheat", list(CHEATS))
def test_a_cheat_is_seen(tmp_path: Path, cheat: str) -> None:
    root = tmp_path / "repository"
    assert CHEATS[cheat] in guard(root, toy(root, cheat))


def test_compiled_code_counts_as_its_source(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    stage = toy(root, "import assay.hidden")
    import compileall

    compileall.compile_dir(root / "scripts", quiet=2)
    assert CHEATS["import assay.hidden"] in guard(root, stage)


def test_what_is_declared_in_vain(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    stage = toy(root)
    assert unused(root, stage) == []
    more = replace(stage, deps=[*stage.deps, "secret.txt", "other"])
    assert unused(root, more) == ["secret.txt", "other"]


def test_a_stage_that_fails_is_not_judged(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    with pytest.raises(StageError, match="ZeroDivisionError"):
        guard(root, toy(root, "1 / 0"))


def test_foreach_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("suites: [a, b]\n")
    (tmp_path / "dvc.yaml").write_text(
        "stages:\n  score:\n    foreach: ${suites}\n    do:\n"
        "      cmd: python -m assay.x ${item}\n      deps: ['cases/${item}']\n"
        "      metrics:\n        - 'scores/${item}.metrics': {cache: false}\n"
    )
    found = stages(tmp_path)
    assert list(found) == ["score@a", "score@b"]
    assert found["score@b"].command == ["python", "-m", "assay.x", "b"]
    assert found["score@b"].deps == ["cases/b"]
    assert found["score@b"].outs == ["scores/b.metrics"]
