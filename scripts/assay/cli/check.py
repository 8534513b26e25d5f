"""``assay check``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.cli.common import day_option, format_option, root_of


@click.command(epilog="Example: assay check --today 2027-04-01 --policy refunds-v8 --select 'EXP*'")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@day_option()
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="VERSION",
    help="What if this version were in force; may be repeated.",
)
@click.option(
    "--select", multiple=True, metavar="CODE", help="Only these rules; patterns such as 'TOL*'."
)
@click.option("--only", multiple=True, metavar="CASE", help="Only these cases.")
@click.option(
    "--base",
    metavar="COMMIT",
    help="What this branch changed since it left COMMIT: history is looked at too.",
)
@click.option("--since", metavar="COMMIT", help="The same for each commit of main after COMMIT.")
@click.option(
    "--committed",
    is_flag=True,
    help="With --base: only what is committed, which is faster in a very large repository.",
)
@click.option(
    "--head",
    metavar="COMMIT",
    help="With --base: look at this commit, which need not be checked out; nothing of it is run.",
)
@click.option(
    "--approvals",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --base: what the forge says of the reviews (JSON); see docs/forge.md.",
)
@click.option("--explain", metavar="CODE", help="What a rule is about; `all` lists the rules.")
@format_option("json", "sarif", "github", "gitlab", "junit", "markdown")
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[Path, ...],
    today: str | None,
    policies: tuple[str, ...],
    select: tuple[str, ...],
    only: tuple[str, ...],
    base: str | None,
    since: str | None,
    committed: bool,
    head: str | None,
    approvals: Path | None,
    explain: str | None,
    fmt: str,
) -> None:
    """Find what is wrong with truth, cases and catalogues.

    With FILES (JSONL, one record a line), their records are checked in place of those of the
    repository. With --base, what is merged must have stayed as it was. Exit code 1 when a file
    is wrong, 3 when git cannot tell what --base asks, else 0.
    """
    from assay.checks.asking import Asked, check_repository
    from assay.checks.runner import rules
    from assay.errors import RefusedError, UsageError
    from assay.files.journal import pending
    from assay.reporting.findings import render

    if explain is not None:
        known = rules()
        if explain.lower() == "all":
            for code, rule in known.items():
                click.echo(f"{code}  {rule.severity:<9} {rule.title()}")
            return
        if explain.upper() not in known:
            raise UsageError(f"No rule is called `{explain}`.", hint="assay check --explain all")
        rule = known[explain.upper()]
        click.echo(f"{explain.upper()}  {rule.severity}\n\n{rule.explanation()}")
        return
    root = root_of(ctx)
    if pending(root):
        raise RefusedError(
            "A bulk write was interrupted here; part of the truth may be missing.",
            hint="assay doctor --roll-forward, or assay doctor --rollback",
        )
    if base is not None and since is not None:
        raise UsageError("--base and --since ask two questions.", hint="leave one of them out")
    if base is None and (head is not None or approvals is not None):
        raise UsageError("--head and --approvals go with --base.", hint="--base origin/main")
    if head is not None and files:
        raise UsageError("--head looks at a commit, FILES at files.", hint="leave one of them out")
    asked = Asked(today, policies, select, only, base, since, committed, head, approvals)
    found = check_repository(root, asked, files)
    report = found.report
    explanations = {code: (rule.title(), rule.explanation()) for code, rule in rules().items()}
    click.echo(
        render(
            fmt,
            report,
            today=found.today,
            explanations=explanations,
            color=fmt == "text" and sys.stdout.isatty(),
        ),
        nl=False,
    )
    if any(finding.severity == "error" for finding in report.findings):
        ctx.exit(1)
