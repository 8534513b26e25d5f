"""Other records that may have the defect that was just corrected.

A correction names what was wrong: a value of a fact, an argument of a call, a clause that was
misread. Records that count and share it are suspected, the more they share the more so. One
pass over the corrections and one over the records; nothing is compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.files.canonical import canonical_json
from assay.ledger.lifecycle import effect
from assay.ledger.records import StoredRecord
from assay.ledger.renames import map_record
from assay.models.review import Suspect
from assay.models.truth import SCORABLE, TruthRecord
from assay.reporting.words import listed
from assay.reviewing.sides import Side

SHOWN = 10
"""Suspects that are shown."""

ENOUGH = 4
"""What a record must share, added up: a clause, or a pair of labelers, alone is not enough."""

_CORRECTING = frozenset({"correction", "dispute", "world"})

Trait = tuple[str, str]
"""Kind and value of something that two records may have in common."""

_WEIGHTS = {"value": 8, "argument": 6, "template": 4, "parameter": 3, "clause": 2, "labelers": 1}


@dataclass(frozen=True)
class _Corrected:
    """A trait of a label that was found wrong."""

    case_id: str
    """The case."""
    words: str
    """The trait in words, for `` … as TRAIT``."""


def suspects(base: Side, head: Side, changed: Iterable[str]) -> tuple[tuple[Suspect, ...], int]:
    """The records most like what was corrected, and how many more there are.

    Args:
        base: how it was.
        head: how it is.
        changed: cases with new revisions; they are looked at already.
    """
    touched = frozenset(changed)
    wanted = _corrections(base, head, sorted(touched))
    if not wanted:
        return (), 0
    found = []
    for case_id, stored in head.world.counting.items():
        if case_id in touched or stored.record.status not in SCORABLE:
            continue
        suspect = _suspect(stored, head, wanted)
        if suspect is not None:
            found.append(suspect)
    found.sort(key=lambda item: (-item.score, item.suite, item.case_id))
    return tuple(found[:SHOWN]), max(0, len(found) - SHOWN)


def _corrections(
    base: Side, head: Side, changed: Iterable[str]
) -> Mapping[Trait, tuple[_Corrected, ...]]:
    """Trait to the corrected cases that had it."""
    found: dict[Trait, list[_Corrected]] = {}
    for case_id in changed:
        old, new = base.latest(case_id), head.latest(case_id)
        if old is None or new is None or new.record.change not in _CORRECTING:
            continue
        before, after = _mapped(old, head), _mapped(new, head)
        disputed = new.record.change == "dispute"
        if not disputed and effect(old.record, new.record, head.world.names) == "none":
            continue
        kept = set() if disputed else {trait for trait, _ in _details(after)}
        about = [item for item in _details(before) if item[0] not in kept]
        for trait, words in [*about, *_surroundings(before, _template(head, case_id))]:
            found.setdefault(trait, []).append(_Corrected(case_id, words))
    return {trait: tuple(cases) for trait, cases in found.items()}


def _mapped(stored: StoredRecord, head: Side) -> TruthRecord:
    return map_record(stored.record, head.world.names).record


def _template(head: Side, case_id: str) -> str | None:
    case = head.world.repository.cases.get(case_id)
    suite = head.world.repository.suites.get(case.suite) if case is not None else None
    attributes = suite.attributes(case_id) if suite is not None else None
    if suite is None or attributes is None or not attributes.template:
        return None
    return f"{suite.name}/{attributes.template}"


def _details(record: TruthRecord) -> Iterator[tuple[Trait, str]]:
    """What a label says in particular: values and arguments."""
    for fact in (*record.facts, *record.must_not_state):
        for wording in fact.any_of:
            yield ("value", wording.casefold()), f"states “{wording}”"
    for answer in record.acceptable_answers:
        yield ("value", answer.casefold()), f"answers “{answer}”"
    for entry in record.required:
        for name, value in sorted(entry.args.items()):
            text = canonical_json(value)
            words = f"calls {entry.tool} with {name}={text}"
            yield ("argument", f"{entry.tool} {name} {text}"), words


def _surroundings(record: TruthRecord, template: str | None) -> Iterator[tuple[Trait, str]]:
    """Where a label stands: what its author read, knew and started from."""
    if template is not None:
        yield ("template", template), f"is made from {template.partition('/')[2]}"
    for entry in record.required:
        for name in sorted(entry.args):
            yield ("parameter", f"{entry.tool} {name}"), f"fixes {name} of {entry.tool}"
    for clause in record.clauses:
        yield ("clause", clause), f"rests on {clause}"
    if record.labelers:
        pair = sorted(set(record.labelers))
        yield ("labelers", " ".join(pair)), f"labelled by {listed(pair)}"


def _suspect(
    stored: StoredRecord, head: Side, wanted: Mapping[Trait, tuple[_Corrected, ...]]
) -> Suspect | None:
    record = _mapped(stored, head)
    traits = dict([*_details(record), *_surroundings(record, _template(head, record.case_id))])
    shared = [trait for trait in traits if trait in wanted]
    exact = {trait[1].rpartition(" ")[0] for trait in shared if trait[0] == "argument"}
    # The same value says the same parameter already.
    shared = [t for t in shared if not (t[0] == "parameter" and t[1] in exact)]
    score = 0
    for kind in _WEIGHTS:
        # Two shared clauses are hardly more than one; two shared values are.
        number = sum(trait[0] == kind for trait in shared)
        most = 2 if kind in ("value", "argument") else 1
        score += _WEIGHTS[kind] * min(number, most)
    if score < ENOUGH:
        return None
    shared.sort(key=lambda trait: (-_WEIGHTS[trait[0]], trait[1]))
    weights: dict[str, int] = {}
    for trait in shared:
        for corrected in wanted[trait][:1_000]:
            weights[corrected.case_id] = weights.get(corrected.case_id, 0) + _WEIGHTS[trait[0]]
    like = min(weights, key=lambda case_id: (-weights[case_id], case_id))
    return Suspect(
        suite=stored.suite,
        case_id=record.case_id,
        like=like,
        score=score,
        reasons=tuple(dict.fromkeys(traits[trait] for trait in shared)),
    )
