"""Whether the policy that an agent was given is one that the benchmark knows."""

from __future__ import annotations

import difflib
from pathlib import Path

from assay.errors import AssayError
from assay.files.yamls import read_yaml
from assay.intake.codes import finding
from assay.ledger.layout import POLICIES
from assay.models.catalog import Policies
from assay.models.finding import Finding


def policy_findings(root: Path, version: str) -> list[Finding]:
    """What is to be said of the policy version that runs were imported with.

    Nothing where the benchmark has no policies, or they cannot be read: the check says that.
    """
    try:
        policies = read_yaml(root / POLICIES, name=POLICIES).require(Policies)
    except AssayError:
        return []
    known = [entry.version for family in policies.families.values() for entry in family.versions]
    if not known or version in known:
        return []
    near = difflib.get_close_matches(version, sorted(known), 3)
    known_ones = f"known: {', '.join(sorted(known))}"
    return [
        finding(
            "IRU032",
            f"No policy version is called `{version}`; the runs are kept with it.",
            path=POLICIES,
            hint=f"did you mean {', '.join(near)}?" if near else known_ones,
        )
    ]
