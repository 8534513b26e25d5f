"""``assay renew``."""

from __future__ import annotations

import click

from assay.cli.amend import ADJUDICATOR, DRY, asking, finish, finish_bulk, show_case
from assay.cli.common import format_option, load


@click.command(
    epilog="\b\nExample:\n"
    "  assay renew --where owner=dara --where expires=2026-12-31 --until 6m --dry-run"
)
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--where", multiple=True, metavar="KEY=VALUE", help="Every record that fits.")
@click.option("--until", metavar="DAY|SPAN", help="2027-05-28, or 6m from today; asked for if not.")
@click.option("--why", metavar="TEXT", help="A sentence that is added to the rationale.")
@ADJUDICATOR
@DRY
@format_option("json")
@click.pass_context
def renew(
    ctx: click.Context,
    cases: tuple[str, ...],
    where: tuple[str, ...],
    until: str | None,
    why: str | None,
    adjudicator: str | None,
    dry_run: bool,
    fmt: str,
) -> None:
    """Extend the life of the labels of CASES, or of every record that fits --where.

    Nothing that decides changes, so that results stay comparable. The adjudicator signs for gold.
    Several are written all or none, as a bulk change that is declared and can be proved.
    """
    from assay.cli.questions import ask_until
    from assay.errors import RefusedError, UsageError
    from assay.ledger.days import later
    from assay.ledger.editing import latest_of
    from assay.ledger.renewing import reason, renewals
    from assay.ledger.selecting import fits, latest, parse_where

    repository = load(ctx)
    day = repository.params.model.today
    if bool(cases) == bool(where):
        raise UsageError(
            "Name cases, or say which with --where.", hint="assay truth expiry   lists what ends"
        )
    conditions = parse_where(where)
    named = [latest_of(repository, case) for case in dict.fromkeys(cases)]
    fitting = [item for item in latest(repository) if fits(repository, item, conditions)]
    chosen = named or fitting
    asked = until is None and asking()
    if asked:
        for stored in chosen[:3]:
            show_case(repository, stored.case_id)
        until = ask_until(day)
    if until is None:
        raise UsageError("Until when?", hint="--until 6m")
    end, words = later(day, until), why or reason(day)
    bulk = renewals(repository, chosen, end, why=words, signer=adjudicator, day=day)
    if bulk.skipped and named:
        first, more = bulk.skipped[0], len(bulk.skipped) - 1
        rest = f" ({more} more)" if more else ""
        raise RefusedError(
            f"`{first.case_id}` cannot be renewed: {first.reason}.{rest} Nothing was written.",
            path=first.path,
            hint=f"assay truth show {first.case_id}",
        )
    if not bulk.drafts:
        raise RefusedError(
            f"Nothing to renew: {len(bulk.skipped)} records fit, none can be extended to {end}."
            if bulk.skipped
            else "No record fits.",
            hint="assay truth expiry",
        )
    if len(named) == 1:
        (draft,) = bulk.drafts
        finish(repository, draft, dry_run=dry_run, fmt=fmt, asked=asked)
        return
    command = ["renew", *(stored.case_id for stored in named)]
    command += [part for text in where for part in ("--where", text)]
    command += ["--until", end, "--why", words]
    command += ["--adjudicator", adjudicator] if adjudicator else []
    finish_bulk(
        repository, bulk, stem="renew", command=command, why=words, dry_run=dry_run, fmt=fmt
    )
