"""``assay campaign``: open, fill, uphold, status, close."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.common import day_option, format_option, load, load_to_write, print_json

if TYPE_CHECKING:
    from assay.ledger.bulk import Bulk
    from assay.ledger.repository import Repository

_WHERE = click.option(
    "--where", multiple=True, metavar="KEY=VALUE", help="Only these: suite, owner, clause, slice …"
)
_DRY = click.option("--dry-run", is_flag=True, help="Show it and write nothing.")


@click.group(epilog="Example: assay campaign open --policy refunds-v8 --dry-run")
def campaign() -> None:
    """Move labels to a new version of a policy."""


@campaign.command(
    "open",
    short_help="Freeze the list of records that a policy version touches.",
    epilog="Example: assay campaign open --policy refunds-v8 --due 2027-02-15 --dry-run",
)
@click.option("--policy", "version", required=True, metavar="VERSION", help="The new version.")
@click.option("--id", "name", metavar="NAME", help="Name of the campaign; else `to-VERSION`.")
@click.option("--due", metavar="DAY", help="By when; else the day before the version takes effect.")
@click.option("--why", default="", help="What moved, in a sentence.")
@click.option("--minutes", type=click.IntRange(1), default=6, show_default=True, help="For a case.")
@_WHERE
@_DRY
@day_option()
@click.pass_context
def open_(
    ctx: click.Context,
    version: str,
    name: str | None,
    due: str | None,
    why: str,
    minutes: int,
    where: tuple[str, ...],
    dry_run: bool,
    today: str | None,
) -> None:
    """Show how large a campaign would be and what the gate loses without it; then freeze it."""
    from assay.checks.forecasting import losses
    from assay.errors import RefusedError
    from assay.ledger.campaigns.affected import affected
    from assay.ledger.campaigns.files import cases_digest, cases_text, open_campaign
    from assay.ledger.campaigns.progress import effective
    from assay.ledger.days import add_days, later
    from assay.ledger.policies import effective_day
    from assay.ledger.selecting import parse_where
    from assay.models.campaign import Campaign
    from assay.reporting.campaign import size_text

    repository = load_to_write(ctx, dry_run=dry_run)
    conditions = parse_where(where)
    cases = affected(repository, version, conditions)
    if not cases:
        raise RefusedError(
            f"No record is under another version of this family than {version}.",
            hint="assay campaign status",
        )
    day = today or repository.params.model.today
    from_day = effective_day(repository.policies.model, version) or day
    made = Campaign(
        id=name or f"to-{version}",
        policy=version,
        opened=day,
        due=later(day, due) if due else max(add_days(from_day, -1), day),
        why=why or f"{version} takes effect on {from_day}.",
        where=conditions,
        minutes=minutes,
        cases=len(cases),
        digest=cases_digest(cases_text(cases)),
    )
    suites = sorted({case.suite for case in cases})
    lost = losses(repository, max(effective(repository, made), day), suites)
    click.echo(size_text(made, cases, lost, effective(repository, made)), nl=False, err=not dry_run)
    if dry_run:
        return
    path = open_campaign(repository.root, made, cases)
    click.echo(f"\nNext  assay campaign uphold {made.id} --dry-run", err=True)
    click.echo(path)


@campaign.command(
    short_help="Keep records whose clauses say the same in the new version.",
    epilog="\b\nExample:\n"
    "  assay campaign uphold to-refunds-v8 --where clause=refunds-v7#3.4 --adjudicator dara",
)
@click.argument("name")
@click.option("--adjudicator", required=True, metavar="HANDLE", help="Who signs for them.")
@click.option("--why", default="", help="A sentence of the rationale.")
@_WHERE
@_DRY
@format_option("json")
@click.pass_context
def uphold(
    ctx: click.Context,
    name: str,
    adjudicator: str,
    why: str,
    where: tuple[str, ...],
    dry_run: bool,
    fmt: str,
) -> None:
    """Write the next revision of open cases of NAME whose clauses have not changed."""
    from assay.errors import UsageError
    from assay.ledger.campaigns.files import load_campaign
    from assay.ledger.campaigns.moving import uphold as upheld
    from assay.ledger.editing import nearest
    from assay.ledger.selecting import parse_where

    repository = load_to_write(ctx, dry_run=dry_run)
    people = repository.people.model.people
    if adjudicator not in people:
        raise UsageError(f"Nobody is called `{adjudicator}`.", hint=nearest(adjudicator, people))
    stored = load_campaign(repository.root, name)
    conditions = parse_where(where)
    words = why or f"The clauses that it rests on say the same in {stored.campaign.policy}."
    bulk, changed = upheld(repository, stored, conditions, adjudicator=adjudicator, why=words)
    command = ["campaign", "uphold", name, "--adjudicator", adjudicator]
    command += [part for text in where for part in ("--where", text)]
    command += ["--why", words]
    write_and_say(repository, bulk, f"{name}-uphold", command, words, dry_run, fmt)
    if changed and fmt == "text":
        click.echo(
            f"{len(changed):,} open cases cite a clause that changed, or none: look at each.",
            err=True,
        )


@campaign.command(
    short_help="Write suggestions for open cases as silver.",
    epilog="\b\nExample:\n"
    "  assay campaign fill to-refunds-v8 --from drafts.jsonl --drafted-by tern-3",
)
@click.argument("name")
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Path(path_type=Path),
    help="JSONL: case_id, and the fields of the next revision.",
)
@click.option("--drafted-by", required=True, metavar="NAME", help="Model or person.")
@click.option("--why", default="", help="A sentence of the rationale.")
@_DRY
@format_option("json")
@click.pass_context
def fill(
    ctx: click.Context,
    name: str,
    source: Path,
    drafted_by: str,
    why: str,
    dry_run: bool,
    fmt: str,
) -> None:
    """Write the suggestions of a file as silver revisions of open cases of NAME."""
    from assay.ledger.campaigns.files import load_campaign
    from assay.ledger.campaigns.moving import fill as filled
    from assay.ledger.campaigns.suggestions import read_suggestions

    repository = load_to_write(ctx, dry_run=dry_run)
    stored = load_campaign(repository.root, name)
    suggestions = read_suggestions(source, stored)
    words = why or f"Suggested by {drafted_by} for {stored.campaign.policy}; not confirmed yet."
    bulk = filled(repository, stored, suggestions, drafted_by=drafted_by, why=words)
    command = ["campaign", "fill", name, "--from", source.as_posix(), "--drafted-by", drafted_by]
    write_and_say(repository, bulk, f"{name}-fill", [*command, "--why", words], words, dry_run, fmt)


@campaign.command(
    short_help="How far campaigns have come, and whether they end in time.",
    epilog="Example: assay campaign status to-refunds-v8",
)
@click.argument("name", required=False)
@day_option()
@format_option("json")
@click.pass_context
def status(ctx: click.Context, name: str | None, today: str | None, fmt: str) -> None:
    """Say how far NAME, or every campaign, has come: computed from the revisions."""
    from assay.ledger.campaigns.files import campaign_names, load_campaign
    from assay.ledger.campaigns.pace import pace
    from assay.reporting.campaign import status_json, status_text

    repository = load(ctx)
    day = today or repository.params.model.today
    names = (name,) if name else campaign_names(repository.root)
    found = [load_campaign(repository.root, one) for one in names]
    paces = [(stored, pace(repository, stored, day)) for stored in found]
    if fmt == "json":
        print_json({"schema_version": 1, "campaigns": [status_json(*item) for item in paces]})
        return
    if not paces:
        click.echo("There is no campaign.")
    click.echo("\n".join(status_text(*item, day) for item in paces), nl=False)


@campaign.command(
    short_help="List what is left of a campaign, and who owns it.",
    epilog="Example: assay campaign close to-refunds-v8",
)
@click.argument("name")
@day_option()
@click.pass_context
def close(ctx: click.Context, name: str, today: str | None) -> None:
    """List what is left of NAME by owner; exit code 1 while anything is.

    Nothing is written: a campaign is done when its revisions say so.
    """
    from assay.ledger.campaigns.files import load_campaign
    from assay.ledger.campaigns.pace import pace
    from assay.reporting.campaign import leftovers_text

    repository = load(ctx)
    stored = load_campaign(repository.root, name)
    found = pace(repository, stored, today or repository.params.model.today)
    click.echo(leftovers_text(stored, found), nl=False)
    if any(item.state in ("open", "silver", "disputed") for item in found.items):
        ctx.exit(1)


def write_and_say(
    repository: Repository,
    bulk: Bulk,
    stem: str,
    command: list[str],
    why: str,
    dry_run: bool,
    fmt: str,
) -> None:
    """Write a bulk change and say what was written."""
    from assay.ledger.bulk import free_name, write_bulk
    from assay.reporting.campaign import bulk_json, bulk_text

    written: tuple[str, ...] = ()
    if not dry_run:
        name = free_name(repository.root, stem)
        written = write_bulk(repository.root, bulk, name=name, command=command, why=why)
    if fmt == "json":
        print_json(bulk_json(bulk, written))
        return
    click.echo(bulk_text(bulk, "to write" if dry_run else "written"), nl=False, err=not dry_run)
    if written:
        click.echo(
            "\nNext  assay check --base main   then commit it on a branch of its own", err=True
        )
        click.echo(written[-1])
