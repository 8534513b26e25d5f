"""Bad input, over every importer: one message with file and place, and never a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.files import reading
from assay.intake.cases import read_cases
from assay.intake.drafts import draft
from assay.intake.runs import read_runs
from assay.models.finding import Finding
from tests.intake.support import CASE_SHAPES, RUN_SHAPES, camel, put, tau_result

Importer = Callable[[Path], tuple[Finding, ...]]

IMPORTERS: dict[str, tuple[Importer, str]] = {
    "cases": (lambda path: read_cases(path).findings, "adk"),
    "runs": (lambda path: read_runs(path).findings, "tau-bench"),
    "draft-adk": (lambda path: draft("adk", path).findings, "adk"),
    "draft-tau-bench": (lambda path: draft("tau-bench", path).findings, "tau-bench"),
}

NAMES = sorted(IMPORTERS)


def refused(importer: str, path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        IMPORTERS[importer][0](path)
    error = caught.value
    assert error.message
    assert error.path.startswith(path.as_posix())
    assert error.hint
    return error


@pytest.mark.parametrize("importer", NAMES)
def test_there_is_no_file(tmp_path: Path, importer: str) -> None:
    assert "no such file" in refused(importer, tmp_path / "none.json").message


@pytest.mark.parametrize("importer", NAMES)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.csv"])
def test_a_folder_is_there(tmp_path: Path, importer: str, name: str) -> None:
    (tmp_path / name).mkdir()
    assert "folder" in refused(importer, tmp_path / name).message


@pytest.mark.parametrize("importer", NAMES)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"{", "Not valid JSON"),
        (b'{"a": NaN}', "Not valid JSON"),
        (b'{"a": Infinity}', "Not valid JSON"),
        (b'{"a": 1, "a": 2}', "a"),
        (b'{"a": "\xff"}', "not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        ('{"a": 1}'.encode("utf-32"), "UTF-32"),
        (b"[" * 100_000, "Not valid JSON"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "Not valid JSON"),
        (b'{"a": "\\ud800"}', "Not valid JSON"),
        (b"\x00", "Not valid JSON"),
    ],
    ids=lambda value: value[:12].decode("latin-1") if isinstance(value, bytes) else "",
)
def test_the_file_is_broken(tmp_path: Path, importer: str, content: bytes, message: str) -> None:
    if importer == "runs" and content[6:] in (b"NaN}", b"Infinity}"):
        message = "No format of runs fits"  # Traces are read with null in its place.
    for name in ("x.json", "x.jsonl"):
        path = tmp_path / name
        path.write_bytes(content)
        error = refused(importer, path)
        assert message in error.message
        assert error.line == 1 or message == "empty"


@pytest.mark.parametrize("importer", NAMES)
def test_a_line_is_far_too_long(
    tmp_path: Path, importer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 1000)
    path = put(tmp_path, "x.jsonl", json.dumps({"case_id": "a", "x": "y" * 2000}))
    assert "bytes" in refused(importer, path).message


@pytest.mark.parametrize("importer", NAMES)
def test_a_file_is_far_too_long(
    tmp_path: Path, importer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    path = put(tmp_path, "x.json", json.dumps({"x": "y" * 2000}))
    assert "bytes" in refused(importer, path).message


@pytest.mark.parametrize("importer", NAMES)
def test_only_one_line_is_broken(tmp_path: Path, importer: str) -> None:
    good = json.dumps(tau_result())
    error = refused(importer, put(tmp_path, "x.jsonl", f"{good}\n{{\n{good}\n"))
    assert error.line == 2


JUNK: tuple[Any, ...] = (None, 0, -1, 10**30, True, "", "x", [], [[]], {}, [{}])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a value."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def replaced(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    made = copy.deepcopy(value)
    here = made
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = junk
    return made


def endure(importer: str, path: Path, value: Any, lines: bool = False) -> None:
    """Import a wrong file: refused with a message, or read with findings that say enough."""
    path.write_text(json.dumps(value) + ("\n" if lines else ""), encoding="utf-8")
    try:
        found = IMPORTERS[importer][0](path)
    except InputError:
        return
    for item in found:
        assert item.message
        assert item.path


@pytest.mark.parametrize("shape", sorted(RUN_SHAPES))
def test_any_wrong_type_in_a_run(tmp_path: Path, shape: str) -> None:
    name, value = RUN_SHAPES[shape]
    lines = name.endswith(".jsonl")
    value = json.loads(value) if isinstance(value, str) else value
    value = json.loads(value) if isinstance(value, str) else value
    for place in places(value):
        for junk in JUNK:
            endure("runs", tmp_path / name, replaced(value, place, junk), lines)


@pytest.mark.parametrize("shape", sorted(CASE_SHAPES))
@pytest.mark.parametrize("importer", ["cases", "draft-adk"])
def test_any_wrong_type_in_a_case(tmp_path: Path, importer: str, shape: str) -> None:
    value = CASE_SHAPES[shape]
    value = json.loads(json.loads(value)) if isinstance(value, str) else value
    for place in places(value):
        for junk in JUNK:
            endure(importer, tmp_path / "x.json", replaced(value, place, junk))


def test_any_wrong_type_in_a_task(tmp_path: Path) -> None:
    value = [tau_result(), camel(tau_result(trial=1))]
    for place in places(value):
        for junk in JUNK:
            endure("draft-tau-bench", tmp_path / "x.json", replaced(value, place, junk))


def test_no_permission(tmp_path: Path) -> None:
    import os

    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path = put(tmp_path, "x.json", {})
    path.chmod(0)
    for importer in NAMES:
        assert "may not be read" in refused(importer, path).message
