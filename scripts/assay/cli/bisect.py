"""``assay truth bisect``."""

from __future__ import annotations

import sys

import click

from assay.cli.common import format_option, load


@click.command(
    short_help="Which revision or code commit moved a score.",
    epilog="Example: assay truth bisect hasty --case refund-0142",
)
@click.argument("run", metavar="RUN")
@click.option("--case", "case_id", metavar="CASE", help="Follow the verdict of this case alone.")
@click.option("--suite", help="Of a run that several suites have, that of this suite.")
@click.option("--good", metavar="COMMIT", help="Begin here; else at the suite's first commit.")
@click.option("--bad", metavar="COMMIT", help="End here; else at HEAD.")
@click.option("--most", type=click.IntRange(1), help="Score at most so many commits; else 250.")
@format_option("json")
@click.pass_context
def bisect(
    ctx: click.Context,
    run: str,
    case_id: str | None,
    suite: str | None,
    good: str | None,
    bad: str | None,
    most: int | None,
    fmt: str,
) -> None:
    """Say which revision or code commit moved the score of RUN.

    The run, as it lies here, is scored at every commit of the first-parent line that touches
    truth, cases, params.yaml or the code that scores: with the files of then, and with the code of
    then in a process of its own, without network. Where that code does not run with the packages
    at hand, what it did stays unknown. Nothing is written.
    """
    from assay.errors import UsageError
    from assay.ledger.editing import nearest
    from assay.pipeline.bisecting.asking import question_of
    from assay.pipeline.bisecting.search import bisect as search
    from assay.reporting import bisection

    repository = load(ctx)
    if case_id is not None and case_id not in {**repository.cases, **repository.revisions}:
        known = {**repository.cases, **repository.revisions}
        raise UsageError(f"No case is called `{case_id}`.", hint=nearest(case_id, known))
    question = question_of(repository, run, suite, case_id, good, bad, most)
    progress = _Progress()
    try:
        found = search(repository.root, question, repository.who, progress.say)
    finally:
        progress.end()
    if fmt == "json":
        click.echo(bisection.json_text(found), nl=False)
    else:
        click.echo(bisection.text(found, color=sys.stdout.isatty()), nl=False)


class _Progress:
    """One line on standard error that is written over; nothing where it is no terminal."""

    def __init__(self) -> None:
        self.shown = 0

    def say(self, done: int, of: int, name: str) -> None:
        """Show how far it is."""
        if sys.stderr.isatty():
            line = f"{done} of {of} commits, now {name}"
            click.echo(f"\r{line.ljust(self.shown)}", nl=False, err=True)
            self.shown = len(line)

    def end(self) -> None:
        """Take the line away."""
        if self.shown:
            click.echo(f"\r{' ' * self.shown}\r", nl=False, err=True)
