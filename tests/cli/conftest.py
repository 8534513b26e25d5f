"""Commands in this process, as they are typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
"""Words of a command to its exit code, output and errors."""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    from assay.cli.main import main

    def call(*args: str, root: Path = tmp_path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["-C", str(root), *args])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        code = caught.value.code
        assert isinstance(code, int)
        return code, out, err

    return call
