"""Signatures: whether those who are named stand behind what a branch adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule
from assay.checks.world import World
from assay.ledger.layout import PEOPLE
from assay.ledger.lifecycle import REDACTION, SIGNERS
from assay.ledger.signatures import SignedBranch, SignedRevision
from assay.models.forge import Signature


class _Signed(Rule):
    """Base of the rules about signatures."""

    scope = "nothing"
    waivable = False


def _each(world: World, state: str) -> Iterator[tuple[SignedBranch, SignedRevision, Signature]]:
    """Signatures in a state; those of strangers are reported as that."""
    if world.signed is not None:
        for item in world.signed.revisions:
            for signature in item.signatures:
                stranger = signature.role in ("adjudicator", "approver") and bool(item.stranger)
                if signature.state == state and not stranger:
                    yield world.signed, item, signature


def _at(item: SignedRevision, message: str, hint: str, pointer: str = "/adjudicator") -> Found:
    return Found(
        message, hint, item.path, 1, pointer=pointer, case_id=item.key.case_id, suite=item.key.suite
    )


def _missing(world: World, demand: str) -> Iterable[Found]:
    for signed, item, signature in _each(world, "missing"):
        if signed.forge is not None and signed.forge.signatures == demand:
            needs = SIGNERS[item.row.signs]
            yield _at(
                item,
                f"Not signed: {signature.handle}, {signature.role}, {signature.how}. This step is"
                f" signed by {needs}.",
                signature.next,
            )


class SIG001(_Signed):
    """The adjudicator has not approved this head.

    A name in a file is a claim; the forge says whether the person agreed to exactly these bytes.

    Let the adjudicator approve the pull request as it stands now.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Revisions without their adjudicator's approval, where signatures are required."""
        yield from _missing(world, "required")


class SIG002(_Signed):
    """The adjudicator has not approved this head; here that is only reported.

    Once it is merged, nobody can tell a signature from a name that somebody wrote down.

    Let the adjudicator approve, or set `signatures: required` in ``truth/people.yaml``.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Revisions without their adjudicator's approval, where signatures are reported."""
        yield from _missing(world, "reported")


class SIG003(_Signed):
    """A signature is claimed and not proved.

    The file names the person; neither the forge nor git says that the person agreed.

    Nothing need be done where the forge is asked later, by the trusted workflow.
    """

    severity = "note"

    def find(self, world: World) -> Iterable[Found]:
        """People who are named as labelers, adjudicators or authors without proof."""
        for _, item, signature in _each(world, "claimed"):
            pointer = "/labelers" if signature.role == "labeler" else "/adjudicator"
            pointer = "/redacted" if signature.role == "approver" else pointer
            yield _at(
                item,
                f"Claimed: {signature.handle}, {signature.role}: {signature.how}.",
                "",
                pointer if signature.role != "author" else "",
            )


class SIG004(_Signed):
    """The adjudicator is none by the people of the base.

    Who may sign is decided before the pull request, not by it: else it could bring its own
    signer.

    Name somebody who is one, or merge the change of ``truth/people.yaml`` first.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Adjudicators who do not have this role today in the base's ``people.yaml``."""
        if world.signed is None:
            return
        for item in world.signed.revisions:
            if item.stranger is not None:
                what = "may not approve this" if item.row is REDACTION else "is no adjudicator"
                yield _at(
                    item,
                    f"`{item.stranger}` {what} today by {PEOPLE} of {world.signed.base[:40]}.",
                    f"name one who is, or change {PEOPLE} in a pull request of its own",
                )


class SIG005(_Signed):
    """A signature is proved.

    The forge, git or the trusted workflow says that the person stands behind these bytes.

    Nothing need be done.
    """

    severity = "note"

    def find(self, world: World) -> Iterable[Found]:
        """People whose signature is known."""
        for _, item, signature in _each(world, "proved"):
            pointer = {
                "labeler": "/labelers",
                "adjudicator": "/adjudicator",
                "approver": "/redacted",
            }.get(signature.role, "")
            yield _at(
                item, f"Signed: {signature.handle}, {signature.role}, {signature.how}.", "", pointer
            )
