"""A kill at any moment leaves all or nothing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import InputError, RefusedError
from assay.files import journal
from assay.files.writing import locked, write_new, write_text

SOURCE = Path(__file__).parents[2] / "scripts"


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".assay" not in path.parts
    }


def test_a_new_file_never_replaces_one(tmp_path: Path) -> None:
    write_new(tmp_path / "a", b"1")
    with pytest.raises(RefusedError):
        write_new(tmp_path / "a", b"2")
    assert tree(tmp_path) == {"a": b"1"}


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(RefusedError, match="Another command"), locked(tmp_path):
        pass


def test_no_permission_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(InputError, match="Cannot be written"):
        write_text(tmp_path / "a" / "b", "x")


def test_devices_and_links_are_not_replaced(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="no regular file"):
        write_text(pipe, "x")
    assert pipe.is_fifo()
    (tmp_path / "a").write_text("old")
    link.symlink_to("a")
    write_text(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "a").read_text() == "new"


FILES = [(f"d{i % 7}/f{i}", f"{i}\n".encode()) for i in range(300)]

KILLED = """
import os, sys
sys.path.insert(0, {source!r})
from pathlib import Path
from assay.files import journal
count = 0
def tick(event, args):
    global count
    if event in ("open", "os.rename", "os.mkdir", "shutil.rmtree"):
        count += 1
        if count == {at}:
            os.kill(os.getpid(), 9)
root = Path({root!r})
files = [(f"d{{i % 7}}/f{{i}}", f"{{i}}\\n".encode()) for i in range(300)]
sys.addaudithook(tick)
journal.write_all(root, files)
"""


@pytest.mark.parametrize("at", [1, 2, 5, 150, 303, 304, 305, 306, 308, 400, 500, 605])
def test_a_killed_bulk_write_is_whole_or_absent(tmp_path: Path, at: int) -> None:
    script = KILLED.format(source=str(SOURCE), root=str(tmp_path), at=at)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode in (0, -9), done.stderr.decode()
    before = tree(tmp_path)
    if not journal.pending(tmp_path):
        assert before == {} or before == dict(sorted(FILES))
    with locked(tmp_path):
        journal.finish(tmp_path)
    after = tree(tmp_path)
    assert after == {} or after == dict(sorted(FILES))
    assert not journal.pending(tmp_path)


def test_an_interrupted_write_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = 0
    replace = os.replace

    def stop(source: str, target: str) -> None:
        nonlocal moved
        if Path(target).name != "complete.json":
            moved += 1
            if moved == 100:
                raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        journal.write_all(tmp_path, FILES)
    monkeypatch.undo()
    assert journal.pending(tmp_path)
    assert journal.roll_back(tmp_path) == 99
    assert tree(tmp_path) == {}


def test_a_full_disk_is_looked_at_with_df(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError) as caught:
        write_text(tmp_path / "a b" / "x.txt", "x")
    assert caught.value.hint == f"df -h '{tmp_path}/a b'"
    assert list((tmp_path / "a b").iterdir()) == []
