"""A small building simulator in whole numbers, driven by a file that names streams and physics.

Every value is an integer in units of the stream's last decimal; noise comes from SHA-256 over
seed, stream and step. No float takes part, so the bytes are the same on every machine.

Kinds of streams:

``profile``  the day's course, 24 hourly values, between which it is interpolated; plus noise
``schedule`` the same without interpolation: a set point, a status
``follow``   moves towards ``target`` by ``permille`` of the distance in each step, and by
             ``pull_permille`` of the distance to ``pull``; plus noise
``counter``  the running sum of ``of``, divided by ``divide``: a meter
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from assay.errors import InputError
from assay.files.writing import write_text
from assay.files.yamls import read_yaml
from assay.models.base import Day, Many, Model, Name

DAY_SECONDS = 86_400


class Stream(Model):
    """One simulated stream."""

    name: Name
    """Its column."""
    kind: Literal["profile", "schedule", "follow", "counter"]
    """Its physics; see the module."""
    decimals: int = Field(default=1, ge=0, le=6)
    """Decimals that are written; values below are in units of the last one."""
    hours: Many[int] = ()
    """Value at each full hour, for profile and schedule."""
    start: int = 0
    """First value, for follow and counter."""
    target: str = ""
    """Stream of the same file that it follows."""
    permille: int = Field(default=0, ge=0, le=1000)
    """Share of the distance to the target that is covered in a step."""
    pull: str = ""
    """Second stream that draws at it."""
    pull_permille: int = Field(default=0, ge=0, le=1000)
    """Share of the distance to the second stream that is covered in a step."""
    of: str = ""
    """Stream that a counter adds up."""
    divide: int = Field(default=1, ge=1)
    """What each addition is divided by."""
    noise: int = Field(default=0, ge=0)
    """Largest deviation."""


class Building(Model):
    """One file of streams that share their instants."""

    file: Name
    """File name below the corpus's folder."""
    streams: Many[Stream] = Field(min_length=1)
    """Streams, in the order in which they depend on each other."""


class Simulation(Model):
    """``corpora/<name>/simulation.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    seed: Name
    """Names the draw."""
    first_day: Day
    """First day, in UTC."""
    days: int = Field(ge=1)
    """Number of days."""
    step_seconds: int = Field(ge=1, le=3600)
    """Seconds between two instants; divides an hour."""
    buildings: Many[Building]
    """The files."""


def simulate(declaration: Path, name: str, target: Path) -> None:
    """Write the files of a simulation into the folder `target`.

    Args:
        declaration: the file that declares it.
        name: its name for messages.
        target: folder to write to.

    Raises:
        InputError: the declaration is wrong.
    """
    plan = read_yaml(declaration, name=name).require(Simulation)
    for building in plan.buildings:
        _check(building, name)
        rows = list(_rows(plan, building))
        head = ",".join(("time", *(stream.name for stream in building.streams)))
        write_text(target / building.file, "\n".join((head, *rows)) + "\n")


def _rows(plan: Simulation, building: Building) -> Iterator[str]:
    first = datetime.datetime.fromisoformat(f"{plan.first_day}T00:00:00+00:00")
    values: dict[str, int] = {}
    for index in range(plan.days * DAY_SECONDS // plan.step_seconds):
        elapsed = index * plan.step_seconds
        for stream in building.streams:
            values[stream.name] = _next(plan, stream, values, index, elapsed)
        instant = first + datetime.timedelta(seconds=elapsed)
        cells = (decimal_text(values[s.name], s.decimals) for s in building.streams)
        yield ",".join((f"{instant:%Y-%m-%dT%H:%M:%SZ}", *cells))


def _check(building: Building, name: str) -> None:
    """See that hours are complete and that streams refer to streams before them."""
    known: list[str] = []
    for stream in building.streams:
        if stream.kind in {"profile", "schedule"} and len(stream.hours) != 24:
            raise InputError(
                f"`{stream.name}` needs 24 hourly values and has {len(stream.hours)}.",
                path=name,
                hint="hours: [ … 24 whole numbers … ]",
            )
        needed = {"follow": [stream.target], "counter": [stream.of]}.get(stream.kind, [])
        for other in [*needed, *([stream.pull] if stream.pull else [])]:
            if other not in known:
                raise InputError(
                    f"`{stream.name}` refers to `{other}`, which is no stream before it.",
                    path=name,
                    hint=f"one of {', '.join(known) or 'none'}",
                )
        known.append(stream.name)


def _next(
    plan: Simulation, stream: Stream, values: dict[str, int], index: int, elapsed: int
) -> int:
    noise = _noise(f"{plan.seed}/{stream.name}/{index}", stream.noise)
    if stream.kind in {"profile", "schedule"}:
        hour, second = divmod(elapsed % DAY_SECONDS, 3600)
        here, after = stream.hours[hour], stream.hours[(hour + 1) % 24]
        if stream.kind == "schedule":
            return here + noise
        return here + (after - here) * second // 3600 + noise
    if not index:
        return stream.start
    before = values[stream.name]
    if stream.kind == "counter":
        return before + max(0, values[stream.of]) // stream.divide
    moved = before + (values[stream.target] - before) * stream.permille // 1000
    if stream.pull:
        moved += (values[stream.pull] - before) * stream.pull_permille // 1000
    return moved + noise


def _noise(key: str, largest: int) -> int:
    if not largest:
        return 0
    drawn = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
    return drawn % (2 * largest + 1) - largest


def decimal_text(units: int, decimals: int) -> str:
    """``-15`` with one decimal is ``-1.5``."""
    if not decimals:
        return str(units)
    digits = f"{abs(units):0{decimals + 1}d}"
    return f"{'-' if units < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"
