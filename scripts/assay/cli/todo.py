"""``assay todo``."""

from __future__ import annotations

import click

from assay.cli.common import day_option, format_option, load, print_json


@click.command(epilog="Example: assay todo --as dara")
@click.option("--as", "handle", metavar="HANDLE", help="Whose; else who git says you are.")
@click.option("--base", metavar="COMMIT", help="The branch that pull requests go to; else main.")
@day_option()
@format_option("json")
@click.pass_context
def todo(
    ctx: click.Context, handle: str | None, base: str | None, today: str | None, fmt: str
) -> None:
    """List what waits for HANDLE: revisions to sign, disputes, labels that end, campaigns.

    Exit code 0, whether anything waits or not.
    """
    from assay.errors import UsageError
    from assay.ledger.git import ask, other_base
    from assay.ledger.signers import require_person
    from assay.pipeline.waiting import todo as waiting
    from assay.reporting.todo import todo_json, todo_text

    repository = load(ctx)
    if handle is None:
        mail = (ask(repository.root, "config", "user.email") or "").strip()
        handle = repository.who.handle_of(mail) if mail else None
    if handle is None:
        known = ", ".join(sorted(repository.people.model.people)[:8])
        raise UsageError(
            "git does not say who you are, or truth/people.yaml does not know the address.",
            hint=f"--as HANDLE   known: {known}",
        )
    require_person(repository, handle)
    day = today or repository.params.model.today
    found = waiting(repository, handle, day, base or other_base(repository.root))
    if fmt == "json":
        print_json(todo_json(found))
        return
    click.echo(todo_text(found), nl=False)
