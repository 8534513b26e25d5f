"""Reviews as forges send them: the last word of a person, for exactly one commit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.forge.approvals import read_reviews

A, B = "a" * 40, "b" * 40


def review(login: str, state: str, commit: str | None = A, at: str = "10:00", id: int = 1) -> Any:
    return {
        "id": id,
        "user": {"login": login, "type": "User"},
        "state": state,
        "commit_id": commit,
        "submitted_at": f"2026-11-20T{at}:00Z",
        "body": "x",
    }


def read(tmp_path: Path, value: Any) -> list[tuple[str, bool, str | None]]:
    file = tmp_path / "reviews.json"
    file.write_text(json.dumps(value))
    return [(r.login, r.approves, r.commit) for r in read_reviews(file).reviews]


def test_the_last_review_of_a_person_counts(tmp_path: Path) -> None:
    listed = [
        review("dee", "APPROVED", B, "12:00", 3),
        review("dee", "CHANGES_REQUESTED", A, "10:00", 1),
        review("Dee", "COMMENTED", A, "13:00", 4),
        review("bo", "APPROVED"),
        review("bo", "DISMISSED", at="11:00", id=9),
        review("cy", "PENDING"),
        {**review("x", "APPROVED"), "user": None},
    ]
    expected = [("bo", False, A), ("dee", True, B)]
    assert read(tmp_path, listed) == expected
    assert read(tmp_path, list(reversed(listed))) == expected
    assert read(tmp_path, [listed[:3], listed[3:]]) == expected


def test_at_one_moment_the_later_number_counts(tmp_path: Path) -> None:
    twice = [review("dee", "APPROVED", id=2), review("dee", "CHANGES_REQUESTED", id=10)]
    assert read(tmp_path, twice) == [("dee", False, A)]


def test_an_event(tmp_path: Path) -> None:
    event = {
        "action": "submitted",
        "review": review("dee", "approved"),
        "pull_request": {"number": 4, "user": {"login": "ana"}, "head": {"sha": A}},
    }
    assert read(tmp_path, event) == [("dee", True, A)]
    found = read_reviews(tmp_path / "reviews.json")
    assert (found.kind, found.author, found.head) == ("github", "ana", A)


def gitlab(at: str | None, *versions: tuple[str, str]) -> Any:
    approval: dict[str, Any] = {"user": {"username": "dee", "id": 1}}
    if at:
        approval["approved_at"] = at
    return {
        "merge_request": {"iid": 4, "sha": B, "author": {"username": "ana"}},
        "approvals": {"approved_by": [approval], "approvals_left": 0},
        "versions": [{"head_commit_sha": sha, "created_at": when} for sha, when in versions],
    }


def test_gitlab_says_by_the_versions_what_was_approved(tmp_path: Path) -> None:
    pushes = ((B, "2026-11-20T12:00:00.000Z"), (A, "2026-11-20T10:00:00.000+00:00"))
    early = gitlab("2026-11-20T12:30:00.000+01:00", *pushes)
    assert read(tmp_path, early) == [("dee", True, A)]
    late = gitlab("2026-11-20T12:00:00.000Z", *pushes)
    assert read(tmp_path, late) == [("dee", True, B)]
    assert read(tmp_path, gitlab(None, *pushes)) == [("dee", True, None)]
    assert read(tmp_path, gitlab(None)["approvals"]) == [("dee", True, None)]


@pytest.mark.parametrize(
    "value",
    [
        3,
        {},
        {"reviews": 3},
        [3],
        [review("dee", "APPROVED", "short")],
        [{**review("dee", "APPROVED"), "submitted_at": "yesterday"}],
        [{**review("dee", "APPROVED"), "submitted_at": "2026-11-20T10:00:00"}],
        [{**review("dee", "APPROVED"), "user": "dee"}],
        {"approved_by": [{"user": {"name": "dee"}}]},
        {"approvals": {"approved_by": []}, "versions": [{"head_commit_sha": A}]},
    ],
)
def test_other_shapes_are_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError) as wrong:
        read(tmp_path, value)
    assert wrong.value.hint
