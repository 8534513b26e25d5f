"""Stage ``splits``: place every case in train, dev, test or holdout."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError
from assay.files.model_text import value_text
from assay.files.reading import json_lines
from assay.files.writing import write_text
from assay.ledger.cases import load_suite
from assay.ledger.splitting import SPLITS, Placed, crossings, group_keys, split
from assay.models.base import JsonValue
from assay.models.params import Params
from assay.pipeline.stage import run_stage, stage_params


def splits_stage(root: Path, arguments: list[str]) -> int:
    """Write ``splits/<suite>.json`` for every suite of ``params.yaml``."""
    params = stage_params(root)
    for name in params.suites:
        write_text(root / f"splits/{name}.json", value_text(manifest(root, name, params)) + "\n")
    return 0


def manifest(root: Path, name: str, params: Params) -> JsonValue:
    """The split of one suite: counts, then each case with its place and the reason.

    Raises:
        InputError: the suite cannot be loaded.
    """
    suite, faults = load_suite(root, name)
    if suite is None:
        first = faults[0]
        raise InputError(first.message, path=first.path, line=first.line, hint=first.hint)
    listed = {
        str(value["case_id"])
        for _, value in json_lines(root / f"build/truth/{name}.jsonl")
        if isinstance(value, dict)
    }
    cases = {
        case_id: (stored.case, attributes)
        for case_id, stored in suite.cases.items()
        if case_id in listed and (attributes := suite.attributes(case_id)) is not None
    }
    placed = split(cases, params.split)
    crossing = crossings(
        (place.split, group_keys(cases[case_id][1])) for case_id, place in placed.items()
    )
    if crossing:
        # Blocks are made so that this cannot be; a broken proof must never look like a split.
        first_crossing = crossing[0]
        raise InputError(
            f"{first_crossing.kind} `{first_crossing.name}` stands in"
            f" {' and '.join(first_crossing.splits)}.",
            path=f"cases/{name}/suite.yaml",
        )
    return {
        "schema_version": 1,
        "suite": name,
        "rule": {
            "seed": params.split.seed,
            "dev": params.split.dev,
            "test": params.split.test,
            "holdout_groups": params.split.holdout_groups,
        },
        "counts": {side: _count(placed, side) for side in SPLITS},
        "cases": {
            case_id: {"split": place.split, "block": place.block, "reason": place.reason}
            for case_id, place in placed.items()
        },
    }


def _count(placed: dict[str, Placed], side: str) -> int:
    return sum(1 for place in placed.values() if place.split == side)


if __name__ == "__main__":
    run_stage(splits_stage)
