"""Recorded tool calls over the telemetry, made from a declared list of questions.

Each line of a cassette is one call: the request that replays look up, and the response. Means
are exact: the sum of the decimal texts, divided once, rounded once, half to even.
"""

from __future__ import annotations

import csv
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from pathlib import Path
from typing import Literal

from pydantic import Field

from assay.errors import InputError
from assay.files.canonical import canonical_json
from assay.files.reading import read_text
from assay.files.writing import write_text
from assay.files.yamls import read_yaml
from assay.models.base import Day, JsonValue, Many, Model, Name

_EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)


class Call(Model):
    """One question: a day of one stream."""

    stream: Name
    """``<file without .csv>/<column>``."""
    day: Day
    """The day, in UTC."""


class Recordings(Model):
    """``corpora/<name>/recordings.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    file: Name
    """File name below the corpus's folder."""
    tool: Name
    """Name of the tool that is recorded."""
    decimals: int = Field(default=3, ge=0, le=12)
    """Decimals of the mean."""
    calls: Many[Call] = Field(min_length=1)
    """The questions."""


def record(declaration: Path, name: str, telemetry: Path, target: Path) -> None:
    """Write a cassette into the folder `target`.

    Args:
        declaration: the file that declares the questions.
        name: its name for messages.
        telemetry: folder of the corpus's proven telemetry.
        target: folder to write to.

    Raises:
        InputError: the declaration is wrong, or asks for what the telemetry does not hold.
    """
    plan = read_yaml(declaration, name=name).require(Recordings)
    lines: list[str] = []
    for index, call in enumerate(plan.calls):
        values = _values(call, telemetry, name, index)
        with_decimals = Decimal(1).scaleb(-plan.decimals)
        total = Decimal(0)
        for value in values:
            total = _EXACT.add(total, value)
        mean = _EXACT.divide(total, len(values)).quantize(with_decimals, context=_EXACT)
        request: JsonValue = {"name": plan.tool, "args": {"day": call.day, "stream": call.stream}}
        response: JsonValue = {
            "count": len(values),
            "min": str(min(values)),
            "max": str(max(values)),
            "mean": str(mean),
        }
        line: JsonValue = {"schema_version": 1, "request": request, "response": response}
        lines.append(canonical_json(line))
    write_text(target / plan.file, "\n".join(lines) + "\n")


def _values(call: Call, telemetry: Path, name: str, index: int) -> list[Decimal]:
    file, _, column = call.stream.rpartition("/")
    source = telemetry / f"{file}.csv"
    rows = csv.DictReader(read_text(source, name=source.as_posix()).splitlines())
    try:
        values = [Decimal(row[column]) for row in rows if row["time"].startswith(call.day)]
    except (KeyError, InvalidOperation):
        values = []
    if not values:
        raise InputError(
            f"{call.stream} has no values on {call.day}.",
            path=name,
            pointer=f"/calls/{index}",
            hint=f"head -1 {source.as_posix()}",
        )
    return values
