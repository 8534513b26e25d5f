"""``assay truth history``."""

from __future__ import annotations

import click

from assay.cli.common import day_option, format_option, load, print_json


@click.command(
    short_help="Show every revision of a case: when, by whom, why, what changed.",
    epilog="Example: assay truth history refund-0142",
)
@click.argument("case")
@day_option()
@format_option("json")
@click.pass_context
def history(ctx: click.Context, case: str, today: str | None, fmt: str) -> None:
    """Show every revision of CASE, the latest first: when, by whom, why, what changed.

    The star marks the one that counts.
    """
    from assay.ledger.editing import latest_of
    from assay.ledger.effective import record_that_counts
    from assay.ledger.history import added_by
    from assay.ledger.policies import applies_from
    from assay.reporting.history import history as steps_of
    from assay.reporting.record_history import RecordHistory, history_json, history_text

    repository = load(ctx)
    latest = latest_of(repository, case)
    day = today or repository.params.model.today
    revisions = repository.revisions[case]
    policies = repository.policies.model
    counting = record_that_counts(revisions, policies, day)
    stored_case = repository.cases.get(case)
    commits = {item.revision: added_by(repository.root, item.path) for item in revisions}
    starts = {item.revision: applies_from(policies, item.record) for item in revisions}
    found = RecordHistory(
        case,
        latest.suite,
        day,
        stored_case.case.user_text if stored_case else "",
        tuple(
            steps_of([item.record for item in revisions], counting.revision if counting else None)
        ),
        {item.revision: item for item in revisions},
        {number: commit for number, commit in commits.items() if commit is not None},
        {number: start for number, start in starts.items() if start is not None and start > day},
    )
    if fmt == "json":
        print_json(history_json(found))
        return
    click.echo(history_text(found), nl=False)
