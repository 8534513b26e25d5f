"""Trailers for what a merged pull request's adjudicators approved, for the job of the main branch.

``python -m assay.pipeline.recording BEFORE PULLS OUT``: BEFORE is the commit that main was at,
PULLS what the forge says of the pull requests of a pushed commit, OUT the file that is written.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import AssayError
from assay.files.reading import read_json
from assay.files.writing import write_text
from assay.forge.approvals import read_reviews
from assay.forge.gh import Api, Gh
from assay.forge.posting import flat
from assay.ledger.changes import branch_history
from assay.ledger.commit_tree import tree_at
from assay.ledger.layout import find_root
from assay.ledger.repository import Repository
from assay.ledger.signatures import signed_branch, trailers
from assay.models.base import JsonValue


def record(root: Path, before: str, pulls: JsonValue, repository: str, api: Api) -> list[str]:
    """The trailers, sorted.

    Args:
        root: the clone; the heads of the pull requests are fetched.
        before: the commit that main was at before they were merged.
        pulls: pull requests that belong to the pushed commit.
        repository: ``owner/name``.
        api: the forge.
    """
    found: set[str] = set()
    for pull, head, number in _merged(pulls):
        reviews = api.get(f"repos/{repository}/pulls/{number}/reviews", per_page="100", pages="all")
        with TemporaryDirectory(prefix="assay-forge-") as folder, tree_at(root, head) as view:
            path = Path(folder) / "reviews.json"
            said = {"pull_request": pull, "reviews": flat(reviews)}
            path.write_text(json.dumps(said, default=str))
            history = branch_history(root, before, committed=True, head=head)
            signed = signed_branch(
                root, Repository.load(view), history, read_reviews(path), head=head
            )
            found.update(trailers(signed))
    return sorted(found)


def _merged(pulls: JsonValue) -> Iterator[tuple[JsonValue, str, int]]:
    for pull in flat(pulls):
        if isinstance(pull, dict) and pull.get("merged_at"):
            head, number = pull.get("head"), pull.get("number")
            if isinstance(head, dict) and isinstance(number, int):
                yield pull, str(head.get("sha")), number


def main(arguments: Sequence[str], api: Api | None = None) -> int:
    """Run it; exit codes as everywhere."""
    root = find_root(Path.cwd())
    if root is None or len(arguments) != 3:
        print("python -m assay.pipeline.recording BEFORE PULLS OUT", file=sys.stderr)
        return 2
    before, pulls, out = arguments
    try:
        lines = record(
            root,
            before,
            read_json(Path(pulls), name="the pull requests"),
            os.environ.get("GITHUB_REPOSITORY", ""),
            api or Gh(),
        )
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        return error.exit_code
    write_text(Path(out), "".join(f"{line}\n" for line in lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
