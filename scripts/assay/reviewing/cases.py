"""Cases with new revisions: meaning before and after, why, class, and who signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from assay.ledger.finishing import finished_text
from assay.ledger.policy_texts import cited_clauses
from assay.ledger.records import StoredRecord
from assay.models.review import CLASSES, CaseReview, Class, Clause, Declared, RevisionReview
from assay.models.truth import TruthRecord
from assay.reviewing.classes import class_of, says_more
from assay.reviewing.fields import field_changes
from assay.reviewing.sides import Side
from assay.reviewing.signing import signing


@dataclass(frozen=True)
class Known:
    """What is known of the new revisions from elsewhere."""

    authors: Mapping[str, str] = field(default_factory=dict)
    """Path to the handle of its author in git."""
    approved: Collection[str] = frozenset()
    """Handles whose approval the forge has recorded."""
    declared: Mapping[str, str] = field(default_factory=dict)
    """Path to the proved bulk change that wrote it."""
    flips: Mapping[str, int] = field(default_factory=dict)
    """Case to the number of verdicts that flip on it."""


@dataclass
class Folded:
    """Cases that a proved declaration covers."""

    kinds: Counter[Class] = field(default_factory=Counter)
    """Class to number of cases."""
    awaited: set[str] = field(default_factory=set)
    """Who has still to sign."""

    def of(self, declared: Declared) -> Declared:
        """The declaration with what its cases come to."""
        kinds = {kind: self.kinds[kind] for kind in reversed(CLASSES) if self.kinds[kind]}
        awaited = tuple(sorted(self.awaited))
        return declared.model_copy(update={"kinds": kinds, "awaited": awaited})


def case_reviews(
    base: Side, head: Side, added: Iterable[str], known: Known
) -> tuple[tuple[CaseReview, ...], dict[str, Folded]]:
    """Cases with new revisions by class, gravest first, and case.

    A case all of whose new revisions are covered by proved declarations is not among them; it is
    counted under the declaration that wrote the last of them.

    Args:
        base: how it was.
        head: how it is.
        added: paths of new files.
        known: authors, approvals, declarations, flips.

    Returns:
        The cases, and declaration to what it covers.
    """
    new = set(added)
    folded: dict[str, Folded] = {}
    found: list[CaseReview] = []
    for case_id, revisions in head.world.repository.revisions.items():
        mine = [stored for stored in revisions if stored.path in new]
        if not mine:
            continue
        if all(stored.path in known.declared for stored in mine):
            under = folded.setdefault(known.declared[mine[-1].path], Folded())
            under.kinds[_kind(base, head, case_id, mine[-1].record, known)] += 1
            for stored in mine:
                under.awaited.update(_revision(stored, revisions, head, known).awaited)
            continue
        found.append(_review(base, head, case_id, revisions, mine, known))
    found.sort(key=lambda case: (-CLASSES.index(case.kind), case.suite, case.case_id))
    return tuple(found), dict(sorted(folded.items()))


def _kind(base: Side, head: Side, case_id: str, after: TruthRecord, known: Known) -> Class:
    old, first, second = base.latest(case_id), base.counting(case_id), head.counting(case_id)
    return class_of(
        (first.record if first else None, base.scored(case_id)),
        (second.record if second else None, head.scored(case_id)),
        head.world.names,
        told=says_more(old.record if old is not None else None, after),
        flips=known.flips.get(case_id, 0),
    )


def _review(
    base: Side,
    head: Side,
    case_id: str,
    revisions: tuple[StoredRecord, ...],
    mine: list[StoredRecord],
    known: Known,
) -> CaseReview:
    names = head.world.names
    old = base.latest(case_id)
    before = old.record if old is not None else None
    after = mine[-1].record
    suite = head.world.repository.suite_of(mine[-1])
    return CaseReview(
        suite=suite.name if suite is not None else mine[-1].suite,
        case_id=case_id,
        asked=head.asked(case_id),
        kind=_kind(base, head, case_id, after, known),
        revisions=tuple(_revision(stored, revisions, head, known) for stored in mine),
        changes=field_changes(before, after, names),
        clauses=_clauses(head, after),
        before=base.scored(case_id),
        after=head.scored(case_id),
        flips=known.flips.get(case_id, 0),
        finished=_finished(mine[-1], revisions, head),
    )


def _revision(
    stored: StoredRecord, revisions: tuple[StoredRecord, ...], head: Side, known: Known
) -> RevisionReview:
    record = stored.record
    before = _before(stored, revisions)
    said = set(before.rationale) if before is not None else set()
    signs, signatures, awaited = signing(
        before, record, head.world.names, known.authors.get(stored.path), known.approved
    )
    declared = known.declared.get(stored.path)
    return RevisionReview(
        revision=record.revision,
        path=stored.path,
        status=record.status,
        change=record.change,
        why=tuple(sentence for sentence in record.rationale if sentence not in said),
        signs=signs,
        signatures=signatures,
        awaited=awaited,
        declared=declared,
    )


def _before(stored: StoredRecord, revisions: tuple[StoredRecord, ...]) -> TruthRecord | None:
    earlier = [item.record for item in revisions if item.revision < stored.revision]
    return earlier[-1] if earlier else None


def _clauses(head: Side, record: TruthRecord) -> tuple[Clause, ...]:
    repository = head.world.repository
    texts = head.world.once("reviewed_clauses", lambda world: {})
    missing = [clause for clause in record.clauses if clause not in texts]
    if missing:
        found = cited_clauses(repository.root, repository.policies.model, missing)
        texts.update({clause: found.get(clause) for clause in missing})
    return tuple(Clause(clause=clause, text=texts[clause]) for clause in record.clauses)


def _finished(stored: StoredRecord, revisions: tuple[StoredRecord, ...], head: Side) -> str | None:
    case = head.world.repository.cases.get(stored.case_id)
    text = finished_text(stored.record, _before(stored, revisions), case.case if case else None)
    return None if text.encode("utf-8") == stored.data else text
