"""What ``scripts/repro`` runs: prove the data, run dvc, show the scoreboard."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from assay.errors import AssayError, InputError, RefusedError, UsageError
from assay.files.writing import locked
from assay.models.finding import Finding
from assay.pipeline.running_dvc import forget_the_dead, keep, run_dvc
from assay.telemetry.bringing import bring

SCOREBOARD = "report/scoreboard.txt"


def main(arguments: Sequence[str]) -> int:
    """Reproduce everything, or what one suite needs.

    Args:
        arguments: the repository's root; then ``--suite NAME`` as often as wanted, and
            anything else for ``dvc repro``.

    Returns:
        0 fine; 1 a file is wrong or a stage failed; 2 wrong use; 3 data or git is missing, or
        another command is writing; 130 and 143 stopped by a signal.
    """
    try:
        root = Path(arguments[0])
        suites, others = split_arguments(arguments[1:])
        require_clone(root)
        wanted = targets(root, suites)
        with locked(root):
            findings = bring(root, _say)
            if findings:
                return refuse(findings)
            forget_the_dead(root)
            keep(root)
            code = run_dvc(root, [*others, *wanted])
            if code:
                return code
            show(root, suites)
    except AssayError as error:
        _say(f"repro: {error}")
        return error.exit_code
    return 0


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Suites that were asked for, and what is passed on.

    Raises:
        UsageError: ``--suite`` without a name.
    """
    suites: list[str] = []
    others: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word.startswith("--suite="):
            suites.append(word.removeprefix("--suite="))
        elif word == "--suite":
            if not left:
                raise UsageError("--suite needs a name.", hint="./scripts/repro --suite NAME")
            suites.append(left.pop(0))
        else:
            others.append(word)
    return suites, others


def targets(root: Path, suites: Sequence[str]) -> list[str]:
    """The stages that score these suites; none where everything is wanted.

    Raises:
        UsageError: a suite that the pipeline does not build.
    """
    if not suites:
        return []
    from assay.files.yamls import read_yaml

    value = read_yaml(root / "params.yaml", name="params.yaml").value
    known = value.get("suites") if isinstance(value, dict) else None
    names = [str(name) for name in known] if isinstance(known, list) else []
    for suite in suites:
        if suite not in names:
            raise UsageError(
                f"No suite is called {suite}.",
                path="params.yaml",
                hint=f"./scripts/repro --suite {names[0]}" if names else "add it to suites",
            )
    return [f"score@{suite}" for suite in suites]


def require_clone(root: Path) -> None:
    """See that git runs and that the root is a clone: dvc needs both.

    Raises:
        RefusedError: it is not so.
    """
    if shutil.which("git") is None:
        raise RefusedError("git is not installed.", hint="apt install git")
    done = subprocess.run(
        ["git", "-C", root, "rev-parse", "--is-inside-work-tree"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if "dubious ownership" in done.stderr:
        raise RefusedError(
            "The clone belongs to somebody else, and git refuses to use it.",
            path=root.as_posix(),
            hint=f"git config --global --add safe.directory '{root}'",
        )
    raise RefusedError(
        f"This is no git clone: {lines[0] if lines else 'git gives no reason'}.",
        path=root.as_posix(),
        hint="git clone it, or: git init && git add -A && git commit -m 'First state'",
    )


def refuse(findings: Sequence[Finding]) -> int:
    """Say why nothing is run: 3 where data is missing, 1 where it is wrong."""
    for finding in findings:
        error = InputError(
            f"{finding.code} {finding.message}",
            path=finding.path,
            line=finding.line,
            column=finding.column,
            pointer=finding.pointer,
            hint=finding.hint,
        )
        _say(f"repro: {error}")
    return 3 if all(finding.code == "DAT002" for finding in findings) else 1


def show(root: Path, suites: Sequence[str]) -> None:
    """Print the scoreboard; for single suites say where their results lie."""
    board = root / SCOREBOARD
    if suites:
        for suite in suites:
            print(f"scores/{suite}")
    elif board.is_file():
        print(board.read_text(encoding="utf-8"), end="")


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
