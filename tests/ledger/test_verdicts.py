"""Recorded verdicts: the lines that count and those that do not; the models of stored runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.ledger.run_models import models_of_run
from assay.ledger.verdicts import load_verdicts

LINE: dict[str, Any] = {
    "case_id": "c",
    "criterion": "polite",
    "run": "r",
    "verdict": "yes",
    "judge": "m",
    "judge_kind": "model",
}


def write(root: Path, name: str, *lines: object) -> None:
    folder = root / "cases/shop/verdicts"
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    (folder / name).write_text(text, encoding="utf-8")


def test_files_in_order_and_faults_apart(tmp_path: Path) -> None:
    write(tmp_path, "b.jsonl", LINE)
    write(tmp_path, "a.jsonl", {"_canary": "x"}, LINE, "{", "", {**LINE, "trial": -1}, LINE)
    write(tmp_path, "notes.txt", "not read")
    files = load_verdicts(tmp_path, "shop")
    assert [file.path for file in files] == [
        "cases/shop/verdicts/a.jsonl",
        "cases/shop/verdicts/b.jsonl",
    ]
    assert [stored.line for stored in files[0].verdicts] == [2, 6]
    assert [(fault.kind, fault.line, fault.pointer) for fault in files[0].faults] == [
        ("unreadable", 3, ""),
        ("schema", 5, "/trial"),
    ]
    assert sum(len(file.verdicts) for file in files) == 3


def test_no_folder_no_verdicts(tmp_path: Path) -> None:
    assert load_verdicts(tmp_path, "shop") == ()


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", LINE)
    path = tmp_path / "cases/shop/verdicts/a.jsonl"
    path.write_bytes(path.read_bytes() + b"\xff\xfe\n")
    (file,) = load_verdicts(tmp_path, "shop")
    assert len(file.verdicts) == 1
    assert file.faults[0].line == 2


def test_models_of_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "runs/shop"
    folder.mkdir(parents=True)
    rows: list[dict[str, Any]] = [
        {"case_id": "a", "model": "m"},
        {"case_id": "a", "trial": 1},
        {"case_id": "b", "model": 3},
        {"model": "m"},
    ]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert models_of_run(tmp_path, "shop", "r") == {
        ("a", 0): ("m",),
        ("a", 1): (None,),
        ("b", 0): (None,),
    }
    (tmp_path / "runs/all.jsonl").write_text(json.dumps(rows[0]), encoding="utf-8")
    assert models_of_run(tmp_path, "shop", "all") == {("a", 0): ("m",)}
    for name in ("none", "../r", "..", ".r", "a/b"):
        assert models_of_run(tmp_path, "shop", name) is None
    (folder / "broken.jsonl").write_text("{", encoding="utf-8")
    assert models_of_run(tmp_path, "shop", "broken") is None
