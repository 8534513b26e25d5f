"""What a reproduction came to: which stages moved in ``dvc.lock``, and what is wrong with that."""

from __future__ import annotations

from typing import Literal

from assay.models.base import Many, Model, Name


class MovedStage(Model):
    """A stage whose entry in the lock is another one than before."""

    stage: Name
    """Its name; ``score@refunds`` for one of several."""
    inputs: Many[str] = ()
    """What it reads that changed, sorted; ``cmd`` for its command."""
    outputs: Many[str] = ()
    """What it wrote that changed, sorted."""

    @property
    def wrong(self) -> bool:
        """Whether it came to something else although its inputs are the same."""
        return bool(self.outputs) and not self.inputs


class Reproduced(Model):
    """What ``.ci/reproduce`` reports as ``reproduced.json``."""

    schema_version: Literal[1] = 1
    """Version of this shape."""
    moved: Many[MovedStage] = ()
    """Stages, by name."""
    problems: Many[str] = ()
    """What is wrong, one sentence each."""
