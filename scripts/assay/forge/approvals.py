"""What a forge says of the reviews of one pull request, brought into one shape.

GitHub: the list of reviews of the REST interface (whole, or in pages), a ``pull_request_review``
event, or ``{"pull_request": …, "reviews": […]}``. GitLab: the merge request's approvals, or
``{"merge_request": …, "approvals": …, "versions": […]}``: approvals alone do not say which commit
was approved, the versions with their times do.

Sources: "REST API endpoints for pull request reviews" and "Webhook events and payloads"
(GitHub), "Merge request approvals API" and "Merge requests API: diff versions" (GitLab).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError
from assay.files.reading import read_json
from assay.models.base import JsonValue
from assay.models.forge import Review, Reviews

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DECIDES = {"approved": True, "changes_requested": False, "dismissed": False}
"""States that decide; a comment leaves what was said before."""

Json = dict[str, JsonValue]


def read_reviews(path: Path) -> Reviews:
    """The reviews in a file.

    Raises:
        InputError: the file cannot be read, or has none of the known shapes.
    """
    name = path.as_posix()
    value = read_json(path, name=name)
    try:
        if isinstance(value, list):
            return _github(_flat(value), {})
        found = _object(value, "")
        if "review" in found:
            return _github([found["review"]], _object(found.get("pull_request"), "/pull_request"))
        if "reviews" in found:
            pull = _object(found.get("pull_request") or {}, "/pull_request")
            return _github(_flat(_list(found["reviews"], "/reviews")), pull)
        if "approvals" in found:
            return _gitlab(
                _object(found["approvals"], "/approvals"),
                _object(found.get("merge_request") or {}, "/merge_request"),
                _list(found.get("versions") or [], "/versions"),
            )
        if "approved_by" in found:
            return _gitlab(found, {}, [])
    except _ShapeError as wrong:
        raise InputError(
            wrong.args[0], path=name, pointer=wrong.args[1], hint="docs/forge.md: what is read"
        ) from None
    raise InputError(
        "These are no reviews of GitHub and no approvals of GitLab.",
        path=name,
        hint="docs/forge.md: what is read",
    )


class _ShapeError(Exception):
    """A message and a JSON pointer."""


def _github(entries: list[JsonValue], pull: Json) -> Reviews:
    said: list[tuple[datetime.datetime, int, Review]] = []
    for index, entry in enumerate(entries):
        pointer = f"/{index}"
        review = _object(entry, pointer)
        state = str(review.get("state", "")).casefold()
        user = review.get("user")
        if user is None or state not in _DECIDES:
            continue  # The account is gone, or it is a comment or a draft.
        login = _text(_object(user, f"{pointer}/user").get("login"), f"{pointer}/user/login")
        when = _time(review.get("submitted_at"), f"{pointer}/submitted_at")
        number = review.get("id")
        order = number if isinstance(number, int) else index
        commit = review.get("commit_id")
        named = _commit(commit, f"{pointer}/commit_id") if commit is not None else None
        said.append(
            (when, order, Review(login=login, approves=_DECIDES[state], commit=named))
        )  # fmt: skip
    last = {entry[2].login.casefold(): entry[2] for entry in sorted(said, key=lambda e: e[:2])}
    head = _object(pull.get("head") or {}, "/pull_request/head").get("sha")
    return Reviews(
        kind="github",
        reviews=tuple(last[login] for login in sorted(last)),
        author=_login(pull.get("user"), "login", "/pull_request/user"),
        head=_commit(head, "/pull_request/head/sha") if head is not None else None,
    )


def _gitlab(approvals: Json, merge: Json, versions: list[JsonValue]) -> Reviews:
    pushed = sorted(_versions(versions), key=lambda entry: entry[0])
    found: dict[str, Review] = {}
    for index, entry in enumerate(_list(approvals.get("approved_by"), "/approved_by")):
        pointer = f"/approved_by/{index}"
        approval = _object(entry, pointer)
        login = _login(approval.get("user"), "username", f"{pointer}/user")
        if login is None:
            continue
        at = approval.get("approved_at")
        when = _time(at, f"{pointer}/approved_at") if at is not None else None
        seen = [commit for time, commit in pushed if when is not None and time <= when]
        found[login.casefold()] = Review(
            login=login, approves=True, commit=seen[-1] if seen else None
        )
    sha = merge.get("sha")
    return Reviews(
        kind="gitlab",
        reviews=tuple(found[login] for login in sorted(found)),
        author=_login(merge.get("author"), "username", "/merge_request/author"),
        head=_commit(sha, "/merge_request/sha") if sha is not None else None,
    )


def _versions(values: list[JsonValue]) -> Iterator[tuple[datetime.datetime, str]]:
    for index, value in enumerate(values):
        pointer = f"/versions/{index}"
        version = _object(value, pointer)
        yield (
            _time(version.get("created_at"), f"{pointer}/created_at"),
            _commit(version.get("head_commit_sha"), f"{pointer}/head_commit_sha"),
        )


def _flat(values: list[JsonValue]) -> list[JsonValue]:
    """Reviews of all pages, where they come page by page."""
    found: list[JsonValue] = []
    for value in values:
        found += value if isinstance(value, list) else [value]
    return found


def _login(value: JsonValue, field: str, pointer: str) -> str | None:
    if value is None:
        return None
    return _text(_object(value, pointer).get(field), f"{pointer}/{field}")


def _object(value: JsonValue, pointer: str) -> Json:
    if not isinstance(value, dict):
        raise _ShapeError("Here an object must stand.", pointer)
    return value


def _list(value: JsonValue, pointer: str) -> list[JsonValue]:
    if not isinstance(value, list):
        raise _ShapeError("Here a list must stand.", pointer)
    return value


def _text(value: JsonValue, pointer: str) -> str:
    if not isinstance(value, str) or not value:
        raise _ShapeError("Here a text must stand.", pointer)
    return value


def _commit(value: JsonValue, pointer: str) -> str:
    text = _text(value, pointer)
    if not _COMMIT.fullmatch(text):
        raise _ShapeError("Here the full name of a commit must stand.", pointer)
    return text


def _time(value: JsonValue, pointer: str) -> datetime.datetime:
    try:
        found = datetime.datetime.fromisoformat(_text(value, pointer))
    except ValueError:
        raise _ShapeError("Here a moment with its zone must stand.", pointer) from None
    if found.tzinfo is None:
        raise _ShapeError("The moment has no zone.", pointer)
    return found
