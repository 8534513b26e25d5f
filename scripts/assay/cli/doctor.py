"""``assay doctor``."""

from __future__ import annotations

import platform
import shutil
import sys

import click

from assay import __version__
from assay.cli.common import format_option, print_json, root_of
from assay.models.base import JsonValue


@click.command(epilog="Example: assay doctor")
@click.option("--rollback", is_flag=True, help="Throw an interrupted bulk write away.")
@click.option("--roll-forward", is_flag=True, help="Finish an interrupted bulk write.")
@format_option("json")
@click.pass_context
def doctor(ctx: click.Context, rollback: bool, roll_forward: bool, fmt: str) -> None:
    """Look at this machine and this clone; writes only when told to."""
    from assay.errors import UsageError
    from assay.files.journal import finish, pending, roll_back
    from assay.files.writing import locked
    from assay.ledger.git import repo_of

    root = root_of(ctx)
    if rollback and roll_forward:
        raise UsageError("--rollback and --roll-forward exclude each other.")
    if rollback:
        click.echo(f"{roll_back(root)} files removed; the bulk write is undone.")
        return
    if roll_forward:
        with locked(root):
            moved = finish(root)
        click.echo(f"{moved} files moved into place; the bulk write is complete.")
        return
    repo = repo_of(root)
    rows: dict[str, JsonValue] = {
        "engine": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "root": root.as_posix(),
        "git": shutil.which("git") or "missing: install git for history and reviews",
        "repository": "yes" if repo is not None else "no git repository here",
        "dvc": _dvc_version(),
        "interrupted_write": (
            "yes: assay doctor --roll-forward or --rollback" if pending(root) else "none"
        ),
    }
    if fmt == "json":
        print_json({"schema_version": 1, **rows})
        return
    for name, value in rows.items():
        click.echo(f"{name.replace('_', ' '):<18} {value}")


def _dvc_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dvc")
    except PackageNotFoundError:
        return "missing: ./scripts/repro installs it"
