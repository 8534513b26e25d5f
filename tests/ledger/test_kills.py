"""Commands that write thousands of files, killed: the tree of an undisturbed run, or the old one.

Two thousand labels and fifty kills each of renaming and relabelling, at random moments; and a
few labels with a kill before every operation on a file, and in the middle of every write.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.files.journal import FOLDER, pending, roll_back
from tests.ledger.killing import (
    COMMANDS,
    command,
    copy_of,
    die_at,
    errors,
    labels,
    start,
    whole,
)

pytestmark = pytest.mark.kills

KILLS = [("rename", 0, 25), ("rename", 25, 25), ("uphold", 50, 25), ("fill", 75, 25)]
"""Command, first seed, kills: in parts, so that two cores share them."""

FEW = 3


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return labels(tmp_path_factory.mktemp("many") / "base", 2000)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return labels(tmp_path_factory.mktemp("few") / "base", FEW)


def finished_anyhow(root: Path, name: str, before: dict[str, bytes], rng: random.Random) -> str:
    """Bring a killed command to its end in one of the ways that there are; which one it was."""
    if not pending(root):
        assert command(root, *COMMANDS[name]) == 0, errors(root)
        return "again"
    # Nobody looks at half of it.
    assert command(root, "check") == 3
    assert "interrupted" in errors(root)
    assert command(root, *COMMANDS[name], "--dry-run") == 3
    way = rng.choice(["again", "again", "forward", "back"])
    if way == "forward":
        assert command(root, "doctor", "--roll-forward") == 0, errors(root)
    if way == "back":
        assert command(root, "doctor", "--rollback") == 0, errors(root)
        assert whole(root) == before
    if way != "forward":
        assert command(root, *COMMANDS[name]) == 0, errors(root)
    return way


@pytest.mark.parametrize(("name", "first", "kills"), KILLS)
def test_killed_at_random(many: Path, tmp_path: Path, name: str, first: int, kills: int) -> None:
    before = whole(many)
    undisturbed = copy_of(many, tmp_path / "undisturbed")
    began = time.perf_counter()
    assert command(undisturbed, *COMMANDS[name]) == 0, errors(undisturbed)
    seconds = time.perf_counter() - began
    wanted = whole(undisturbed)
    assert len(wanted) == len(before) + 2001
    ended: list[str] = []
    for seed in range(first, first + kills):
        rng = random.Random(seed)
        root = copy_of(many, tmp_path / f"killed{seed}")
        child = start(root, *COMMANDS[name])
        # Half of them while it writes: most of the time it reads and thinks.
        if seed % 2:
            child.kill_after(rng.uniform(0, 1.1 * seconds))
        else:
            child.kill_after(rng.uniform(0, 0.5 * seconds), appears=root / FOLDER)
        if not pending(root):
            assert whole(root) in (before, wanted)
        ended.append(finished_anyhow(root, name, before, rng))
        assert whole(root) == wanted, (name, seed, ended[-1])
        assert not (root / FOLDER).exists()
        subprocess.run(["rm", "-r", str(root)], check=True)
    assert len(ended) == kills


def test_a_command_as_it_is_typed(few: Path, tmp_path: Path) -> None:
    """Not forked: started by itself, and killed as soon as it writes."""
    wanted = copy_of(few, tmp_path / "wanted")
    assert command(wanted, *COMMANDS["rename"]) == 0
    root = copy_of(few, tmp_path / "r")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-m", "assay.cli.main", "-C", str(root), *COMMANDS["rename"]]
    program = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (root / FOLDER).exists() and program.poll() is None:
        time.sleep(0.0005)
    program.send_signal(signal.SIGKILL)
    program.wait()
    assert subprocess.run(words, env=env, capture_output=True, check=False).returncode == 0
    assert whole(root) == whole(wanted)


def every_point(base: Path, root: Path, *words: str, torn: bool) -> int:
    """How many points there are at which a command can be killed.

    The tree that each leaves is `root` followed by its number.
    """
    number = 0
    while True:
        number += 1
        here = copy_of(base, Path(f"{root}{number}"))
        code = start(here, *words, before=die_at(here, number, torn=torn)).wait()
        if code == 0:
            return number - 1
        assert code == -(signal.SIGXFSZ if torn else signal.SIGKILL), (number, errors(here))


@pytest.mark.parametrize("torn", [False, True], ids=["before", "within"])
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_every_operation(few: Path, tmp_path: Path, name: str, torn: bool) -> None:
    before = whole(few)
    undisturbed = copy_of(few, tmp_path / "undisturbed")
    assert command(undisturbed, *COMMANDS[name]) == 0
    wanted = whole(undisturbed)
    points = every_point(few, tmp_path / "at", *COMMANDS[name], torn=torn)
    assert points > (3 if torn else 4 * FEW)
    waiting = 0
    for number in range(1, points + 1):
        root = tmp_path / f"at{number}"
        waiting += pending(root)
        if not pending(root):
            assert whole(root) in (before, wanted), number
        finished_anyhow(root, name, before, random.Random(number))
        assert whole(root) == wanted, number
        assert not (root / FOLDER).exists()
    # Files are moved when the last one has been written; nothing is torn from then on.
    assert (waiting == 0) == torn


@pytest.mark.parametrize("way", ["--roll-forward", "--rollback"])
def test_what_finishes_it_can_be_killed_too(few: Path, tmp_path: Path, way: str) -> None:
    before, name = whole(few), "rename"
    undisturbed = copy_of(few, tmp_path / "undisturbed")
    assert command(undisturbed, *COMMANDS[name]) == 0
    wanted = whole(undisturbed)
    every_point(few, tmp_path / "at", *COMMANDS[name], torn=False)
    halves = [path for path in sorted(tmp_path.glob("at*[0-9]")) if pending(path)]
    assert len(halves) > FEW
    for half in halves[::3]:
        points = every_point(half, tmp_path / f"{half.name}-", "doctor", way, torn=False)
        for number in range(1, points + 1):
            root = tmp_path / f"{half.name}-{number}"
            assert command(root, *COMMANDS[name]) == 0, errors(root)
            assert whole(root) == wanted, (half.name, number)
            assert not (root / FOLDER).exists()
    # What was rolled back half way is rolled back to the end, by whichever command comes next.
    if way == "--rollback":
        half = copy_of(halves[len(halves) // 2], tmp_path / "half")
        start(half, "doctor", way, before=die_at(half, 4)).wait()
        assert (half / FOLDER / "undo.json").exists()
        assert pending(half)
        assert roll_back(half) >= 0
        assert whole(half) == before


def test_a_single_revision_waits_for_nobody(few: Path, tmp_path: Path) -> None:
    """A killed rename, then somebody revises one label: the rename is finished first."""
    undisturbed = copy_of(few, tmp_path / "undisturbed")
    assert command(undisturbed, *COMMANDS["rename"]) == 0
    points = every_point(few, tmp_path / "at", *COMMANDS["rename"], torn=False)
    half = next(p for n in range(1, points) if pending(p := tmp_path / f"at{n}"))
    words = ("campaign", "uphold", "to-refunds-v8", "--adjudicator", "cleo")
    for root in (undisturbed, half):
        assert command(root, *words) == 0, errors(root)
    assert whole(half) == whole(undisturbed)


def test_what_stands_in_the_way_is_named_and_can_be_put_right(few: Path, tmp_path: Path) -> None:
    points = every_point(few, tmp_path / "at", *COMMANDS["rename"], torn=False)
    half = next(p for n in range(1, points) if pending(p := tmp_path / f"at{n}"))
    folder = half / "truth/campaigns"
    folder.rename(half / "elsewhere")
    folder.write_text("a file")
    assert command(half, *COMMANDS["rename"]) == 1
    assert "assay doctor --roll-forward" in errors(half)
    assert pending(half)
    folder.unlink()
    (half / "elsewhere").rename(folder)
    assert command(half, "doctor", "--roll-forward") == 0
    undisturbed = copy_of(few, tmp_path / "undisturbed")
    assert command(undisturbed, *COMMANDS["rename"]) == 0
    assert whole(half) == whole(undisturbed)
