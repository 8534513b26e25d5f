"""Golden files: ``pytest tests/reporting --bless`` writes them anew, for `git diff` to judge."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    with contextlib.suppress(ValueError):  # Another room has the same option.
        parser.addoption("--bless", action="store_true", help="write golden files anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a golden file, or writes it where the run blesses."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--bless", default=False) or os.environ.get("ASSAY_BLESS"):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
        assert path.is_file(), f"{path.name} is missing: pytest tests/reporting --bless"
        assert text == path.read_bytes().decode(), f"{name}: pytest tests/reporting --bless"

    return compare
