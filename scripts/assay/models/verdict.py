"""A recorded verdict: what a person or a judge model said about one criterion on one run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import CaseId, Model, Name, Sha256


class Verdict(Model):
    """One criterion, one run, one judge, one repeat. One line of ``verdicts/*.jsonl``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    case_id: CaseId
    """The eval case."""
    criterion: Name
    """Id of the criterion in the truth record."""
    run: Name
    """Name of the run that was judged."""
    trial: int = Field(default=0, ge=0)
    """Zero-based trial that was judged."""
    observed: Sha256 | None = None
    """Digest of what was judged; a verdict on something else does not count."""
    verdict: str | None = None
    """One of the criterion's labels; none when the judge gave no usable answer."""
    error: str | None = None
    """Why there is no verdict."""
    judge: Name
    """Handle of the person or name of the model."""
    judge_kind: Literal["person", "model"]
    """Who judged."""
    prompt_digest: Sha256 | None = None
    """Digest of the prompt that the judge model read."""
    repeat: int = Field(default=0, ge=0)
    """Zero-based repetition by the same judge."""
    reason: str | None = None
    """Why the judge decided so, in its own words."""
