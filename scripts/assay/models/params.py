"""``params.yaml``: every input of the pipeline that is not a file. New ones have defaults."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from assay.models.base import CaseId, Day, Many, Model, Name, SuiteId


def _exact(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    return value


Share = Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, le=1)]
"""A number from 0 to 1, exact."""


class Weights(Model):
    """Weights of the three levels; they sum to 1."""

    outcome: Share = Decimal("0.5")
    """Outcome level."""
    process: Share = Decimal("0.3")
    """Process level."""
    planning: Share = Decimal("0.2")
    """Planning level."""

    @model_validator(mode="after")
    def _whole(self) -> Weights:
        total = self.outcome + self.process + self.planning
        if total != 1:
            raise ValueError(f"outcome, process and planning sum to {total}, not to 1")
        return self


class SplitParams(Model):
    """How cases are divided into train, dev, test and holdout."""

    seed: int = 0
    """Names the draw; the same seed gives the same split on every machine."""
    dev: Share = Decimal("0.2")
    """Share of groups in dev."""
    test: Share = Decimal("0.6")
    """Share of groups in test; what is left is train."""
    holdout_groups: Many[Name] = ()
    """Groups, ``kind:name``, that are held out."""

    @model_validator(mode="after")
    def _fits(self) -> SplitParams:
        if self.dev + self.test > 1:
            raise ValueError(f"dev and test take {self.dev + self.test}, which is more than 1")
        return self


class GateRequire(Model):
    """What must be scorable for a run of the pipeline to succeed."""

    cases: Many[CaseId] = ()
    """These cases."""
    slices: Many[Name] = ()
    """Every gold case of these slices."""


class GateParams(Model):
    """What may block a merge."""

    unmeasured: Literal["allow", "refuse"] = "refuse"
    """Whether a slice whose agreement was never measured may gate."""
    alpha: Share = Decimal("0.05")
    """Level of the test that says that an agent became worse."""
    require: GateRequire = GateRequire()
    """Cases and slices that must be scorable."""
    floors: dict[SuiteId, Share] = Field(default_factory=dict)
    """Suite to the coverage under which the gate refuses."""


class ExpiryParams(Model):
    """How early expiry is announced."""

    warn_within_days: int = Field(default=60, ge=0)
    """Days before expiry from which on a warning is given."""


class RedactionParams(Model):
    """What imports do not take for secrets or for people."""

    keep: Many[Name] = ()
    """Addresses, and domains as ``@shop.io``, that stay."""
    keep_fields: Many[Name] = ()
    """Names of fields whose values stay, as ``parking_token``."""


class Params(Model):
    """All parameters."""

    today: Day
    """The day that everything is judged at. Nothing reads the clock."""
    suites: Many[SuiteId] = ()
    """The suites that the pipeline builds."""
    policies: dict[str, Name] = Field(default_factory=dict)
    """What-if: policy family to a version that overrides the one in force."""
    weights: Weights = Weights()
    """Weights of the three levels."""
    split: SplitParams = SplitParams()
    """Split rule."""
    gate: GateParams = GateParams()
    """Gate rule."""
    expiry: ExpiryParams = ExpiryParams()
    """Expiry announcements."""
    redaction: RedactionParams = RedactionParams()
    """What imports leave as it is."""
