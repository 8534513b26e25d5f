"""Comparing two names: what they are, whether they may be compared, and what moved the number."""

from __future__ import annotations

from assay.pipeline.comparing.asking import Request, compare

__all__ = ["Request", "compare"]
