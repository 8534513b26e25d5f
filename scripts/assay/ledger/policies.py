"""Which version of a policy is in force on a day."""

from __future__ import annotations

from collections.abc import Mapping

from assay.models.catalog import Policies
from assay.models.truth import TruthRecord


def in_force(
    policies: Policies, today: str, overrides: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Family to the version in force: the latest one that is effective on `today`.

    A family that is not yet in force is absent. Versions are compared by their day and never
    by their name: ``refunds-v10`` is not before ``refunds-v7``.

    Args:
        policies: all families.
        today: the day, ``YYYY-MM-DD``.
        overrides: what-if, family to version.
    """
    result: dict[str, str] = {}
    for family in sorted(policies.families):
        effective = [
            (version.effective, index, version.version)
            for index, version in enumerate(policies.families[family].versions)
            if version.effective <= today
        ]
        if effective:
            result[family] = max(effective)[2]
    result.update(overrides or {})
    return {family: result[family] for family in sorted(result)}


def effective_day(policies: Policies, version: str) -> str | None:
    """The first day on which a version is in force."""
    for family in policies.families.values():
        for entry in family.versions:
            if entry.version == version:
                return entry.effective
    return None


def applies_from(policies: Policies, record: TruthRecord) -> str | None:
    """The day from which a revision counts; none where it always did.

    Stated in the record, else the day on which the last of its policy versions took effect.
    """
    if record.applies_from is not None:
        return record.applies_from
    days = [effective_day(policies, version) for version in record.policies]
    known = [day for day in days if day is not None]
    return max(known) if known else None
