"""`assay fmt owners` and `assay fmt today`, and that files still go without a part."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import assay
from assay.errors import AssayError, InputError, RefusedError
from assay.ledger.moving_today import moved
from tests.support import finish, make_repository

FORGE = "forge: {kind: github, organisation: org, teams: {maintainers: house, truth: labels}}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = finish(make_repository(tmp_path / "bench"))
    with (made / "truth/people.yaml").open("a") as stream:
        stream.write(FORGE)
    return made


def run(root: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(assay, ["-C", str(root), "fmt", *arguments])
    if isinstance(done.exception, AssayError):
        return done.exception.exit_code, str(done.exception)
    return done.exit_code, done.output


def test_owners(root: Path) -> None:
    assert run(root, "owners", "--check")[0] == 1
    code, shown = run(root, "owners", "--stdout")
    assert code == 0
    assert not (root / "CODEOWNERS").exists()
    assert run(root, "owners")[0] == 0
    assert (root / "CODEOWNERS").read_text() in shown
    assert run(root, "owners", "--check") == (
        0,
        "shop: cleo has neither a team nor a login there\nNothing to do.\n",
    )


def test_owners_without_a_forge(root: Path) -> None:
    file = root / "truth/people.yaml"
    file.write_text(file.read_text().replace(FORGE, ""))
    code, said = run(root, "owners")
    assert (code, "names no forge" in said) == (1, True)


def test_owners_of_broken_people(root: Path) -> None:
    (root / "truth/people.yaml").write_text("people: 3\n")
    code, said = run(root, "owners")
    assert (code, said.startswith("truth/people.yaml:1")) == (1, True)


def test_today(root: Path) -> None:
    before = (root / "params.yaml").read_text()
    assert run(root, "today", "--to", "2026-12-01", "--check")[0] == 1
    assert (root / "params.yaml").read_text() == before
    assert run(root, "today", "--to", "2026-12-01")[0] == 0
    assert (root / "params.yaml").read_text() == before.replace("2026-11-30", "2026-12-01")
    assert run(root, "today", "--to", "2026-12-01")[0] == 0
    assert run(root, "today", "--to", "2026-11-01")[0] == 3
    assert run(root, "today", "--to", "soon")[0] == 2


@pytest.mark.parametrize(
    "line", ['today:  "2026-11-30"  # why', "today: '2026-11-30'", 'today: "2026-11-30"']
)
def test_only_the_day_moves(line: str) -> None:
    text = f"# today: one\n{line}\nsuites: []\n"
    assert moved(text, "2026-12-01") == text.replace(
        line.split("#")[0].strip(), 'today: "2026-12-01"'
    )


def test_a_day_that_cannot_be_moved() -> None:
    with pytest.raises(InputError, match="cannot be moved"):
        moved('{today: "2026-11-30"}\n', "2026-12-01")
    with pytest.raises(RefusedError):
        moved('today: "2026-11-30"\n', "2026-11-29")


def test_files_without_a_part(root: Path) -> None:
    assert run(root)[0] == 0
    assert run(root, "--check")[0] == 0
    record = next((root / "truth/records").rglob("*.json"))
    assert run(root, str(record), "--check")[0] == 0
    assert run(root, "files", str(record))[0] == 0
    code, shown = run(root, "--help")
    assert (code, "owners" in shown, "--check" in shown) == (0, True, True)
