"""What the commands that write a revision share: they show it, ask, write it, and say what next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli.common import print_json
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.ledger.adding import NewCase
    from assay.ledger.bulk import Bulk
    from assay.ledger.editing import Draft
    from assay.ledger.repository import Repository

DRY = click.option("--dry-run", is_flag=True, help="Show it and write nothing.")
WHY = click.option("--why", multiple=True, metavar="TEXT", help="The reason; repeat it at will.")
ADJUDICATOR = click.option(
    "--adjudicator", metavar="HANDLE", help="Who signs; else the record's own, or the case's owner."
)


def asking() -> bool:
    """Whether questions can be asked: standard input is a terminal."""
    return sys.stdin.isatty()


def show_case(repository: Repository, case: str) -> None:
    """Show a case before anything is asked about it."""
    from assay.pipeline.amending.preview import look
    from assay.reporting.amendment import look_text

    click.echo(look_text(look(repository, case)), err=True)


def reasons(given: Sequence[str], question: str, example: str) -> tuple[str, ...]:
    """The reason from ``--why``, else asked for.

    Raises:
        UsageError: there is none, and nobody can be asked.
    """
    from assay.cli.questions import some_lines

    if given:
        return tuple(given)
    if not asking():
        raise UsageError("A revision says why it exists.", hint=f'--why "{example}"')
    return tuple(some_lines(question))


def finish(
    repository: Repository,
    draft: Draft,
    *,
    dry_run: bool,
    fmt: str = "text",
    notes: Sequence[str] = (),
    addition: NewCase | None = None,
    asked: bool = False,
) -> None:
    """Show a revision, write it unless it is a dry run, and say what to type next.

    Args:
        repository: as it is.
        draft: the revision.
        dry_run: whether nothing is written.
        fmt: ``text`` or ``json``.
        notes: what else should be known, in sentences.
        addition: the case, where it is written together with its first record.
        asked: whether questions were asked; then writing is confirmed.
    """
    from dataclasses import replace

    from assay.ledger.adding import write_case
    from assay.ledger.editing import write_draft
    from assay.pipeline.amending.next_steps import next_steps
    from assay.pipeline.amending.preview import preview, with_drafts
    from assay.reporting import amendment

    record, root = draft.record, repository.root
    after = with_drafts(repository, [draft]) if addition is None else None
    if addition is not None:
        after = with_drafts(addition.into(repository), [draft])
    shown = preview(
        repository, draft, after=after, notes=notes, case=addition.case if addition else None
    )
    if fmt == "text":
        click.echo(amendment.text(shown), nl=False, err=True)
    if asked and not dry_run and not click.confirm("\nWrite it?", default=True, err=True):
        click.echo("Nothing was written.", err=True)
        return
    paths = [*((addition.path, addition.suite_file) if addition else ()), draft.path]
    if not dry_run:
        if addition is not None:
            write_case(root, addition)
        write_draft(root, draft)
        subject = f"{record.case_id} r{record.revision}: {record.change}"
        steps = next_steps(root, paths, subject, slug=f"{record.change}/{record.case_id}")
        shown = replace(shown, next=steps, written=tuple(paths))
    if fmt == "json":
        print_json(amendment.as_json(shown))
        return
    if dry_run:
        click.echo((addition.text if addition else "") + draft.text, nl=False)
        return
    click.echo(amendment.next_text(shown.next), nl=False, err=True)
    if addition is not None:
        click.echo(addition.path)
    click.echo(draft.path)


def show_drafts(repository: Repository, drafts: Sequence[Draft]) -> None:
    """Show revisions of one case that follow each other; the last with what it does."""
    from assay.pipeline.amending.preview import preview, with_drafts
    from assay.reporting import amendment

    if drafts:
        after = with_drafts(repository, drafts)
        click.echo(amendment.text(preview(repository, drafts[-1], after=after)), nl=False, err=True)


def finish_bulk(
    repository: Repository,
    bulk: Bulk,
    *,
    stem: str,
    command: Sequence[str],
    why: str,
    dry_run: bool,
    fmt: str,
) -> None:
    """The same for many revisions: all of them and their declaration, or nothing."""
    from assay.ledger.bulk import free_name, write_bulk
    from assay.pipeline.amending.next_steps import next_steps
    from assay.reporting.amendment import next_text
    from assay.reporting.campaign import bulk_json, bulk_text

    root = repository.root
    written: tuple[str, ...] = ()
    if not dry_run:
        name = free_name(root, stem)
        written = write_bulk(root, bulk, name=name, command=command, why=why)
    if fmt == "json":
        print_json(bulk_json(bulk, written))
        return
    click.echo(bulk_text(bulk, "to write" if dry_run else "written"), nl=False, err=not dry_run)
    if written:
        slug = written[-1].rsplit("/", 1)[-1].removesuffix(".change.yaml")
        subject = f"{stem}: {len(bulk.drafts)} revisions"
        click.echo(next_text(next_steps(root, written, subject, slug=slug)), nl=False, err=True)
        click.echo(written[-1])
