"""GitHub's interface, asked through its own command line: arguments are never read by a shell.

Only jobs of the house use this. Nothing that decides a verdict or prints a result does.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Protocol

from assay.errors import RefusedError
from assay.files.reading import parse_json
from assay.models.base import JsonValue


class Api(Protocol):
    """What is asked of a forge."""

    def get(self, path: str, **fields: str) -> JsonValue:
        """The answer; with ``pages="all"`` a list of pages."""

    def send(self, method: str, path: str, body: dict[str, JsonValue]) -> JsonValue:
        """The answer to something that changes the forge."""

    def download(self, path: str, target: Path) -> None:
        """Write what lies there to a file."""


class Gh:
    """The command ``gh``, which takes its token from ``GH_TOKEN``."""

    def get(self, path: str, **fields: str) -> JsonValue:
        """The answer of a question; with ``pages="all"`` a list of pages.

        Raises:
            RefusedError: the forge gives none.
        """
        command = ["api", "--method", "GET", path]
        if fields.pop("pages", "") == "all":
            command += ["--paginate", "--slurp"]
        for name, value in sorted(fields.items()):
            command += ["--raw-field", f"{name}={value}"]
        return parse_json(self._run(command), name="the forge's answer")

    def send(self, method: str, path: str, body: dict[str, JsonValue]) -> JsonValue:
        """The answer to something that changes the forge.

        Raises:
            RefusedError: the forge does not do it.
        """
        data = json.dumps(body).encode()
        command = ["api", "--method", method, path, "--input", "-"]
        return parse_json(self._run(command, data), name="the forge's answer")

    def download(self, path: str, target: Path) -> None:
        """Write what lies there to a file.

        Raises:
            RefusedError: the forge does not give it.
        """
        target.write_bytes(self._run(["api", "--method", "GET", path]))

    def _run(self, command: list[str], data: bytes = b"") -> bytes:
        try:
            done = subprocess.run(
                ["gh", *command], input=data, capture_output=True, check=False, timeout=120
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RefusedError(
                f"gh does not answer: {type(error).__name__}.", hint="gh auth status"
            ) from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise RefusedError(
                f"The forge refuses {command[2]} {command[3]}: {said[0] if said else '?'}",
                hint="the permissions of the workflow",
            )
        return done.stdout
