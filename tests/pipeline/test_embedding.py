"""The small local model that says how near two planning texts are, where it is installed."""

from __future__ import annotations

import json
import struct
import sys
import types
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.pipeline import embedding

PIECES = {"stop": 0, "halt": 1, "pump": 2}
ROWS = [(1.0, 0.0), (0.5, 0.5), (0.0, -2.0)]


class _Encoded:
    def __init__(self, text: str) -> None:
        self.ids = [PIECES[word] for word in text.split() if word in PIECES]


class _Tokenizer:
    @classmethod
    def from_file(cls, path: str) -> _Tokenizer:
        assert path.endswith(".json")
        return cls()

    def encode(self, text: str, add_special_tokens: bool) -> _Encoded:
        assert add_special_tokens is False
        return _Encoded(text)


def package(folder: Path, header: dict[str, object]) -> None:
    """A package that ships such a model: a table of half floats, and word pieces."""
    data = folder / "wordllama"
    (data / "weights").mkdir(parents=True)
    (data / "tokenizers").mkdir()
    (data / "tokenizers/l2_supercat_tokenizer_config.json").write_text("{}")
    head = json.dumps(header).encode()
    rows = b"".join(struct.pack("<2e", *row) for row in ROWS)
    (data / "weights/l2_supercat_256.safetensors").write_bytes(
        struct.pack("<Q", len(head)) + head + rows
    )
    info = folder / "wordllama-1.2.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wordllama\nVersion: 1.2.3\n")


TABLE = {"embedding.weight": {"dtype": "F16", "shape": [3, 2], "data_offsets": [0, 12]}}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    module = types.ModuleType("tokenizers")
    module.Tokenizer = _Tokenizer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tokenizers", module)
    monkeypatch.syspath_prepend(str(tmp_path))
    embedding._model.cache_clear()
    yield tmp_path
    embedding._model.cache_clear()


def test_the_cosine_of_the_means(place: Path) -> None:
    package(place, TABLE)
    found = embedding.nearness("stop", "halt")
    assert found == (Decimal("0.7071"), "wordllama 1.2.3")
    same = embedding.nearness("stop pump", "pump stop")
    assert same is not None
    assert same.value == 1
    assert embedding.nearness("stop", "no piece of it") is None
    assert embedding.nearness("", "stop") is None


def test_a_model_of_another_shape_is_refused(place: Path) -> None:
    package(place, {"embedding.weight": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}})
    with pytest.raises(InputError, match="of half floats"):
        embedding.nearness("stop", "halt")


def test_without_the_extra_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    embedding._model.cache_clear()
    assert embedding.nearness("stop", "halt") is None
    embedding._model.cache_clear()


@pytest.mark.conformance
def test_the_real_model() -> None:
    pytest.importorskip("tokenizers")
    near, far = (
        embedding.nearness("stop the pump", text) for text in ("halt the pump", "forecast revenue")
    )
    if near is None or far is None:
        pytest.skip("the extra `embedding` is not installed")
    assert far.value < Decimal("0.3") < Decimal("0.7") < near.value
