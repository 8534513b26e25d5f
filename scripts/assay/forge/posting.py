"""Decisions of the trusted workflow: which pull request it is about, and which comment is ours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.errors import RefusedError
from assay.models.base import JsonValue

MARKER = "<!-- assay:report -->"
"""First line of the one comment that is kept up to date."""
MOST_COMMENT = 60_000
"""GitHub refuses comments above 65,536 characters."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,99}/(?!\.)[A-Za-z0-9_.-]{1,100}")
_LOGIN = re.compile(r"[A-Za-z0-9_-]{1,100}")
_BRANCH = re.compile(r"[^\x00-\x20\x7f~^:?*\[\\]{1,255}")


@dataclass(frozen=True)
class RunEvent:
    """What the event says of the job that has ended; text of strangers, checked for its form."""

    repository: str
    """``owner/name`` of this repository."""
    default_branch: str
    """The branch whose code is trusted."""
    run: int
    """Number of the run."""
    head: str
    """The commit that it ran on."""
    owner: str
    """Owner of the repository that the branch lies in."""
    branch: str
    """The branch."""
    cause: str
    """Event that started the run: ``pull_request`` or ``pull_request_review``."""


@dataclass(frozen=True)
class PullRequest:
    """The pull request that a run is about."""

    number: int
    """Its number."""
    head: str
    """Its head, which is the commit that the run was about."""


def run_event(value: JsonValue) -> RunEvent:
    """The event of a ``workflow_run``.

    Raises:
        RefusedError: it has not the form of one.
    """
    run, repository = _get(value, "workflow_run"), _get(value, "repository")
    number = _get(run, "id")
    event = RunEvent(
        _text(repository, "full_name"),
        _text(repository, "default_branch"),
        number if isinstance(number, int) else 0,
        _text(run, "head_sha"),
        _text(_get(_get(run, "head_repository"), "owner"), "login"),
        _text(run, "head_branch"),
        _text(run, "event"),
    )
    fits = (
        event.run > 0
        and _REPOSITORY.fullmatch(event.repository)
        and _COMMIT.fullmatch(event.head)
        and _LOGIN.fullmatch(event.owner)
        and _BRANCH.fullmatch(event.branch)
        and _BRANCH.fullmatch(event.default_branch)
        and event.cause in ("pull_request", "pull_request_review")
    )
    if not fits:
        raise RefusedError("The event is not about a run for a pull request.")
    return event


def pull_of(event: RunEvent, pulls: JsonValue) -> PullRequest:
    """The open pull request whose head is the commit that was looked at.

    The number is never taken from what the job wrote, and not from the event, which has none for
    forks: the forge is asked, and its answer must name this commit and this branch's base.

    Raises:
        RefusedError: there is none any more, or the answer fits several.
    """
    fitting = [
        pull
        for pull in (pulls if isinstance(pulls, list) else ())
        if _get(_get(pull, "head"), "sha") == event.head
        and _get(_get(pull, "base"), "ref") == event.default_branch
        and _get(_get(_get(pull, "base"), "repo"), "full_name") == event.repository
        and _get(pull, "state") == "open"
    ]
    numbers = {number for pull in fitting if isinstance(number := _get(pull, "number"), int)}
    if len(numbers) != 1:
        raise RefusedError(
            f"No open pull request has the head {event.head[:10]} now; it has moved on."
            if not numbers
            else f"Several pull requests have the head {event.head[:10]}."
        )
    return PullRequest(numbers.pop(), event.head)


def our_comment(comments: JsonValue, login: str) -> int | None:
    """Number of the comment that is ours: written by our account, and beginning with our mark.

    Anybody can write the mark; nobody else's comment is ever touched.
    """
    for comment in comments if isinstance(comments, list) else ():
        body, number = _get(comment, "body"), _get(comment, "id")
        mine = _get(_get(comment, "user"), "login") == login
        bot = _get(_get(comment, "user"), "type") == "Bot"
        if mine and bot and isinstance(body, str) and body.startswith(MARKER):
            return number if isinstance(number, int) else None
    return None


def artifact_of(artifacts: JsonValue, name: str, most_bytes: int) -> int | None:
    """Number of a run's artifact of this name that has not expired and is not too large."""
    listed = _get(artifacts, "artifacts")
    for artifact in listed if isinstance(listed, list) else ():
        size, number = _get(artifact, "size_in_bytes"), _get(artifact, "id")
        fits = isinstance(size, int) and size <= most_bytes and _get(artifact, "expired") is False
        if _get(artifact, "name") == name and fits:
            return number if isinstance(number, int) else None
    return None


def flat(pages: JsonValue) -> list[JsonValue]:
    """All entries of an answer that came page by page."""
    found: list[JsonValue] = []
    for page in pages if isinstance(pages, list) else ():
        found += page if isinstance(page, list) else [page]
    return found


def _get(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None


def _text(value: JsonValue, key: str) -> str:
    found = _get(value, key)
    return found if isinstance(found, str) else ""
