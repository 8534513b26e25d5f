"""What holds for every test: the engine is never tested on the shipped data.

A test that opens a file below ``truth/``, ``cases/`` or ``runs/`` of this repository must carry
the marker ``domain``: in a fork these folders hold something else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A verdict on our code never depends on how busy the machine is.
settings.register_profile("assay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("assay")

ROOT = str(Path(__file__).resolve().parents[1])
SHIPPED = tuple(f"{ROOT}{os.sep}{name}{os.sep}" for name in ("truth", "cases", "runs", "results"))

_opened: list[str] = []


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if event != "open" or not isinstance(args[0], str) or not args[0].startswith(SHIPPED):
        return
    # Source is no data: hypothesis reads that of every module that any test has imported.
    if not args[0].endswith((".py", ".pyc")):
        _opened.append(args[0])


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def _no_shipped_data(request: pytest.FixtureRequest) -> Iterator[None]:
    _opened.clear()
    yield
    if request.node.get_closest_marker("domain") is None:
        read = sorted({path.removeprefix(f"{ROOT}{os.sep}") for path in _opened})
        assert read == [], "mark the test `domain`, or use a fixture of its own"
