"""Campaigns on disk: written once, and read only where the list is that of the opening."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.errors import InputError, RefusedError, UsageError
from assay.files.journal import write_all
from assay.files.model_text import compact_text, plain_object
from assay.files.reading import parse_json, read_bytes
from assay.files.validation import require
from assay.files.yamls import read_yaml
from assay.ledger.bulk import yaml_text
from assay.ledger.editing import nearest
from assay.ledger.layout import CAMPAIGNS
from assay.models.campaign import Campaign, CampaignCase


def open_campaign(root: Path, campaign: Campaign, cases: tuple[CampaignCase, ...]) -> str:
    """Write a campaign and its cases; returns the path of the campaign.

    Raises:
        RefusedError: one of this name exists, or another command is writing.
        InputError: the repository cannot be written.
    """
    path = f"{CAMPAIGNS}/{campaign.id}.yaml"
    if any((root / CAMPAIGNS).glob(f"{campaign.id}.*")):
        raise RefusedError(f"`{campaign.id}` exists already.", path=path, hint="--id ANOTHER-NAME")
    text = yaml_text(plain_object(campaign, keep=frozenset({"schema_version"})))
    files = [
        (path, text.encode("utf-8")),
        (f"{CAMPAIGNS}/{campaign.id}.cases.jsonl", cases_text(cases).encode("utf-8")),
    ]
    write_all(root, files)
    return path


def cases_text(cases: Iterable[CampaignCase]) -> str:
    """The file of cases, one a line."""
    return "".join(f"{compact_text(plain_object(case))}\n" for case in cases)


def cases_digest(text: str) -> str:
    """SHA-256 of the file of cases."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class StoredCampaign:
    """A campaign as it lies in the repository."""

    campaign: Campaign
    """The campaign."""
    cases: tuple[CampaignCase, ...]
    """Its cases, by suite and case."""

    @cached_property
    def by_case(self) -> dict[str, CampaignCase]:
        """Case id to its line."""
        return {case.case_id: case for case in self.cases}


def campaign_names(root: Path) -> tuple[str, ...]:
    """Names of all campaigns, sorted."""
    found = (root / CAMPAIGNS).glob("*.yaml") if (root / CAMPAIGNS).is_dir() else ()
    return tuple(sorted(path.stem for path in found if not path.name.endswith(".change.yaml")))


def load_campaign(root: Path, name: str) -> StoredCampaign:
    """A campaign with its cases.

    Raises:
        UsageError: there is none of this name.
        InputError: it cannot be read, or its cases are not those that it was opened with.
    """
    known = campaign_names(root)
    if name not in known:
        raise UsageError(f"No campaign is called `{name}`.", hint=nearest(name, known))
    path = f"{CAMPAIGNS}/{name}.yaml"
    campaign = read_yaml(root / path, name=path).require(Campaign)
    listed = f"{CAMPAIGNS}/{name}.cases.jsonl"
    data = read_bytes(root / listed, name=listed)
    if hashlib.sha256(data).hexdigest() != campaign.digest:
        raise InputError(
            "The cases are not those that the campaign was opened with.",
            path=listed,
            hint=f"git log -p -- {listed}   restore it: a campaign is frozen when it is opened",
        )
    cases = tuple(
        require(
            CampaignCase,
            parse_json(line, name=listed, first_line=number),
            name=listed,
            first_line=number,
        )
        for number, line in enumerate(data.split(b"\n"), 1)
        if line.strip()
    )
    return StoredCampaign(campaign, cases)
