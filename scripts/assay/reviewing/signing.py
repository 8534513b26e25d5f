"""Who signs for a revision, and whose signature is more than a claim."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from assay.ledger.lifecycle import SIGNERS, row_for
from assay.ledger.toolnames import ToolNames
from assay.models.review import Signature
from assay.models.truth import TruthRecord

_LABELERS = {"labeler_and_adjudicator": 1, "two_and_adjudicator": 2}
_ADJUDICATED = frozenset({"adjudicator", *_LABELERS})


def signing(
    before: TruthRecord | None,
    after: TruthRecord,
    names: ToolNames,
    author: str | None,
    approved: Collection[str],
) -> tuple[str | None, tuple[Signature, ...], tuple[str, ...]]:
    """Who must sign for a revision, in words; who has; who is awaited.

    A label is made on a sheet before the pull request, so that the name of a labeler is taken
    as it stands; an adjudicator signs by approving, and is awaited until that is proved.

    Args:
        before: the revision before.
        after: the revision.
        names: the rename map.
        author: handle of the author of the revision in git, where it is known.
        approved: handles whose approval the forge has recorded.
    """
    row = row_for(before, after, names)
    if row is None:
        return None, (), ()

    def signed(handle: str, role: Literal["labeler", "adjudicator", "author"]) -> Signature:
        by_forge, by_git = handle in approved, handle == author
        proof: Literal["forge", "git", "claimed"]
        proof = "forge" if by_forge else "git" if by_git else "claimed"
        return Signature(handle=handle, role=role, proof=proof)

    found: list[Signature] = []
    awaited: list[str] = []
    if row.signs in ("author", "anyone") and author is not None:
        found.append(signed(author, "author"))
    needed = _LABELERS.get(row.signs, 0)
    if needed:
        found += [signed(handle, "labeler") for handle in after.labelers]
        missing = needed - len(set(after.labelers))
        awaited += ["a labeler"] if missing == 1 else ["two labelers"] if missing > 1 else []
    if row.signs in _ADJUDICATED:
        if after.adjudicator is None:
            awaited.append("an adjudicator")
        else:
            mine = signed(after.adjudicator, "adjudicator")
            found.append(mine)
            awaited += [mine.handle] if mine.proof == "claimed" else []
    return SIGNERS[row.signs], tuple(found), tuple(awaited)
