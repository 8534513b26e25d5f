"""Real processes that run a command of ours and are killed while they write.

They are forked, so that the command is imported once, and from then on are like any other: what
kills them is SIGKILL, by a clock, before a chosen operation on a file, or in the middle of one.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tests.support import case, make_repository, record
from tests.support import finish as finished

SAME_CLAUSE = "# Refunds\n\n## 3.2 Window\n\nThirty days from delivery.\n"
TORN = 40
"""Bytes after which a torn write ends."""

COMMANDS = {
    "rename": ("truth", "rename"),
    "uphold": ("campaign", "uphold", "to-refunds-v8", "--adjudicator", "cleo"),
    "fill": ("campaign", "fill", "to-refunds-v8", "--from", "suggested.jsonl", "--drafted-by",
             "ana"),
}  # fmt: skip
"""The commands that write many revisions."""


def labels(root: Path, number: int) -> Path:
    """A tree of gold labels under old names and an old policy, with a campaign to the new one."""
    names = [f"c{index:04d}" for index in range(number)]
    tools = ["refund_order", "lookup_order"]
    make_repository(
        root,
        [record(name, required_tools=tools) for name in names],
        [case(name, "Refund.") for name in names],
    )
    (root / "truth/policies/refunds-v8.md").write_text(SAME_CLAUSE)
    finished(root)
    assert command(root, "campaign", "open", "--policy", "refunds-v8") == 0
    suggested = "".join(
        f'{{"case_id": "{name}", "facts": [{{"id": "none", "any_of": ["nothing"]}}]}}\n'
        for name in names
    )
    (root / "suggested.jsonl").write_text(suggested)
    return root


def copy_of(base: Path, root: Path) -> Path:
    """The same files once more, by links: no command of ours writes into a file that is there."""
    subprocess.run(["cp", "-al", str(base), str(root)], check=True)
    return root


def whole(root: Path) -> dict[str, bytes]:
    """Path to content of every file of a tree; what `.assay` holds is nobody's."""
    found: dict[str, bytes] = {}
    for folder, _, names in os.walk(root):
        if ".assay" not in folder:
            for name in names:
                path = f"{folder}/{name}"
                found[path.removeprefix(f"{root}/")] = Path(path).read_bytes()
    return found


@dataclass
class Child:
    """A command in a process of its own."""

    pid: int

    def wait(self) -> int:
        """Its exit code; that of a signal is negative."""
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)

    def kill_after(self, seconds: float, *, appears: Path | None = None) -> int:
        """Kill it, if it has not ended before; its exit code.

        Args:
            seconds: how long it may live.
            appears: how long it may live after this has come into being.
        """
        while appears is not None and not appears.exists():
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.001)
        time.sleep(seconds)
        os.kill(self.pid, signal.SIGKILL)  # Not waited for yet: the number is still its own.
        return self.wait()


def start(root: Path, *words: str, before: Callable[[], object] | None = None) -> Child:
    """Run a command in a tree.

    Args:
        root: the tree.
        words: the command.
        before: what the process does first.
    """
    import assay.cli.main  # Imported here, so that no child does it.

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Threads of xdist: none is ours.
        pid = os.fork()
    if not pid:
        _run(root, words, before, assay.cli.main.main)
    return Child(pid)


def _run(
    root: Path,
    words: Sequence[str],
    before: Callable[[], object] | None,
    main: Callable[[list[str]], None],
) -> NoReturn:
    code = 99
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        errors = os.open(f"{root}.errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(errors, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.chdir(root)
        if before is not None:
            before()
        main(["-C", str(root), *words])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 98
    finally:
        sys.stderr.flush()
        os._exit(code)


def command(root: Path, *words: str) -> int:
    """Run a command to its end; its exit code."""
    return start(root, *words).wait()


def errors(root: Path) -> str:
    """What the last command in a tree said."""
    return Path(f"{root}.errors").read_text(encoding="utf-8")


_OPERATIONS = frozenset(
    {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "open"}
)


def die_at(root: Path, number: int, *, torn: bool = False) -> Callable[[], None]:
    """Kills the process before its n-th operation that changes files of a tree.

    Args:
        root: the tree.
        number: one-based.
        torn: it is a file that is opened to be written, the n-th one; the kernel kills the
            process when it has written `TORN` bytes of it or of a later one.
    """
    inside = f"{root}/"

    def begin() -> None:
        seen = 0

        def tick(event: str, args: tuple[Any, ...]) -> None:
            nonlocal seen
            if event not in _OPERATIONS:
                return
            writes = event != "open" or bool((args[2] or 0) & (os.O_WRONLY | os.O_RDWR))
            # What is removed with its folder is named relative to it.
            here = str(args[0]).startswith(inside) or (event == "os.remove" and args[-1] != -1)
            if writes and here and (event == "open" or not torn):
                count()

        def count() -> None:
            nonlocal seen
            seen += 1
            if seen == number and torn:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_FSIZE, (TORN, TORN))
            elif seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def counted(function: Callable[..., object]) -> Callable[..., object]:
            def call(*arguments: object) -> object:
                if not torn:
                    count()
                return function(*arguments)

            return call

        os.sync, os.fsync = counted(os.sync), counted(os.fsync)  # type: ignore[assignment]
        sys.addaudithook(tick)

    return begin
