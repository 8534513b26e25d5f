"""A revision before it is written: the user's words, the clause, the runs, who must sign."""

from assay.reporting.amendment.as_json import as_json
from assay.reporting.amendment.as_text import look_text, next_text, text
from assay.reporting.amendment.inputs import Amendment, CaseLook, RunStanding

__all__ = ["Amendment", "CaseLook", "RunStanding", "as_json", "look_text", "next_text", "text"]
