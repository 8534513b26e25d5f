"""Which pull request, which comment, which artifact: by the forge's word alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from assay.errors import RefusedError
from assay.forge.comment_commands import renumber_of
from assay.forge.posting import (
    MARKER,
    artifact_of,
    flat,
    our_comment,
    pull_of,
    run_event,
)

HEAD = "a" * 40
EVENT: dict[str, Any] = {
    "workflow_run": {
        "id": 7,
        "head_sha": HEAD,
        "head_branch": "fix/label",
        "event": "pull_request",
        "head_repository": {"owner": {"login": "ana-desk"}},
        "pull_requests": [],
    },
    "repository": {"full_name": "org/bench", "default_branch": "main"},
}
PULL: dict[str, Any] = {
    "number": 4,
    "state": "open",
    "head": {"sha": HEAD},
    "base": {"ref": "main", "repo": {"full_name": "org/bench"}},
}


def changed(value: dict[str, Any], path: str, new: Any) -> dict[str, Any]:
    made = copy.deepcopy(value)
    *parents, last = path.split(".")
    inner: Any = made
    for name in parents:
        inner = inner[name]
    inner[last] = new
    return made


def test_the_pull_request_is_that_of_the_head() -> None:
    assert pull_of(run_event(EVENT), [PULL]).number == 4


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("head.sha", "b" * 40),
        ("state", "closed"),
        ("base.ref", "release"),
        ("base.repo.full_name", "ana-desk/bench"),
        ("number", "4"),
    ],
)
def test_another_one_is_not(path: str, new: Any) -> None:
    with pytest.raises(RefusedError, match="moved on"):
        pull_of(run_event(EVENT), [changed(PULL, path, new)])


def test_several_are_refused() -> None:
    with pytest.raises(RefusedError, match="Several"):
        pull_of(run_event(EVENT), [PULL, changed(PULL, "number", 5)])


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("workflow_run.event", "push"),
        ("workflow_run.head_sha", "a; id"),
        ("workflow_run.head_branch", "a b"),
        ("workflow_run.head_branch", "x\ny"),
        ("workflow_run.id", "7"),
        ("workflow_run.head_repository", None),
        ("repository.full_name", "../x"),
        ("workflow_run", 3),
    ],
)
def test_events_of_another_form_are_refused(path: str, new: Any) -> None:
    with pytest.raises(RefusedError):
        run_event(changed(EVENT, path, new))


def comment(login: str, body: str, id: int, type: str = "Bot") -> dict[str, Any]:
    return {"id": id, "user": {"login": login, "type": type}, "body": body}


def test_only_our_own_comment_is_touched() -> None:
    ours = "github-actions[bot]"
    comments = [
        comment("mallory", f"{MARKER}\nmine", 1, "User"),
        comment(ours, f"quoting {MARKER}", 2),
        comment(ours, f"{MARKER}\nours", 3, "User"),
        {"id": 4, "user": None, "body": MARKER},
        comment(ours, f"{MARKER}\nours", 5),
    ]
    assert our_comment(comments, ours) == 5
    assert our_comment(comments[:4], ours) is None
    assert our_comment("x", ours) is None


def test_artifacts() -> None:
    good = {"id": 1, "name": "reproduced", "size_in_bytes": 10, "expired": False}
    assert artifact_of({"artifacts": [good]}, "reproduced", 100) == 1
    for change in ({"name": "other"}, {"size_in_bytes": 101}, {"expired": True}, {"id": "1"}):
        assert artifact_of({"artifacts": [{**good, **change}]}, "reproduced", 100) is None
    assert artifact_of([], "reproduced", 100) is None


def test_pages() -> None:
    assert flat([[1, 2], [3]]) == [1, 2, 3]
    assert flat([1]) == [1]
    assert flat(None) == []


SAID: dict[str, Any] = {
    "action": "created",
    "issue": {"number": 4, "state": "open", "pull_request": {}, "user": {"login": "ana-desk"}},
    "comment": {
        "body": "/assay renumber refund-0142\n",
        "user": {"login": "ana-desk"},
        "author_association": "NONE",
    },
}


def test_a_command() -> None:
    found = renumber_of(SAID)
    assert found is not None
    assert (found.case_id, found.pull) == ("refund-0142", 4)
    member = changed(
        changed(SAID, "comment.user.login", "bo"), "comment.author_association", "MEMBER"
    )
    assert renumber_of(member) is not None


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("comment.body", "please /assay renumber refund-0142"),
        ("comment.body", "/assay renumber refund-0142 && id"),
        ("comment.body", "/assay renumber ../x"),
        ("comment.body", "/assay renumber refund-0142\n/assay renumber x"),
        ("comment.body", None),
        ("comment.user.login", "mallory"),
        ("comment.user", None),
        ("action", "edited"),
        ("issue.pull_request", None),
        ("issue.state", "closed"),
        ("issue.number", True),
    ],
)
def test_no_command(path: str, new: Any) -> None:
    assert renumber_of(changed(SAID, path, new)) is None
