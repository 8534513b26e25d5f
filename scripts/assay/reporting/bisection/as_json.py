"""A bisection for programs."""

from __future__ import annotations

from dataclasses import asdict

from assay.reporting.bisection.inputs import Bisection
from assay.reporting.json_out import json_document


def json_text(found: Bisection) -> str:
    """The bisection as a JSON document, ``schema_version`` 1: the fields of `Bisection`.

    Fields are only ever added.
    """
    return json_document({"schema_version": 1, **asdict(found)})
