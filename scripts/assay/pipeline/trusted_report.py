"""The trusted job: posts one comment and says whether those who must have signed.

Run on ``workflow_run``, by the code of the default branch, in its own folder. The pull request is
read as data (a commit that is fetched, never checked out), the report of its own job as hostile
text. The event and the forge are asked for everything else.

``python -m assay.pipeline.trusted_report EVENT``; ``GH_TOKEN`` goes to ``gh``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.checks.asking import Asked, check_repository
from assay.errors import AssayError, InputError, RefusedError
from assay.files.reading import read_json
from assay.forge.artifact import MOST_BYTES, Artifact, read_artifact
from assay.forge.gh import Api, Gh
from assay.forge.posting import (
    PullRequest,
    RunEvent,
    artifact_of,
    flat,
    our_comment,
    pull_of,
    run_event,
)
from assay.ledger.history import commit_id
from assay.ledger.layout import find_root
from assay.ledger.signatures import SignedBranch
from assay.models.base import JsonValue
from assay.models.review import Review
from assay.pipeline.reviewing.review import review
from assay.reporting.pull_request import PullRequestReport, awaited, comment

OURS = "github-actions[bot]"
"""The account that a workflow's own token writes under."""
CONTEXT = "assay/signatures"
"""Name of the status, for branch protection."""
REPORTS = "reproduced"
"""Name of the artifact that the untrusted job stores."""


def report(root: Path, event: RunEvent, api: Api) -> str:
    """Post the comment and the status; what was posted.

    Raises:
        RefusedError: the pull request has moved on, or the forge refuses.
    """
    repository = f"repos/{event.repository}"
    pulls = api.get(f"{repository}/pulls", state="open", head=f"{event.owner}:{event.branch}")
    pull = pull_of(event, pulls)
    with TemporaryDirectory(prefix="assay-forge-") as folder:
        work = Path(folder)
        approvals = _approvals(api, repository, pull, pulls, work)
        found = _looked_at(root, pull, approvals, *_artifact(api, repository, event, work))
    text = comment(found)
    _post(api, repository, pull, text)
    _status(api, repository, pull, found.signed)
    return text


def _approvals(api: Api, repository: str, pull: PullRequest, pulls: JsonValue, work: Path) -> Path:
    """What the forge says of the reviews, in a file."""
    reviews = flat(
        api.get(f"{repository}/pulls/{pull.number}/reviews", per_page="100", pages="all")
    )
    this = next(p for p in flat(pulls) if isinstance(p, dict) and p.get("number") == pull.number)
    path = work / "reviews.json"
    path.write_text(json.dumps({"pull_request": this, "reviews": reviews}, default=str))
    return path


def _artifact(
    api: Api, repository: str, event: RunEvent, work: Path
) -> tuple[Artifact | None, str]:
    """The untrusted report, or why it is not shown."""
    if event.cause != "pull_request":
        return None, "unchanged since the last push"
    listed = api.get(f"{repository}/actions/runs/{event.run}/artifacts", name=REPORTS)
    number = artifact_of(listed, REPORTS, MOST_BYTES)
    if number is None:
        return None, "the job left no report"
    target = work / "reproduced.zip"
    api.download(f"{repository}/actions/artifacts/{number}/zip", target)
    try:
        return read_artifact(target), ""
    except InputError as wrong:
        return None, f"its report is not shown: {wrong.message}"


def _looked_at(
    root: Path, pull: PullRequest, approvals: Path, artifact: Artifact | None, refused: str
) -> PullRequestReport:
    base = commit_id(root, "HEAD")
    found = check_repository(root, Asked(base=base, head=pull.head, approvals=approvals))
    assert found.history is not None
    assert found.signed is not None
    reviewed, why = _review(root, base, pull.head, found.signed)
    return PullRequestReport(
        found.report, found.signed, found.history, found.today, artifact, refused, reviewed, why
    )


def _review(root: Path, base: str, head: str, signed: SignedBranch) -> tuple[Review | None, str]:
    """What `assay diff` says of it, or why it cannot say anything."""
    approved = {
        s.handle for r in signed.revisions for s in r.signatures
        if s.state == "proved" and r.stranger is None
    }  # fmt: skip
    try:
        by_git = signed.forge is None
        return review(root, f"{base}..{head}", approved=sorted(approved), by_git=by_git), ""
    except AssayError as error:
        return None, f"What it changes cannot be said: {error.message}"


def _post(api: Api, repository: str, pull: PullRequest, text: str) -> None:
    """Write the comment anew where it is ours; else a new one."""
    path = f"{repository}/issues/{pull.number}/comments"
    number = our_comment(flat(api.get(path, per_page="100", pages="all")), OURS)
    if number is None:
        api.send("POST", path, {"body": text})
    else:
        api.send("PATCH", f"{repository}/issues/comments/{number}", {"body": text})


def _status(api: Api, repository: str, pull: PullRequest, signed: SignedBranch) -> None:
    """Red where a signature is required and missing, or somebody signs who must not."""
    names = awaited(signed)
    strangers = [item for item in signed.revisions if item.stranger is not None]
    required = signed.forge is not None and signed.forge.signatures == "required"
    state = "failure" if strangers or (required and names) else "success"
    said = f"awaits {', '.join(names)}" if names else "nobody is awaited"
    if strangers:
        said = f"{strangers[0].stranger} is no adjudicator of the base"
    api.send(
        "POST",
        f"{repository}/statuses/{pull.head}",
        {"state": state, "context": CONTEXT, "description": said[:140]},
    )


def main(arguments: Sequence[str], api: Api | None = None) -> int:
    """Run it. A pull request that has moved on is no failure: its next run reports."""
    root = find_root(Path.cwd())
    if root is None or len(arguments) != 1:
        print("python -m assay.pipeline.trusted_report EVENT, in the repository", file=sys.stderr)
        return 2
    try:
        event = run_event(read_json(Path(arguments[0]), name="the event"))
        print(report(root, event, api or Gh()), end="")
    except RefusedError as refused:
        print(f"assay: {refused}", file=sys.stderr)
        return 0 if "moved on" in refused.message else refused.exit_code
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
