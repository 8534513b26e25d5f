"""Who has signed what a branch adds: the forge's word, git's, or nobody's.

Nothing that a pull request itself changes decides here: people, forge and day are those of the
base, an address that git names proves nothing where there is a forge, and a trailer counts only
in a commit that the trusted workflow made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from assay.errors import AssayError, RefusedError, UsageError
from assay.files.yamls import parse_yaml
from assay.ledger.changes import History
from assay.ledger.commits import Commits, commits_of
from assay.ledger.layout import PARAMS, PEOPLE, RECORDS, RecordKey, record_key
from assay.ledger.lifecycle import APPROVERS, REDACTION, Row, row_for
from assay.ledger.people import PeopleIndex
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.models.base import Model
from assay.models.catalog import People
from assay.models.forge import Forge, Reviews, Signature, State
from assay.models.params import Params

M = TypeVar("M", bound=Model)

_TRAILER = re.compile(r"^Adjudicated-by: (?P<handle>[a-z0-9._-]+) (?P<key>\S+\.r[0-9]{4,})$", re.M)


@dataclass(frozen=True)
class SignedRevision:
    """A revision that a branch adds, and who signed it."""

    path: str
    """Its file."""
    key: RecordKey
    """Suite, case and revision."""
    row: Row
    """What the life cycle asks for."""
    signatures: tuple[Signature, ...]
    """Everybody who is named, labelers first."""
    stranger: str | None = None
    """The adjudicator that it names, where the base knows none of this name today."""


@dataclass(frozen=True)
class SignedBranch:
    """All revisions that a branch adds."""

    base: str
    """What it is compared with."""
    head: str
    """The commit that was looked at, full name."""
    forge: Forge | None
    """The forge, as the base has it."""
    revisions: tuple[SignedRevision, ...]
    """By path."""


@dataclass(frozen=True)
class _Asked:
    """What is known of who signed, and by whose word."""

    who: PeopleIndex
    forge: Forge | None
    reviews: Reviews | None
    head: str
    authors: Mapping[str, tuple[str, str]]
    recorded: frozenset[tuple[str, str]]


def signed_branch(
    root: Path,
    repository: Repository,
    history: History,
    reviews: Reviews | None,
    *,
    head: str = "HEAD",
) -> SignedBranch:
    """Who has signed the revisions that a branch or the commits of main add.

    Args:
        root: the git clone; it has base and head.
        repository: the records of the head.
        history: what the head changes.
        reviews: what the forge says of the pull request; None where it was not asked.
        head: the commit whose approval counts.

    Raises:
        RefusedError: the forge speaks of another head than this one.
        UsageError: the reviews are those of another forge than the base has.
    """
    added = sorted({path for step in history.steps for path in step.added if record_key(path)})
    edited = sorted({path for step in history.steps for path in step.after if record_key(path)})
    with commits_of(root) as commits:
        base, last = commits.commit(history.base), commits.commit(head)
        people = _model(commits, base, PEOPLE, People) or People()
        params = _model(commits, base, PARAMS, Params)
        forge = people.forge
        _fits(reviews, forge, last)
        asked = _Asked(
            PeopleIndex(people),
            forge,
            reviews,
            last,
            commits.authors(base, last, RECORDS) if added else {},
            frozenset(_recorded(commits, base, last, forge)) if added else frozenset(),
        )
    day = params.today if params is not None else None
    found = [item for path in added for item in _revision(path, repository, asked, day)]
    found += [item for path in edited for item in _redaction(path, repository, asked, day)]
    return SignedBranch(history.base, last, forge, tuple(sorted(found, key=lambda one: one.path)))


def _model(commits: Commits, commit: str, path: str, model: type[M]) -> M | None:
    """A YAML file of the base; None where it is not there or broken."""
    data = commits.text_at(commit, path)
    try:
        return (
            parse_yaml(data.decode("utf-8", "replace"), name=path).require(model) if data else None
        )
    except AssayError:
        return None


def _fits(reviews: Reviews | None, forge: Forge | None, head: str) -> None:
    if reviews is None:
        return
    if forge is None or forge.kind != reviews.kind:
        has = forge.kind if forge is not None else "no forge"
        raise UsageError(
            f"These are reviews of {reviews.kind}; the base has {has}.",
            path=PEOPLE,
            hint="set `forge` there, in a pull request of its own",
        )
    if reviews.head is not None and reviews.head != head:
        raise RefusedError(
            f"The forge speaks of {reviews.head[:10]}, this is {head[:10]}: the pull request has"
            " moved on.",
            hint=f"look at it again with --head {reviews.head[:10]}",
        )


def _recorded(
    commits: Commits, base: str, head: str, forge: Forge | None
) -> Iterator[tuple[str, str]]:
    """Handle and ``case.r0001`` of every trailer that the trusted workflow wrote."""
    if forge is None or forge.recorder is None:
        return
    address = forge.recorder.casefold()
    for _, author, committer, message in commits.messages(base, head):
        # The forge sets the committer when it merges: nobody gets both by a pull request.
        if author.casefold() == committer.casefold() == address:
            yield from ((found["handle"], found["key"]) for found in _TRAILER.finditer(message))


def _revision(
    path: str, repository: Repository, asked: _Asked, day: str | None
) -> Iterator[SignedRevision]:
    key = record_key(path)
    assert key is not None
    revisions = repository.revisions.get(key.case_id, ())
    stored = _numbered(revisions, key.revision)
    before = _numbered(revisions, key.revision - 1)
    if stored is None or stored.path != path:
        return
    record = stored.record
    row = row_for(before.record if before else None, record, repository.names)
    if row is None:
        return  # No step at all; the rules of the life cycle say so.
    signatures: list[Signature] = []
    stranger = None
    if row.signs in ("two_and_adjudicator", "labeler_and_adjudicator"):
        signatures += [_labeler(handle, path, asked) for handle in record.labelers]
    if row.signs in ("two_and_adjudicator", "labeler_and_adjudicator", "adjudicator"):
        handle = record.adjudicator
        if handle is not None:
            known = asked.forge is None or asked.who.has_role(handle, "adjudicator", day)
            stranger = None if known else handle
            signatures.append(_adjudicator(handle, path, key, asked))
    else:
        signatures += _author(path, asked)
    yield SignedRevision(path, key, row, tuple(signatures), stranger)


def _redaction(
    path: str, repository: Repository, asked: _Asked, day: str | None
) -> Iterator[SignedRevision]:
    """A tombstone that takes the place of a revision, and who approved it."""
    key = record_key(path)
    assert key is not None
    stored = _numbered(repository.revisions.get(key.case_id, ()), key.revision)
    if stored is None or stored.path != path or stored.record.redacted is None:
        return
    people = stored.record.redacted.approved_by
    signatures = tuple(_adjudicator(handle, path, key, asked, "approver") for handle in people)
    strangers = [
        handle
        for handle in people
        if asked.forge is not None
        and not any(asked.who.has_role(handle, role, day) for role in APPROVERS)
    ]
    yield SignedRevision(path, key, REDACTION, signatures, strangers[0] if strangers else None)


def _numbered(revisions: Iterable[StoredRecord], number: int) -> StoredRecord | None:
    return next((stored for stored in revisions if stored.revision == number), None)


def _adjudicator(
    handle: str,
    path: str,
    key: RecordKey,
    asked: _Asked,
    role: Literal["adjudicator", "approver"] = "adjudicator",
) -> Signature:
    recorded = (handle, f"{key.case_id}.r{key.revision:04d}") in asked.recorded
    if recorded and role == "adjudicator":
        how = "recorded by the trusted workflow"
        return Signature(handle=handle, role=role, state="proved", how=how)
    proved, how, then = _proof(handle, path, asked)
    not_asked = asked.forge is None or asked.reviews is None
    state: State = "proved" if proved else "claimed" if not_asked else "missing"
    return Signature(handle=handle, role=role, state=state, how=how, next=then)


def _labeler(handle: str, path: str, asked: _Asked) -> Signature:
    """A labeler signs with a sealed label; an approval proves as much, its absence nothing."""
    proved, how, _ = _proof(handle, path, asked)
    state: State = "proved" if proved else "claimed"
    return Signature(handle=handle, role="labeler", state=state, how=how)


def _author(path: str, asked: _Asked) -> list[Signature]:
    """Whoever wrote the revision, as far as anybody knows."""
    state: State = "proved"
    if asked.reviews is not None and asked.reviews.author is not None:
        handle = _handle(asked, asked.reviews.author)
        how = f"opened the pull request as {asked.reviews.author}"
    else:
        commit, address = asked.authors.get(path, ("", ""))
        handle = asked.who.handle_of(address) if address else None
        how = f"git author of {commit[:10]}"
        state = "proved" if asked.forge is None else "claimed"
    if handle is None:
        return []
    return [Signature(handle=handle, role="author", state=state, how=how)]


_Proof = tuple[bool, str, str]
"""Whether it is proved, by what or why not, and what to do then."""


def _proof(handle: str, path: str, asked: _Asked) -> _Proof:
    """Whether a person is known to stand behind the head."""
    if asked.forge is None:
        commit, address = asked.authors.get(path, ("", ""))
        if address and asked.who.handle_of(address) == handle:
            return True, f"git author of {commit[:10]}", ""
        return False, "git names another author, and there is no forge to ask", ""
    if asked.reviews is None:
        return False, "the forge was not asked", ""
    return _approval(handle, asked.forge, asked.reviews, asked)


def _approval(handle: str, forge: Forge, reviews: Reviews, asked: _Asked) -> _Proof:
    person = asked.who.people.people.get(handle)
    login = person.logins.get(forge.kind) if person is not None else None
    if not login:
        return False, f"has no {forge.kind} login in {PEOPLE} of the base", "add it there first"
    if _handle(asked, login) != handle:
        return False, f"shares the login {login} with somebody else", f"correct {PEOPLE}"
    if reviews.author is not None and reviews.author.casefold() == login.casefold():
        then = "another adjudicator signs, or somebody else opens it"
        return False, "opened the pull request, and nobody approves his own", then
    approve = f"{handle} approves {asked.head[:10]}; a later push asks again"
    mine = [r for r in reviews.reviews if r.login.casefold() == login.casefold()]
    if not mine:
        return False, "has not approved", approve
    if not mine[0].approves:
        return False, "asked for changes, or the approval was dismissed", approve
    if mine[0].commit is None:
        then = "ask for the versions too: docs/forge.md"
        return False, "approved, and the forge does not say which commit", then
    if mine[0].commit != asked.head:
        return False, f"approved {mine[0].commit[:10]}, not {asked.head[:10]}", approve
    return True, f"approved {asked.head[:10]}", ""


def _handle(asked: _Asked, login: str) -> str | None:
    """Whose login it is; None where nobody's or two people's."""
    kind = asked.forge.kind if asked.forge is not None else ""
    found = [
        handle
        for handle, person in asked.who.people.people.items()
        if person.logins.get(kind, "").casefold() == login.casefold()
    ]
    return found[0] if len(found) == 1 else None


def trailers(signed: SignedBranch) -> tuple[str, ...]:
    """The lines by which the trusted workflow records whose approval it has seen."""
    return tuple(
        f"Adjudicated-by: {signature.handle} {item.key.case_id}.r{item.key.revision:04d}"
        for item in signed.revisions
        for signature in item.signatures
        if signature.role == "adjudicator" and signature.state == "proved"
        and item.stranger is None
    )  # fmt: skip
