"""``assay truth rename``."""

from __future__ import annotations

import click

from assay.cli.campaign import write_and_say
from assay.cli.common import format_option, load_to_write


@click.command(
    short_help="Write today's tool names into records.",
    epilog="Example: assay truth rename refund_order --dry-run",
)
@click.argument("tools", nargs=-1)
@click.option("--where", multiple=True, metavar="KEY=VALUE", help="Only these records.")
@click.option("--dry-run", is_flag=True, help="Show it and write nothing.")
@format_option("json")
@click.pass_context
def rename(
    ctx: click.Context, tools: tuple[str, ...], where: tuple[str, ...], dry_run: bool, fmt: str
) -> None:
    """Write the next revision of every record that still uses an old name; or one of TOOLS.

    Scores do not move: the map works whenever a record is read. A record whose split nobody can
    decide becomes disputed.
    """
    from assay.errors import UsageError
    from assay.ledger.editing import nearest
    from assay.ledger.renaming import renames
    from assay.ledger.selecting import fits, latest, parse_where

    repository = load_to_write(ctx, dry_run=dry_run)
    conditions = parse_where(where)
    known = {tool.name: "" for tool in repository.catalog.model.tools}
    for tool in tools:
        if not repository.names.canonical(tool):
            raise UsageError(f"No tool is called `{tool}`.", hint=nearest(tool, known))
    chosen = [item for item in latest(repository) if fits(repository, item, conditions)]
    bulk = renames(repository, chosen, frozenset(tools))
    command = ["truth", "rename", *tools, *(p for text in where for p in ("--where", text))]
    names = ", ".join(tools) if tools else "every old name"
    why = f"Records name tools as the catalogue does today: {names}."
    write_and_say(repository, bulk, "rename", command, why, dry_run, fmt)
