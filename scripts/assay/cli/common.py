"""What several commands share: options, the repository, JSON on standard output."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.errors import UsageError
from assay.ledger.layout import find_root

if TYPE_CHECKING:
    from assay.ledger.repository import Repository
    from assay.models.base import JsonValue

F = TypeVar("F", bound=Callable[..., Any])


def optional_root(ctx: click.Context) -> Path | None:
    """The benchmark repository that a command works in, for commands that need none."""
    given = ctx.find_root().obj
    start = Path(given) if given else Path.cwd()
    found = find_root(start.resolve())
    if found is None and not given and os.environ.get("ASSAY_ROOT"):
        # Called from outside: the launcher says which repository it belongs to.
        found = find_root(Path(os.environ["ASSAY_ROOT"]))
    return found


def root_of(ctx: click.Context) -> Path:
    """The benchmark repository that a command works in.

    Raises:
        UsageError: there is none.
    """
    found = optional_root(ctx)
    if found is None:
        given = ctx.find_root().obj
        start = Path(given) if given else Path.cwd()
        raise UsageError(
            "This is no benchmark repository: there is no truth/ with a params.yaml beside it"
            " here or above.",
            path=start.as_posix(),
            hint="cd into the repository, or assay -C FOLDER …",
        )
    return found


def load(ctx: click.Context) -> Repository:
    """The repository, loaded."""
    from assay.ledger.repository import Repository

    return Repository.load(root_of(ctx))


def load_to_write(ctx: click.Context, *, dry_run: bool = False) -> Repository:
    """The repository, loaded for a command that writes what follows from it.

    A bulk write that was interrupted is finished first: what it has not moved into place yet
    would be missing.

    Args:
        ctx: the command.
        dry_run: nothing may be written.

    Raises:
        RefusedError: another command is writing, or a dry run finds an interrupted one.
        UsageError: there is no repository.
    """
    from assay.errors import RefusedError
    from assay.files.journal import finish, left_over, pending
    from assay.files.writing import locked

    root = root_of(ctx)
    if dry_run and pending(root):
        raise RefusedError(
            "A bulk write was interrupted here; part of the truth may be missing.",
            hint="assay doctor --roll-forward, or assay doctor --rollback",
        )
    if not dry_run and left_over(root):
        with locked(root):
            moved = finish(root)
        if moved:
            click.echo(f"An interrupted bulk write is finished: {moved:,} files moved.", err=True)
    return load(ctx)


def format_option(*formats: str) -> Callable[[F], F]:
    """The option ``--format``; `text` is always the first."""
    return click.option(
        "--format",
        "fmt",
        type=click.Choice(["text", *formats]),
        default="text",
        show_default=True,
        help="Shape of what is printed; json is documented and versioned.",
    )


def print_json(value: JsonValue) -> None:
    """Print a JSON value and nothing else, so that no terminal acts on what it holds."""
    from assay.reporting.json_out import json_document

    click.echo(json_document(value), nl=False)


def day_option() -> Callable[[F], F]:
    """The option ``--today``."""
    return click.option(
        "--today",
        metavar="DAY",
        callback=day_value,
        help="The day to judge at; else params.yaml's.",
    )


def day_value(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A day that was typed; what is none is refused."""
    if value is None:
        return None
    from pydantic import TypeAdapter, ValidationError

    from assay.models.base import Day

    try:
        return TypeAdapter(Day).validate_python(value)
    except ValidationError:
        raise click.BadParameter(f"{value!r} is no day; write it as YYYY-MM-DD.") from None
