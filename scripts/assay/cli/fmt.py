"""``assay fmt``."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.common import day_value, root_of


class _Fmt(click.Group):
    """What follows the name of a part is about that part; anything else is about files."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the part in that is meant where none is named."""
        named = bool(args) and (args[0] in self.commands or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if named else ["files", *args])


@click.group(cls=_Fmt, epilog="Example: assay fmt owners --check")
def fmt(**_: object) -> None:
    """Finish and format new revision files, or write what is derived from others.

    Without a part it is `files`: assay fmt, assay fmt --check, assay fmt FILE.
    """


@fmt.command(epilog="Example: assay fmt files --check truth/records/refunds/refund-0142.r0002.json")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if it would.")
@click.option("--stdout", is_flag=True, help="Print the finished files instead of writing them.")
@click.option(
    "--all", "every", is_flag=True, help="Merged revisions too; breaks append-only history."
)
@click.pass_context
def files(
    ctx: click.Context, files: tuple[Path, ...], only_check: bool, stdout: bool, every: bool
) -> None:
    """Finish and format new revision files.

    Fills in `supersedes`, `case_digest` and the digests of policy texts where they are missing
    and writes the canonical form. Revisions that have been merged are never touched.
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
        click.echo(f"{path}: merged and not canonical; left alone", err=True)
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


# Shown with the group, which passes them on.
fmt.params += [option for option in files.params if isinstance(option, click.Option)]


@fmt.command(epilog="Example: assay fmt owners --check")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if it would.")
@click.option("--stdout", is_flag=True, help="Print the file instead of writing it.")
@click.pass_context
def owners(ctx: click.Context, only_check: bool, stdout: bool) -> None:
    """Write CODEOWNERS from truth/people.yaml and the suites.

    `forge` in truth/people.yaml says which forge it is, and which teams approve what.
    """
    from assay.errors import InputError
    from assay.files.writing import locked, write_text
    from assay.ledger.layout import PEOPLE
    from assay.ledger.owners.files import OWNERS
    from assay.ledger.owners.wanted import owners_text
    from assay.ledger.repository import Repository

    root = root_of(ctx)
    repository = Repository.load(root)
    for fault in (*repository.people.faults, *repository.faults):
        if fault.path == PEOPLE or fault.path.endswith("/suite.yaml"):
            raise InputError(
                fault.message, path=fault.path, line=fault.line, pointer=fault.pointer,
                hint=fault.hint,
            )  # fmt: skip
    people = repository.people.model
    if people.forge is None:
        raise InputError(
            "It names no forge, so there are no teams that could own anything.",
            path=PEOPLE,
            hint="forge: {kind: github, organisation: NAME, teams: {maintainers: A, truth: B}}",
        )
    text, unreachable = owners_text(people.forge, people, repository.suites)
    for item in unreachable:
        click.echo(f"{item.suite}: {item.handle} has neither a team nor a login there", err=True)
    if stdout:
        click.echo(text, nl=False)
        return
    target = root / OWNERS
    if target.is_file() and target.read_bytes() == text.encode():
        click.echo("Nothing to do.", err=True)
        return
    if only_check:
        click.echo(f"{OWNERS} is not what people and suites say: assay fmt owners", err=True)
        ctx.exit(1)
    with locked(root):
        write_text(target, text)
    click.echo(OWNERS)


@fmt.command(epilog="Example: assay fmt today --to 2026-12-01")
@click.option("--to", "day", required=True, metavar="DAY", callback=day_value, help="The new day.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if it would.")
@click.pass_context
def today(ctx: click.Context, day: str, only_check: bool) -> None:
    """Move `today` in params.yaml.

    Everything else in the file stays. Nothing reads the clock: a job passes the day on, in a
    pull request that shows what it does.
    """
    from assay.files.reading import read_text
    from assay.files.writing import locked, write_text
    from assay.ledger.layout import PARAMS
    from assay.ledger.moving_today import moved

    root = root_of(ctx)
    with locked(root):
        before = read_text(root / PARAMS, name=PARAMS)
        after = moved(before, day)
        if after == before:
            click.echo("Nothing to do.", err=True)
            return
        if only_check:
            click.echo(f"{PARAMS} has another today: assay fmt today --to {day}", err=True)
            ctx.exit(1)
        write_text(root / PARAMS, after)
    click.echo(PARAMS)
