"""Commands in comments: one whole line, exactly written, by somebody who may."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.models.base import JsonValue

_RENUMBER = re.compile(r"/assay[ ]renumber[ ]([a-z0-9][a-z0-9._-]{0,95})")
_MAY = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True)
class Renumber:
    """``/assay renumber CASE``: the revision of this pull request goes on top of the base's."""

    case_id: str
    """The case."""
    pull: int
    """Number of the pull request."""


def renumber_of(event: JsonValue) -> Renumber | None:
    """The command in an ``issue_comment`` event; None where there is none, or nobody may give it.

    Whoever opened the pull request may, and those who belong to the repository. The comment holds
    the command and nothing else; its text is used for nothing but the id.
    """
    if _get(event, "action") != "created":
        return None
    issue, comment = _get(event, "issue"), _get(event, "comment")
    number, body = _get(issue, "number"), _get(comment, "body")
    if _get(issue, "pull_request") is None or _get(issue, "state") != "open":
        return None
    found = _RENUMBER.fullmatch(body.strip()) if isinstance(body, str) else None
    if found is None or not isinstance(number, int) or isinstance(number, bool):
        return None
    who = _get(_get(comment, "user"), "login")
    own = isinstance(who, str) and who == _get(_get(issue, "user"), "login")
    return Renumber(found[1], number) if own or _association(comment) in _MAY else None


def _association(comment: JsonValue) -> str:
    return str(_get(comment, "author_association"))


def _get(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None
