"""``assay fmt``."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import root_of


@click.command(epilog="Example: assay fmt --check")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if it would.")
@click.option("--stdout", is_flag=True, help="Print the finished files instead of writing them.")
@click.option(
    "--all", "every", is_flag=True, help="Committed revisions too; breaks append-only history."
)
@click.pass_context
def fmt(
    ctx: click.Context, files: tuple[Path, ...], only_check: bool, stdout: bool, every: bool
) -> None:
    """Finish and format new revision files.

    Fills in `supersedes`, `case_digest` and the digests of policy texts where they are missing
    and writes the canonical form. Revisions that are committed are never touched.
    """
    from assay.errors import InputError
    from assay.ledger.formatting import formatted, write_formatted
    from assay.ledger.repository import Repository

    root = root_of(ctx)
    paths = []
    for file in files:
        try:
            path = file.resolve().relative_to(root).as_posix()
        except ValueError:
            raise InputError("The file lies outside the repository.", path=str(file)) from None
        if not file.is_file():
            raise InputError("There is no such file.", path=path, hint=f"ls {file.parent}")
        paths.append(path)
    repository = Repository.load(root)
    broken = {fault.path: fault for fault in repository.faults if fault.path in paths}
    if broken:
        fault = broken[sorted(broken)[0]]
        raise InputError(
            fault.message,
            path=fault.path,
            line=fault.line,
            column=fault.column,
            pointer=fault.pointer,
            hint=fault.hint,
        )
    result = formatted(repository, paths=paths, every=every)
    for path in result.skipped:
        click.echo(f"{path}: committed and not canonical; left alone", err=True)
    if stdout:
        for data in result.changed.values():
            click.echo(data.decode("utf-8"), nl=False)
        return
    if only_check:
        for path in result.changed:
            click.echo(path)
        if result.changed:
            click.echo(f"{len(result.changed)} files are not finished: assay fmt", err=True)
            ctx.exit(1)
        return
    write_formatted(root, result)
    for path in result.changed:
        click.echo(path)
    if not result.changed:
        click.echo("Nothing to do.", err=True)
