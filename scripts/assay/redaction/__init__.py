"""Secrets and addresses to placeholders, before anything is written.

Pure functions over JSON values and text: `redact` replaces, `find_secrets` only tells the places.
What is looked for is told by the *name* it stands under (`names`), or by its own *shape*
(`shapes`, `addresses`). What is found is told by kind and place, never by its text.
"""

from assay.redaction.hints import may_hold_secrets
from assay.redaction.placeholders import Kind, Placeholders
from assay.redaction.walk import Found, find_secrets, redact

__all__ = ["Found", "Kind", "Placeholders", "find_secrets", "may_hold_secrets", "redact"]
