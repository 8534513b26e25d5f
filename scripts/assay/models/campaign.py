"""A relabelling campaign and a declared bulk change: frozen when written, never edited."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import CaseId, Day, Handle, Many, Model, Name, Sha256, SuiteId
from assay.models.truth import Status


class Campaign(Model):
    """``truth/campaigns/<id>.yaml``: why records have to be looked at, and by when."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    id: CaseId
    """Name of the campaign; the file's name."""
    policy: Name
    """The policy version that the records are moved to."""
    opened: Day
    """The day on which it was opened."""
    due: Day
    """The day by which every record should have been looked at."""
    why: Name
    """What moved, in a sentence."""
    where: dict[str, str] = Field(default_factory=dict)
    """What the cases were selected by, beside the family of the policy."""
    minutes: int = Field(ge=1)
    """Minutes that one case is thought to take one person."""
    cases: int = Field(ge=0)
    """How many cases it has."""
    digest: Sha256
    """SHA-256 of ``<id>.cases.jsonl``, so that the list cannot grow or shrink unseen."""


class CampaignCase(Model):
    """One line of ``truth/campaigns/<id>.cases.jsonl``."""

    case_id: CaseId
    """The case."""
    suite: SuiteId
    """Its suite."""
    revision: int = Field(ge=1)
    """The latest revision when the campaign was opened."""
    status: Status
    """Its status then."""
    versions: Many[Name]
    """Versions of the family that it was labelled under."""
    owner: Handle
    """Who answers for the case."""
    changed: Many[Name] = ()
    """Clauses that the record cites and whose words are other, or gone, in the new version."""


class BulkChange(Model):
    """``truth/campaigns/<id>.change.yaml``: many revisions that one command wrote.

    Whoever reviews it reviews the command: run again from where the branch began, it writes the
    same files.
    """

    schema_version: Literal[1] = 1
    """Version of this format."""
    id: CaseId
    """Name of the change; the file's name."""
    command: Many[Name]
    """The command with its arguments, without the program's name."""
    why: Name
    """Why it was done, in a sentence."""
    revisions: int = Field(ge=1)
    """How many revision files it wrote."""
    digest: Sha256
    """SHA-256 over the sorted lines ``<sha-256 of the file>  <path>`` of what it wrote."""
