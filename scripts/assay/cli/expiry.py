"""``assay truth expiry``."""

from __future__ import annotations

import click

from assay.cli.common import day_option, format_option, load, print_json


@click.command(
    short_help="Say which labels end, and what the gate loses.",
    epilog="Example: assay truth expiry --within 60d --by owner",
)
@click.option("--within", metavar="SPAN|DAY", help="90d, 12w, 6m, or a day; else params.yaml's.")
@click.option(
    "--by",
    type=click.Choice(["date", "owner", "suite"]),
    default="date",
    show_default=True,
    help="What the table is ordered by.",
)
@click.option("--suite", "suites", multiple=True, help="Only this suite; may be repeated.")
@click.option("--owner", metavar="HANDLE", help="Only what this person answers or signs for.")
@day_option()
@format_option("json", "csv")
@click.pass_context
def expiry(
    ctx: click.Context,
    within: str | None,
    by: str,
    suites: tuple[str, ...],
    owner: str | None,
    today: str | None,
    fmt: str,
) -> None:
    """Say which labels have expired and which ones will, and what the gate has left then.

    Exit code 0, whatever ends.
    """
    from assay.checks.expiring import expiring
    from assay.errors import UsageError
    from assay.ledger.days import add_days, later
    from assay.ledger.editing import nearest
    from assay.ledger.signers import require_person
    from assay.reporting.expiry import expiry_csv, expiry_json, expiry_text

    repository = load(ctx)
    day = today or repository.params.model.today
    for name in suites:
        if name not in repository.suites:
            raise UsageError(f"No suite is called `{name}`.", hint=nearest(name, repository.suites))
    if owner is not None:
        require_person(repository, owner)
    announced = repository.params.model.expiry.warn_within_days
    until = later(day, within) if within else add_days(day, announced)
    if until < day:
        raise UsageError(f"{until} is before {day}.", hint="--within 60d")
    found = expiring(repository, day, until, suites=suites, owner=owner)
    if fmt == "json":
        print_json(expiry_json(found))
    elif fmt == "csv":
        click.echo(expiry_csv(found), nl=False)
    else:
        click.echo(expiry_text(found, by), nl=False)
