"""``assay gate``: a run against a baseline, in a benchmark that may lie somewhere else."""

from __future__ import annotations

from assay.pipeline.gating.asking import GateRequest, gate
from assay.pipeline.gating.bench import benchmark

__all__ = ["GateRequest", "benchmark", "gate"]
