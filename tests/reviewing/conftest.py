"""Golden files of reviews: ``ASSAY_BLESS=1 pytest tests/reviewing`` writes them anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a golden file, or writes it where the run blesses."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--bless", default=False) or os.environ.get("ASSAY_BLESS"):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
        assert path.is_file(), f"{name} is missing: ASSAY_BLESS=1 pytest tests/reviewing"
        assert text == path.read_bytes().decode(), f"{name}: ASSAY_BLESS=1 pytest tests/reviewing"

    return compare
