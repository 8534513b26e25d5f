"""What moving the day does, said before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.pipeline.forecast import body, forecast, main, title
from tests.support import finish, make_repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_repository(tmp_path / "bench")
    (made / "params.yaml").write_text(
        (made / "params.yaml").read_text().replace("allow\n", "allow\n  floors: {shop: 0.5}\n")
    )
    return finish(made)


def test_what_expires(root: Path) -> None:
    found = forecast(root, "2027-04-01")
    assert title(found) == "Today is 2027-04-01: 1 case stops to gate"
    assert [(item.case_id, item.owner) for item in found.lost] == [("refund-0142", "cleo")]
    text = body(found)
    assert "| `shop` | 1 → 0 | 100.0 → 0.0 % **under the floor** | 50 % |" in text
    assert "| cleo | `refund-0142` |" in text


def test_a_quiet_day(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    assert main(["2026-12-01"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Today is 2026-12-01\n\n`today` moves from 2026-11-30 to 2026-12-01.\n")
    assert "owner" not in said


def test_wrong_days(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError):
        forecast(root, "2026-11-01")
    monkeypatch.chdir(root)
    assert main(["2026-11-01"]) == 2
    assert main(["soon"]) == 2
