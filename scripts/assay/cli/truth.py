"""``assay truth``: show, export, import, draft; and what modules of their own hold."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.bisect import bisect
from assay.cli.common import day_option, format_option, load, print_json, root_of
from assay.cli.expiry import expiry
from assay.cli.history import history
from assay.cli.redact import redact
from assay.cli.rename import rename


@click.group(epilog="Example: assay truth show refund-0142")
def truth() -> None:
    """Show, export, import and draft records; what expires, and what moved a score."""


truth.add_command(bisect)
truth.add_command(rename)
truth.add_command(redact)
truth.add_command(history)
truth.add_command(expiry)


@truth.command(
    short_help="Show the record of a case that counts, and its history.",
    epilog="Example: assay truth show refund-0142 --today 2027-04-01",
)
@click.argument("case", required=False)
@click.option("--revision", type=click.IntRange(1), help="This revision; else the one that counts.")
@click.option("--suite", help="Without CASE: list only this suite.")
@click.option("--status", help="Without CASE: list only records of this status.")
@day_option()
@click.option("--policy", "policies", multiple=True, metavar="VERSION", help="What-if.")
@format_option("json")
@click.pass_context
def show(
    ctx: click.Context,
    case: str | None,
    revision: int | None,
    suite: str | None,
    status: str | None,
    today: str | None,
    policies: tuple[str, ...],
    fmt: str,
) -> None:
    """Show the record of CASE that counts, whether it can be scored, and its history.

    Without CASE, list every case with the record that counts.
    """
    from assay.checks.compiling import compile_truth
    from assay.checks.runner import run_checks, world_of
    from assay.errors import UsageError
    from assay.ledger.editing import nearest
    from assay.reporting import record as reporting

    repository = load(ctx)
    only = [case] if case else None
    if case and case not in repository.revisions and case not in repository.cases:
        raise UsageError(
            f"No case is called `{case}`.",
            hint=nearest(case, {**repository.cases, **repository.revisions}),
        )
    world = world_of(repository, today=today, policies=policies, only=only)
    report = run_checks(repository, today=today, policies=policies, only=only)
    compiled = compile_truth(world, report)
    if case:
        view = reporting.record_view(world, compiled, report, case, revision)
        if fmt == "json":
            print_json(reporting.record_json(view))
        else:
            click.echo(reporting.record_text(view), nl=False)
        return
    rows = reporting.listing(compiled, suite=suite, status=status)
    if fmt == "json":
        print_json(reporting.listing_json(rows))
    else:
        click.echo(reporting.listing_text(rows), nl=False)


@truth.command(
    short_help="Write all revisions as JSONL.",
    epilog="Example: assay truth export --suite refunds --out refunds.jsonl",
)
@click.option("--suite", "suites", multiple=True, help="Only this suite; may be repeated.")
@click.option("--effective", is_flag=True, help="Only the record that counts for each case.")
@day_option()
@click.option("--out", type=click.Path(path_type=Path), help="File to write; else printed.")
@click.pass_context
def export(
    ctx: click.Context,
    suites: tuple[str, ...],
    effective: bool,
    today: str | None,
    out: Path | None,
) -> None:
    """Write all revisions as JSONL keyed by (case, revision), behind the suites' canaries."""
    from assay.errors import UsageError
    from assay.files.writing import write_text
    from assay.ledger.editing import nearest
    from assay.ledger.exporting import export_lines

    repository = load(ctx)
    known = tuple(sorted({*repository.suites, *(s.suite for s in repository.records)}))
    for name in suites:
        if name not in known:
            raise UsageError(f"No suite is called `{name}`.", hint=nearest(name, known))
    day = (today or repository.params.model.today) if effective else None
    chosen = tuple(sorted(set(suites))) or known
    text = "".join(export_lines(repository, chosen, effective_on=day))
    if out is None:
        click.echo(text, nl=False)
        return
    write_text(out, text)
    click.echo(str(out))


@truth.command(
    "import",
    short_help="Write the records of JSONL files as revision files.",
    epilog="Example: assay truth import labels.jsonl --suite refunds",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--suite", required=True, help="The suite that the records belong to.")
@click.option("--dry-run", is_flag=True, help="Say what would be written.")
@format_option("json")
@click.pass_context
def import_(
    ctx: click.Context, files: tuple[Path, ...], suite: str, dry_run: bool, fmt: str
) -> None:
    """Write the records of JSONL FILES as revision files, all of them or none."""
    from assay.intake.truth_import import import_truth
    from assay.reporting.findings import render

    root = root_of(ctx)
    result = import_truth(root, files, suite, dry_run=dry_run)
    if fmt == "json":
        print_json(result.as_json())
    else:
        if result.report.findings:
            click.echo(render("text", result.report), nl=False, err=True)
        done = "would be written" if dry_run else "written"
        click.echo(
            f"{result.read} records read, {len(result.written)} {done},"
            f" {result.present} there already.",
            err=True,
        )
        if result.written:
            click.echo(f"truth/records/{suite}/")
    if result.broken:
        ctx.exit(1)


@truth.command(
    short_help="Draft records and cases from a foreign file.",
    epilog="Example: assay truth draft --from tau-bench airline.json --out drafts",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Choice(["tau-bench", "adk"]),
    help="What FILE is.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--suite", default="drafts", show_default=True, help="Name of the suite.")
@click.option("--owner", default="owner", show_default=True, help="Handle of the suite's owner.")
@click.option("--writes", default="", metavar="NAMES", help="Tools that write, comma-separated.")
@click.option("--keep-addresses", is_flag=True, help="Keep e-mail addresses; secrets always go.")
@format_option("json")
@click.pass_context
def draft(
    ctx: click.Context,
    file: Path,
    source: str,
    out: Path,
    suite: str,
    owner: str,
    writes: str,
    keep_addresses: bool,
    fmt: str,
) -> None:
    """Draft truth records, cases and a tool catalogue from FILE into a new folder.

    Drafts are never gold: people label them. A folder made here can be scored with
    ``assay -C FOLDER score --status draft``.
    """
    from assay.intake.draft_folder import write_drafts
    from assay.reporting.findings import render

    names = tuple(name.strip() for name in writes.split(",") if name.strip())
    result = write_drafts(
        source,
        file,
        out,
        suite=suite,
        owner=owner,
        writes=names,
        keep_addresses=keep_addresses,
    )
    if fmt == "json":
        print_json(result.as_json())
    else:
        if result.report.findings:
            click.echo(render("text", result.report), nl=False, err=True)
        click.echo(f"{result.records} draft records for {result.cases} cases.", err=True)
        click.echo(str(out))
    if result.broken:
        ctx.exit(1)
