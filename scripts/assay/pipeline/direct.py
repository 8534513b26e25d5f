"""Checking, compiling and scoring in one go, without dvc and without ``build/``.

Equal truth gives the same context here as through the stages, and so the same results; a test
holds that.
"""

from __future__ import annotations

from assay.checks.compiling import CompiledRepository
from assay.ledger.repository import Repository
from assay.ledger.splitting import split
from assay.pipeline.against import suite_named, suite_truth
from assay.scoring.run import SuiteTruth


def from_repository(repository: Repository, compiled: CompiledRepository, name: str) -> SuiteTruth:
    """What ``assay score`` scores against; equal to `against.from_build`.

    Raises:
        InputError: the suite cannot be loaded.
    """
    params = repository.params.model
    suite = repository.suites.get(name) or suite_named(repository.root, name)
    entries = compiled.suites.get(name, ())
    listed = {entry.case_id for entry in entries}
    placed = split(
        {
            case_id: (stored.case, attributes)
            for case_id, stored in suite.cases.items()
            if case_id in listed and (attributes := suite.attributes(case_id)) is not None
        },
        params.split,
    )
    return suite_truth(
        suite,
        entries,
        compiled.context,
        repository.names,
        repository.who,
        params,
        {case_id: place.split for case_id, place in placed.items()},
        repository.root,
        frozenset(repository.cases.keys() - suite.cases.keys()),
    )
