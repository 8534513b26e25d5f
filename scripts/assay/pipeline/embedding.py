"""How near two texts are in meaning, by a small local model; an extra, part of no score.

``pip install 'assay-bench[embedding]'`` brings the package ``wordllama``, which ships a table of
32,000 word pieces with 256 numbers each (MIT licence). Only its files are used: the package itself
may fetch files that it does not find. A text is the mean of its pieces, and nearness the cosine of
two texts. The table is read as it stands and summed exactly, so that a value is the same on every
machine; it is shown beside ROUGE where the extra is installed, and written to no file of scores.
"""

from __future__ import annotations

import importlib
import json
import math
import struct
from decimal import Decimal
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from assay.errors import AssayError, InputError

PACKAGE: Final = "wordllama"
_WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
_PIECES = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
_TABLE = "embedding.weight"
_MOST_HEADER = 1_000_000


class Nearness(NamedTuple):
    """How near two texts are, and who says so."""

    value: Decimal
    """Cosine from -1 to 1, four digits."""
    model: str
    """Package and version of the model."""


class _Model(NamedTuple):
    name: str
    weights: Path
    start: int
    width: int
    pieces: Any


def nearness(one: str, other: str) -> Nearness | None:
    """How near two texts are; None without the extra, or where a text has no pieces.

    Raises:
        InputError: the model's files are not what they are known to be.
    """
    model = _model()
    if model is None:
        return None
    with model.weights.open("rb") as stream:
        first, second = _mean(model, stream, one), _mean(model, stream, other)
    if first is None or second is None:
        return None
    long = math.sqrt(math.fsum(a * a for a in first)) * math.sqrt(math.fsum(b * b for b in second))
    if not long:
        return None
    cosine = math.fsum(a * b for a, b in zip(first, second, strict=True)) / long
    value = Decimal(repr(max(-1.0, min(1.0, cosine))))
    return Nearness(value.quantize(Decimal("0.0001")), model.name)


@cache
def _model() -> _Model | None:
    """The model where its package and that of its word pieces are installed."""
    try:
        package = metadata.distribution(PACKAGE)
        tokenizers = importlib.import_module("tokenizers")
    except (metadata.PackageNotFoundError, ImportError):
        return None
    weights, pieces = (Path(str(package.locate_file(name))) for name in (_WEIGHTS, _PIECES))
    if not weights.is_file() or not pieces.is_file():
        return None
    try:
        with weights.open("rb") as stream:
            start, width = _place(stream)
        read = tokenizers.Tokenizer.from_file(str(pieces))
    except AssayError:
        raise
    except Exception as error:  # A package of others may raise anything.
        raise _unlike(str(error)) from None
    return _Model(f"{PACKAGE} {package.version}", weights, start, width, read)


def _place(stream: BinaryIO) -> tuple[int, int]:
    """Where the table begins, and how many numbers a row has (safetensors: a header in JSON)."""
    (size,) = struct.unpack("<Q", stream.read(8))
    if size > _MOST_HEADER:
        raise _unlike("its header is too long")
    table = json.loads(stream.read(size)).get(_TABLE)
    if not table or table["dtype"] != "F16" or len(table["shape"]) != 2:
        raise _unlike(f"it has no table `{_TABLE}` of half floats")
    return 8 + size + table["data_offsets"][0], table["shape"][1]


def _mean(model: _Model, stream: BinaryIO, text: str) -> list[float] | None:
    """The mean of a text's word pieces; None where it has none."""
    ids = model.pieces.encode(text, add_special_tokens=False).ids
    if not ids:
        return None
    rows: list[tuple[float, ...]] = []
    for number in ids:
        stream.seek(model.start + 2 * model.width * number)
        rows.append(struct.unpack(f"<{model.width}e", stream.read(2 * model.width)))
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def _unlike(what: str) -> InputError:
    return InputError(
        f"The model of {PACKAGE} cannot be read: {what}.",
        hint=f"pip install --force-reinstall {PACKAGE}",
    )
