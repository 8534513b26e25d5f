"""Effective truth: one line per case, as the pipeline compiles it to ``build/truth/``."""

from __future__ import annotations

from typing import Literal

from assay.models.base import CaseId, Day, Many, Model, Name, Sha256, SuiteId
from assay.models.finding import Code
from assay.models.truth import Status, TruthRecord


class Exclusion(Model):
    """One reason why a case cannot be scored today."""

    code: Code
    """Code of the finding."""
    reason: Name
    """Its message."""


class EffectiveTruth(Model):
    """The record that counts for a case on one day, and what may be done with it."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    suite: SuiteId
    """The case's suite."""
    case_id: CaseId
    """The eval case."""
    record: TruthRecord | None
    """The record that counts, after the rename map; none where a case has no record."""
    content_hash: Sha256 | None
    """Content hash of that record."""
    exclusions: Many[Exclusion] = ()
    """Why it cannot be scored; empty when it can."""
    gates: bool = False
    """Whether it may block a merge."""
    not_gating: Many[Name] = ()
    """Why it does not gate though it is scored."""


class ExclusionRow(Model):
    """One line of ``build/excluded.jsonl``: a case that cannot be scored today."""

    suite: SuiteId
    """The case's suite."""
    case_id: CaseId
    """The eval case."""
    status: Status | None
    """Status of the record that counts; none where a case has no record."""
    exclusions: Many[Exclusion]
    """Why it cannot be scored."""


class RevisionRow(Model):
    """One line of ``build/history/<suite>.jsonl``: a revision as it stands in its file."""

    path: Name
    """The file, relative to the root."""
    record: TruthRecord
    """The revision."""


class CompiledTruth(Model):
    """``build/context/<suite>.json``: what holds for a compilation."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    today: Day
    """The day it was compiled for."""
    policies: dict[str, str]
    """Policy family to the version in force."""
    truth: dict[str, Sha256]
    """Suite to its truth hash."""
    rename_map: Sha256
    """Digest of the rename map."""
    renames: dict[str, str]
    """Every old or alias name to the canonical name."""
