"""H41: case ids that would be paths. Import derives a safe id and keeps the foreign one."""

from __future__ import annotations

import json
from pathlib import Path

from assay.files.yamls import read_yaml
from assay.intake.cases import read_cases
from assay.intake.cases.store import Target, import_cases
from assay.intake.ids import is_safe
from assay.intake.runs import known_cases
from assay.models.case import Suite

SAFE = ["parcel-1", "parcel_2.v1"]
UNSAFE = [
    "../outside",
    "p/../../q",
    "/etc/p",
    "..\\outside",
    "p\x00q",
    ".hidden",
    "-rf",
    "p q",
    "p" * 140,
    "%2e%2e%2fp",
    "Parcel",
    "p\n",
    "",
]


def write(folder: Path) -> Path:
    lines = [
        {"eval_id": case_id, "conversation": [{"user_content": f"Where is {number}?"}]}
        for number, case_id in enumerate(SAFE + UNSAFE)
    ]
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_safe_ids_stay_and_unsafe_ones_are_derived(tmp_path: Path) -> None:
    imported = read_cases(write(tmp_path))
    ids = [case.eval_id for case in imported.eval_sets[0].eval_cases]
    assert ids[: len(SAFE)] == SAFE
    assert len(set(ids)) == len(SAFE) + len(UNSAFE)
    assert all(map(is_safe, ids))
    kept = [imported.attributes[case_id].source_id for case_id in ids]
    assert kept == [None] * len(SAFE) + [source_id or None for source_id in UNSAFE]
    named = {item.line: item.code for item in imported.findings if item.case_id in ids}
    assert set(named) == set(range(len(SAFE) + 1, len(ids) + 1))


def test_the_same_ids_again_and_elsewhere(tmp_path: Path) -> None:
    first = read_cases(write(tmp_path))
    (tmp_path / "other").mkdir()
    second = read_cases(write(tmp_path / "other"))
    assert first.eval_sets == second.eval_sets


def test_nothing_is_written_outside(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    out = tmp_path / "deep" / "cases"
    outcome = import_cases([write(source)], Target(out, "post", "ana", "MIT"))
    made = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert [path.as_posix() for path in made if ".assay" not in path.parts] == sorted(
        [*outcome.written, (source / "cases.jsonl").as_posix()]
    )
    suite = read_yaml(out / "post" / "suite.yaml").require(Suite)
    known = known_cases([suite])
    for source_id in filter(None, UNSAFE):
        assert known.resolve(source_id) in suite.cases
