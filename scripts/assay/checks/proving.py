"""Proofs of labels, once for all rules that look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.checks.world import Judged, World
from assay.scoring.case import Scorer
from assay.scoring.proof import Proof, prove


@dataclass
class Proofs:
    """The proofs of a world."""

    proved: list[tuple[Judged, Proof]] = field(default_factory=list)
    """Every label that could be proved or disproved."""
    crash: Exception | None = None
    """The first fault of ours on the way; the other labels are proved all the same."""


def proofs(world: World) -> Proofs:
    """The proofs of all gold and silver labels that have a case and whose names are settled."""
    return world.once("proofs", _prove_all)


def _prove_all(world: World) -> Proofs:
    found = Proofs()
    for judged in _settled(world):
        language = judged.suite.suite.language if judged.suite else "en"
        # A scorer keeps the records that it has read; one each keeps memory bounded.
        scorer = Scorer(world.names, language, world.who.same_model)
        day = judged.suite.reference_date(judged.case_id) if judged.suite else None
        assert judged.case is not None
        try:
            proof = prove(
                judged.mapped.record,
                judged.case.case,
                scorer,
                suite=judged.suite_name,
                reference_date=day,
            )
        except Exception as error:  # One label that we cannot handle must not hide the others.
            found.crash = found.crash or error
            continue
        found.proved.append((judged, proof))
    return found


def _settled(world: World) -> Iterator[Judged]:
    for judged in world.scorable:
        mapped = judged.mapped
        if judged.case is None or mapped.unknown or mapped.ambiguous or mapped.undecided:
            continue
        digest = judged.record.case_digest
        if digest is None or digest == judged.case.digest:
            yield judged
