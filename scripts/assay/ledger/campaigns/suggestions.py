"""Suggestions for a campaign: JSON lines with a case and fields of its next revision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.errors import InputError
from assay.files.reading import json_lines
from assay.ledger.campaigns.files import StoredCampaign
from assay.ledger.campaigns.moving import SUGGESTED
from assay.ledger.editing import nearest
from assay.models.base import JsonValue


def read_suggestions(path: Path, stored: StoredCampaign) -> Mapping[str, Mapping[str, JsonValue]]:
    """Case to the fields that are suggested for it.

    Raises:
        InputError: unreadable; a line without a case of the campaign, with a field that nobody
            may suggest, or for a case that had one before.
    """
    name = path.as_posix()
    found: dict[str, dict[str, JsonValue]] = {}
    for line, value in json_lines(path, name=name):
        case_id = value.get("case_id") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(case_id, str):
            raise InputError(
                "The line names no case.", path=name, line=line, hint='{"case_id": "…", "facts": …}'
            )
        if case_id not in stored.by_case:
            raise InputError(
                f"The campaign has no case `{case_id}`.",
                path=name,
                line=line,
                pointer="/case_id",
                hint=nearest(case_id, stored.by_case),
            )
        fields = {key: item for key, item in value.items() if key != "case_id"}
        for key in fields:
            if key not in SUGGESTED:
                raise InputError(
                    f"`{key}` cannot be suggested.",
                    path=name,
                    line=line,
                    pointer=f"/{key}",
                    hint=nearest(key, SUGGESTED),
                )
        if case_id in found:
            raise InputError(
                f"`{case_id}` stands there twice.", path=name, line=line, hint="keep one of them"
            )
        found[case_id] = fields
    return found
