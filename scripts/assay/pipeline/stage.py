"""What every stage does: run in the repository's root, and end with a message and a code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.files.reading import read_json
from assay.files.validation import require
from assay.models.params import Params

BUILD = "build"
PARAMS = "build/params.json"


def run_stage(stage: Callable[[Path, list[str]], int]) -> None:
    """Run a stage in the current folder and exit with its code.

    A stage is a child of dvc; when dvc is killed, an orphan could otherwise go on and write old
    results over new ones, so the stage dies with its parent where the system can do that.
    """
    _die_with_parent()
    try:
        code = stage(Path.cwd(), sys.argv[1:])
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    sys.exit(code)


def _die_with_parent() -> None:
    if not sys.platform.startswith("linux"):
        return
    import ctypes
    import signal

    try:
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    except (AttributeError, OSError):
        return


def stage_params(root: Path) -> Params:
    """The parameters as the stage `truth` wrote them, defaults filled in.

    Raises:
        InputError: the stage `truth` has not run.
    """
    path = root / PARAMS
    if not path.exists():
        raise InputError("The truth has not been compiled.", path=PARAMS, hint="./scripts/repro")
    return require(Params, read_json(path, name=PARAMS), name=PARAMS)
