"""H28, H29, H30 at the door: marks, other encodings, separators in texts, texts like numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.intake.cases import read_cases
from assay.intake.drafts import draft
from assay.intake.runs import read_runs
from assay.intake.runs.case_ids import read_mapping
from tests.intake.support import CASE_SHAPES, RUN_SHAPES

BOM = b"\xef\xbb\xbf"


def the_cases(path: Path) -> Any:
    imported = read_cases(path, name="x")
    return imported.eval_sets, imported.attributes


def the_runs(path: Path) -> Any:
    return read_runs(path, name="x").runs


READERS: list[tuple[str, Callable[[Path], Any], Any]] = [
    *((f"cases-{name}", the_cases, value) for name, value in sorted(CASE_SHAPES.items())),
    *((f"runs-{name}", the_runs, value[1]) for name, value in sorted(RUN_SHAPES.items())),
    ("draft-adk", lambda path: draft("adk", path).records, CASE_SHAPES["adk"]),
    ("draft-tau", lambda path: draft("tau-bench", path).records, RUN_SHAPES["tau-bench"][1]),
]
IDS = [name for name, _, _ in READERS]


def content(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)


@pytest.mark.parametrize(("name", "read", "value"), READERS, ids=IDS)
def test_h28_a_mark_and_crlf_change_nothing(
    tmp_path: Path, name: str, read: Callable[[Path], Any], value: Any
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content(value), encoding="utf-8", newline="\n")
    wanted = read(path)
    data = path.read_bytes()
    for changed in (BOM + data, data.replace(b"\n", b"\r\n"), BOM + data.replace(b"\n", b"\r\n")):
        path.write_bytes(changed)
        assert read(path) == wanted


@pytest.mark.parametrize(("name", "read", "value"), READERS, ids=IDS)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_h28_other_encodings_are_refused(
    tmp_path: Path, name: str, read: Callable[[Path], Any], value: Any, encoding: str
) -> None:
    path = tmp_path / "x.json"
    text = content(value).replace("parcel", "pärcel")
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    path.write_bytes(mark + text.encode(encoding))
    with pytest.raises(InputError, match="UTF-8") as caught:
        read(path)
    assert caught.value.path.startswith(("x", path.as_posix()))
    assert caught.value.line is not None


SEPARATED = [
    "line\u2028separator",
    "next\x85line",
    "tab\x0bvt and \u2029 paragraph",
    "plain",
    "\x1cfile\x1dgroup\x1erecord",
]


def test_h29_separators_do_not_end_a_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [
        {"case_id": f"u{n}", "messages": [{"role": "user", "content": text}]}
        for n, text in enumerate(SEPARATED)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")
    assert len(text.splitlines()) > len(lines)
    runs = read_runs(path).runs
    assert [run.turns[0].user for run in runs] == SEPARATED


def test_h29_separators_in_cases_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [
        {"eval_id": f"u{n}", "conversation": [{"user_content": text}]}
        for n, text in enumerate(SEPARATED)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")
    (made,) = read_cases(path).eval_sets
    assert [case.user_text for case in made.eval_cases] == SEPARATED
    table = tmp_path / "x.csv"
    rows = "".join(f"u{n},true,{text}\n" for n, text in enumerate(SEPARATED))
    table.write_text(f"case_id,passed,note\n{rows}", encoding="utf-8", newline="\n")
    assert len(read_runs(table).runs) == len(SEPARATED)


def test_h30_texts_that_look_like_numbers_stay_texts(tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text("case_id,passed\n012,true\n1.10,no\nNO,1\n1e3,0\n", encoding="utf-8")
    runs = read_runs(table).runs
    assert [run.case_id for run in runs] == ["012", "1.10", "1e3", "NO"]
    mapping = tmp_path / "m.yaml"
    mapping.write_text("NO: on\n012: 'x'\n", encoding="utf-8")
    assert read_mapping(mapping) == {"NO": "on", "012": "x"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("a: 1.10\n", "quote numbers"), ("a: b\na: c\n", "Duplicate key"), ("a: &x b\n", "")],
)
def test_h30_a_mapping_is_text_to_text(tmp_path: Path, text: str, message: str) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text(text, encoding="utf-8")
    if not message:
        assert read_mapping(mapping) == {"a": "b"}
        return
    with pytest.raises(InputError) as caught:
        read_mapping(mapping)
    assert message in f"{caught.value.message} {caught.value.hint}"
