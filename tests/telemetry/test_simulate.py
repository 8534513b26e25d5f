"""The simulator: whole numbers, declared physics, the same bytes everywhere."""

from __future__ import annotations

import csv
import hashlib
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.telemetry.recordings import record
from assay.telemetry.simulate import decimal_text, simulate
from tests.telemetry.corpus import RECORDINGS, SIMULATION


def rows(tmp_path: Path, text: str = SIMULATION) -> list[dict[str, str]]:
    """The rows of the shed."""
    declaration = tmp_path / "simulation.yaml"
    declaration.write_text(text)
    simulate(declaration, "simulation.yaml", tmp_path / "out")
    with (tmp_path / "out/shed.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_bytes_are_known(tmp_path: Path) -> None:
    rows(tmp_path)
    digest = hashlib.sha256((tmp_path / "out/shed.csv").read_bytes()).hexdigest()
    assert digest == "5caf4448891c1011f1f0c4669e7438ac175723b5bab3b916cde445967f72b73d"


def test_physics(tmp_path: Path) -> None:
    found = rows(tmp_path)
    assert len(found) == 2 * 48
    assert found[0]["time"] == "2026-01-31T00:00:00Z"
    assert found[-1]["time"] == "2026-02-01T23:30:00Z"
    assert {row["wanted"] for row in found} == {"5.0", "18.0"}
    for row in found:
        hour = int(row["time"][11:13])
        assert row["wanted"] == ("18.0" if 12 <= hour < 18 else "5.0")
        assert Decimal("-5.8") <= Decimal(row["outside"]) <= Decimal("3.2")
    heat = [int(row["heat"]) for row in found]
    assert heat == sorted(heat)
    inside = {row["time"]: Decimal(row["inside"]) for row in found}
    assert inside["2026-01-31T17:30:00Z"] > inside["2026-01-31T11:30:00Z"] + 5


def test_the_seed_names_the_draw(tmp_path: Path) -> None:
    first = rows(tmp_path)
    assert rows(tmp_path) == first
    assert rows(tmp_path, SIMULATION.replace("seed: shed", "seed: barn")) != first


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("of: inside", "of: nothing", "`heat` refers to `nothing`, which is no stream before it."),
        ("target: wanted", "target: heat", "`inside` refers to `heat`, which is no stream before"),
        ("-44, -48]", "-44]", "`outside` needs 24 hourly values and has 23."),
        ("noise: 2", "noise: 0.5", "`noise` must be a whole number"),
        ("kind: counter", "kind: guess", '`kind` is "guess".'),
    ],
)
def test_a_wrong_declaration_says_where(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        rows(tmp_path, SIMULATION.replace(old, new))
    assert caught.value.message.startswith(message)
    assert caught.value.path == "simulation.yaml"


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_decimal_text_is_exact(units: int, decimals: int) -> None:
    text = decimal_text(units, decimals)
    assert Fraction(text) == Fraction(units, 10**decimals)
    assert len(text.partition(".")[2]) == decimals


def test_recorded_means_are_exact(tmp_path: Path) -> None:
    found = rows(tmp_path)
    declaration = tmp_path / "recordings.yaml"
    declaration.write_text(RECORDINGS)
    record(declaration, "recordings.yaml", tmp_path / "out", tmp_path / "tapes")
    lines = (tmp_path / "tapes/means.jsonl").read_text().splitlines()
    values = [Fraction(row["outside"]) for row in found if row["time"].startswith("2026-01-31")]
    first = json.loads(lines[0])
    assert first["request"] == {
        "name": "mean",
        "args": {"day": "2026-01-31", "stream": "shed/outside"},
    }
    assert first["response"]["count"] == 48
    exact = sum(values, Fraction(0)) / 48
    assert abs(Fraction(first["response"]["mean"]) - exact) <= Fraction(5, 1000)
    assert len(lines) == 2


def test_a_question_without_an_answer_says_which(tmp_path: Path) -> None:
    rows(tmp_path)
    declaration = tmp_path / "recordings.yaml"
    declaration.write_text(RECORDINGS.replace("2026-02-01", "2027-02-01"))
    with pytest.raises(InputError, match="shed/heat has no values on 2027-02-01") as caught:
        record(declaration, "recordings.yaml", tmp_path / "out", tmp_path / "tapes")
    assert caught.value.pointer == "/calls/1"
