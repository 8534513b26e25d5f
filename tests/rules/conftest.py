"""``pytest tests/rules --bless`` rewrites what is expected; read the difference first."""

from __future__ import annotations

import contextlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    with contextlib.suppress(ValueError):  # Another room has the same option.
        parser.addoption("--bless", action="store_true", help="Rewrite expected files.")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    # Absent where the whole suite runs: this file is then loaded after the options are read.
    return bool(request.config.getoption("--bless", default=False))
