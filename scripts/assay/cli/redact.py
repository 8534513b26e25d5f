"""``assay truth redact``."""

from __future__ import annotations

import click

from assay.cli.amend import DRY, asking
from assay.cli.common import format_option, load, print_json


@click.command(
    short_help="Replace what must not be read any longer by a tombstone.",
    epilog="\b\nExample:\n"
    "  assay truth redact refund-0142 --revision 1 --why 'A key stood in the evidence.' \\\n"
    "    --approved-by dara --approved-by omar",
)
@click.argument("case")
@click.option("--revision", "revisions", multiple=True, type=click.IntRange(1), help="Repeatable.")
@click.option("--why", metavar="TEXT", help="The law, or what leaked; not the secret itself.")
@click.option("--approved-by", multiple=True, metavar="HANDLE", help="Two people at least.")
@DRY
@format_option("json")
@click.pass_context
def redact(
    ctx: click.Context,
    case: str,
    revisions: tuple[int, ...],
    why: str | None,
    approved_by: tuple[str, ...],
    dry_run: bool,
    fmt: str,
) -> None:
    """Replace revisions of CASE by tombstones that keep their digests.

    For erasure by law and for leaked secrets; it is the one edit of a merged file that the check
    permits. Git's history keeps the old content until it is rewritten.
    """
    from assay.errors import UsageError
    from assay.ledger.editing import latest_of
    from assay.ledger.redacting import approvers, tombstones, write_tombstones
    from assay.pipeline.amending.next_steps import next_steps
    from assay.reporting.amendment import next_text
    from assay.reporting.amendment.redacted import redacted_json, redacted_text

    repository = load(ctx)
    latest = latest_of(repository, case)
    day = repository.params.model.today
    readable = [
        stored.revision for stored in repository.revisions[case] if not stored.record.redacted
    ]
    asked = asking() and not (revisions and why and approved_by)
    if asked:
        from assay.cli.questions import ask_handles, ask_numbers, some_lines

        revisions = revisions or ask_numbers("Which revisions", readable)
        why = why or " ".join(some_lines("Why? Not the secret itself"))
        able = approvers(repository, day)
        approved_by = approved_by or ask_handles("Who has approved it", able[:2])
    if not revisions:
        shown = " ".join(f"--revision {number}" for number in readable)
        raise UsageError("Which revisions?", hint=shown or "all are redacted")
    if not why:
        raise UsageError("A redaction says why.", hint='--why "A key stood in the evidence."')
    found = tombstones(repository, case, revisions, why=why, approved_by=approved_by, day=day)
    counts = latest.revision in revisions and latest.record.status != "retired"
    if fmt == "text":
        click.echo(redacted_text(case, found, counts), nl=False, err=True)
    if asked and not dry_run and not click.confirm("\nReplace them?", default=False, err=True):
        click.echo("Nothing was written.", err=True)
        return
    written = () if dry_run else write_tombstones(repository.root, found)
    steps: tuple[str, ...] = ()
    if written:
        slug = f"redact/{case}"
        steps = next_steps(repository.root, written, f"{case}: redacted", slug=slug)
        if counts:
            steps = (*steps, f"assay revise {case}")
    if fmt == "json":
        print_json(redacted_json(case, found, steps, written))
        return
    if dry_run:
        for item in found:
            click.echo(item.text, nl=False)
        return
    click.echo(next_text(steps), nl=False, err=True)
    for path in written:
        click.echo(path)
