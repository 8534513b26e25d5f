"""Secrets and addresses in JSON values and texts: found, and replaced by stable placeholders.

Pure: values in, values and places out. The rules stand in ``docs/formats/secrets.md``.
"""

from assay.redaction.hit import ADDRESS, Found, Kind
from assay.redaction.redact import Redaction, find_secrets, redact
from assay.redaction.sparing import NOTHING, Spared

__all__ = [
    "ADDRESS",
    "NOTHING",
    "Found",
    "Kind",
    "Redaction",
    "Spared",
    "find_secrets",
    "redact",
]
