"""``assay renumber``."""

from __future__ import annotations

import click

from assay.cli.amend import DRY, show_drafts
from assay.cli.common import format_option, load, print_json


@click.command(epilog="Example: assay renumber refund-0142 --dry-run")
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--base", metavar="COMMIT", help="The branch this one goes into; else main.")
@DRY
@format_option("json")
@click.pass_context
def renumber(
    ctx: click.Context, cases: tuple[str, ...], base: str | None, dry_run: bool, fmt: str
) -> None:
    """Put your revision of CASE on top of the one of the same number that the base has.

    Without CASE, every case that collides. Works before a merge, and in the middle of one: git's
    conflict is then solved as well. What only the base changed is taken over; where you both
    changed a field, yours stands and the field is named.
    """
    import shlex

    from assay.errors import RefusedError
    from assay.ledger.editing import latest_of
    from assay.ledger.git import other_base
    from assay.ledger.renumbering import at_base, collisions, write_renumbered
    from assay.pipeline.amending.next_steps import next_steps
    from assay.reporting.amendment import next_text
    from assay.reporting.amendment.renumbered import renumbered_json, renumbered_text

    repository = load(ctx)
    root = repository.root
    broken = {fault.case_id for fault in repository.faults}
    for case in cases:
        if case not in broken:
            latest_of(repository, case)
    base = base or other_base(root)
    if base is None:
        raise RefusedError("There is no branch `main` to compare with.", hint="--base COMMIT")
    found = collisions(repository, base, cases)
    if fmt == "text":
        before = at_base(repository, found)
        for item in found.cases:
            click.echo(renumbered_text(item, base), nl=False, err=True)
            show_drafts(before, [moved.draft for moved in item.moved])
    written = () if dry_run else write_renumbered(root, found)
    steps: tuple[str, ...] = ()
    if written and found.carry_on:
        steps = (f"git add {' '.join(map(shlex.quote, written))}", found.carry_on)
    elif written:
        names = ", ".join(item.case_id for item in found.cases)
        steps = next_steps(root, written, f"Renumbered: {names}", slug=f"renumber/{names}")
    if fmt == "json":
        print_json(renumbered_json(found, written, steps))
        return
    if not found.cases:
        click.echo(f"Nothing collides with {base}.", err=True)
        return
    if dry_run:
        for item in found.cases:
            for moved in item.moved:
                click.echo(moved.draft.text, nl=False)
        return
    click.echo(next_text(steps), nl=False, err=True)
    for path in written:
        click.echo(path)
