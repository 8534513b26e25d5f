"""Scoring a stored run again: under the data of another commit, under the code of another one.

`here` scores with the code that runs now; `elsewhere` runs the code of a checkout in a process
of its own, which cannot reach a network, and asks it only for what every version of the command
has had.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import assay
from assay.errors import AssayError, InputError, RefusedError
from assay.files.canonical import digest
from assay.files.model_text import plain
from assay.files.reading import json_lines, read_json
from assay.files.validation import require
from assay.ledger.repository import Repository
from assay.models.result import CaseResult, Result
from assay.pipeline.direct import from_repository, judge, score_files
from assay.scoring.selection import Selection

SECONDS = 300
"""How long the code of another commit may take for one run."""

_APART = ("reporting", "telemetry")
"""Rooms of the package that no score passes through."""

_START = """\
import socket, sys
def offline(*arguments, **options):
    raise OSError("there is no network here")
socket.socket.connect = socket.socket.connect_ex = offline
socket.create_connection = socket.getaddrinfo = offline
sys.path.insert(0, sys.argv.pop(1))
from assay.cli.main import main
main(sys.argv[1:])
"""


class CodeError(AssayError):
    """The code of another commit cannot run here; nothing is known of what it would say."""

    exit_code = RefusedError.exit_code


@dataclass(frozen=True)
class Rescored:
    """A run scored again."""

    result: Mapping[str, Any]
    """The result as JSON: the code of another commit may have other fields."""
    lines: tuple[Mapping[str, Any], ...]
    """A line a case and trial, as JSON."""

    def models(self) -> tuple[Result, tuple[CaseResult, ...]]:
        """The same as models of today.

        Raises:
            InputError: the code that made them has other fields.
        """
        name = "scores of another commit"
        lines = (require(CaseResult, dict(line), name=name) for line in self.lines)
        return require(Result, dict(self.result), name=name), tuple(lines)


class Here:
    """Scores a run with the code that runs now; what has the same context is scored once."""

    def __init__(self, file: Path, suite: str) -> None:
        self.file, self.suite = file, suite
        self._known: dict[str, Rescored] = {}

    def score(self, root: Path, selection: Selection) -> Rescored:
        """The run under the data of a folder.

        Args:
            root: the repository, or a view of another commit.
            selection: what is asked for.

        Raises:
            AssayError: nothing can be scored there; the message says why.
        """
        judged = judge(Repository.load(root))
        key = self._key(judged, selection)
        if key not in self._known:
            (scored,) = score_files(judged, [self.file], selection, suite=self.suite)
            result = plain(scored.result)
            assert isinstance(result, dict)
            lines = tuple(plain(line) for line in scored.lines)
            self._known[key] = Rescored(result, lines)  # type: ignore[arg-type]
        return self._known[key]

    def _key(self, judged: Any, selection: Selection) -> str:
        against = from_repository(judged.world.repository, judged.compiled, self.suite)
        return digest(
            [
                plain(against.context),
                [
                    [e.case_id, e.content_hash, e.gates, [x.code for x in e.exclusions]]
                    for e in against.truths
                ],
                plain(against.suite),
                list(selection.only),
                judged.world.today,
            ]
        )


def elsewhere(code: Path, view: Path, file: Path, suite: str) -> Rescored:
    """A run scored by the code of another commit.

    Args:
        code: folder that holds the package ``assay`` of that commit.
        view: a view of the repository, with truth, cases and parameters.
        file: the run.
        suite: the suite.

    Raises:
        CodeError: the code cannot run with the packages at hand, or takes too long.
        InputError: it runs, and says that the data cannot be scored.
    """
    with TemporaryDirectory(prefix="assay-scores-") as folder:
        command = [
            sys.executable, "-P", "-B", "-c", _START, str(code), "-C", str(view), "score",
            "--runs", str(file), "--suite", suite, "--allow-empty", "--out", folder,
        ]  # fmt: skip
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ASSAY_"))}
        try:
            done = subprocess.run(
                command,
                cwd=view,
                env={**kept, "PYTHONUTF8": "1", "NO_PROXY": "*"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise CodeError(f"it did not end within {SECONDS} seconds") from None
        made = sorted((Path(folder) / suite).glob("*.json"))
        if len(made) == 1 and done.returncode in (0, 1):
            return _read(made[0])
        words = _last_words(done.stderr)
        if done.returncode in (1, 2, 3) and done.stderr.lstrip().startswith("assay: "):
            raise InputError(words.removeprefix("assay: "))
        raise CodeError(words or f"it ended with {done.returncode}")


def _read(path: Path) -> Rescored:
    result = read_json(path)
    lines = [value for _, value in json_lines(path.with_suffix(".jsonl"))]
    if not isinstance(result, dict) or not all(isinstance(line, dict) for line in lines):
        raise CodeError("it writes scores of another shape")
    return Rescored(result, tuple(lines))  # type: ignore[arg-type]


def _last_words(text: str) -> str:
    """The message of an error; of a traceback, which ends with it, the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    return lines[-1] if "Traceback" in text or lines[0].startswith("Usage:") else lines[0]


def package_digest(package: Path) -> str:
    """SHA-256 over path and content of every module that a score may pass through.

    Args:
        package: the folder ``assay`` of any version.
    """
    total = hashlib.sha256()
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    for name in sorted(files):
        if name.split("/", 1)[0] not in _APART:
            content = hashlib.sha256(files[name].read_bytes().replace(b"\r\n", b"\n")).hexdigest()
            total.update(f"{name} {content}\n".encode())
    return total.hexdigest()


@cache
def own_digest() -> str:
    """`package_digest` of the code that runs now."""
    return package_digest(Path(assay.__file__).parent)
