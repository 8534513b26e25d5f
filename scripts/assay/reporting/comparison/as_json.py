"""A comparison for programs."""

from __future__ import annotations

from assay.models.comparison import Comparison
from assay.reporting.json_out import all_fields, json_document


def json_text(made: Comparison) -> str:
    """The comparison as a JSON document, with every field of `Comparison`."""
    return json_document(all_fields(made))
