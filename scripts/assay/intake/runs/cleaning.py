"""Secrets and addresses go from a run before it is written; the one place where they do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from assay.files.model_text import data_text, shallow
from assay.intake.codes import finding
from assay.intake.runs.formats.records.native import run_line
from assay.models.finding import Finding
from assay.models.run import ObservedRun
from assay.redaction import Found, Kind, Placeholders, may_hold_secrets, redact

_OURS = frozenset({"schema_version", "run", "format", "unknown", "outcome_given"})
"""Fields of a run that hold words of ours."""


@dataclass
class Cleaning:
    """Cleans the runs of one import: one secret gets one placeholder in all of them."""

    keep_addresses: bool = False
    """Whether e-mail addresses stay."""
    folders: tuple[Path, ...] = ()
    """Folders of cases and records: what stands there is no secret here, and stays."""
    placeholders: Placeholders = field(default_factory=Placeholders)
    """Secret to placeholder."""
    counts: Counter[str] = field(default_factory=Counter)
    """Kind to the number of places."""

    def clean_run(self, run: ObservedRun) -> tuple[ObservedRun, str, tuple[Found, ...]]:
        """The run with placeholders, its line, and what was found.

        A line that cannot hold a secret is not looked into.
        """
        line = run_line(run)
        if not may_hold_secrets(line) and not any(
            secret in line for secret in self.placeholders.spread
        ):
            return run, line, ()
        fields = shallow(run)
        made, found = redact(
            {key: item for key, item in fields.items() if key not in _OURS},
            self.placeholders,
            keep=self.is_known,
            keep_addresses=self.keep_addresses,
        )
        if not found:
            return run, line, ()
        assert isinstance(made, dict)
        self.counts.update(item.kind for item in found)
        clean = {key: made.get(key, item) for key, item in fields.items()}
        return ObservedRun.model_validate(clean), data_text(clean), found

    def swept(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Lines, without the secrets that only a later run told to be such."""
        pairs = [
            (data_text(secret)[1:-1].encode("utf-8", "surrogatepass"), made.encode())
            for secret, made in sorted(self.placeholders.spread.items())
        ]
        pairs.sort(key=lambda pair: -len(pair[0]))
        for block in blocks:
            for secret, made in pairs:
                if secret in block:
                    block = block.replace(secret, made)
            yield block

    def scrubbed(self, item: Finding) -> Finding:
        """A finding that repeats nothing of what was replaced."""
        parts = item.message, item.pointer, item.case_id or "", item.hint
        if not any(map(may_hold_secrets, parts)) and not self.placeholders.spread:
            return item
        made, found = redact(
            list(parts),
            self.placeholders,
            keep=self.is_known,
            keep_addresses=self.keep_addresses,
        )
        if not found:
            return item
        assert isinstance(made, list)
        message, pointer, case_id, hint = made
        changes = {"message": message, "pointer": pointer, "hint": hint}
        return item.model_copy(update={**changes, "case_id": case_id or None})

    def is_known(self, secret: str) -> bool:
        """Whether the repository's cases or records have this text in clear already."""
        text = self._known
        return secret in text and _alone(secret, text)

    @cached_property
    def _known(self) -> str:
        parts: list[str] = []
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                if path.suffix in (".json", ".jsonl", ".yaml", ".yml") and path.is_file():
                    parts.append(path.read_text(encoding="utf-8", errors="replace"))
        return "\n".join(parts)


@dataclass
class Replaced:
    """Secrets of one kind in one file: where the first one is, and how many there are."""

    case_id: str
    """The case in whose run the first one stands."""
    pointer: str
    """JSON pointer into the observed run."""
    count: int = 0
    """Number of places."""


_WORDS: dict[Kind, str] = {
    "address": "E-mail addresses",
    "api-key": "API keys",
    "authorization": "Credentials of an authorization",
    "cookie": "Cookies",
    "login": "Logins in an address",
    "password": "Passwords",
    "private-key": "Private keys",
    "secret": "Secrets",
    "token": "Tokens",
}


def replacements(path: str, replaced: Mapping[Kind, Replaced]) -> list[Finding]:
    """What was replaced in a file: a finding a kind, with the place of the first."""
    return [
        finding(
            "IRU036" if kind == "address" else "IRU035",
            f"{_WORDS[kind]} were replaced by placeholders.",
            path=path,
            pointer=first.pointer,
            case_id=first.case_id,
            count=first.count,
            hint="--keep-addresses keeps them" if kind == "address" else _HINT,
        )
        for kind, first in sorted(replaced.items())
    ]


_HINT = "whoever recorded this has the secret: make it void where it is valid"


def clean_run(run: ObservedRun) -> tuple[ObservedRun, tuple[Found, ...]]:
    """The run with placeholders for its secrets and addresses, and what was found where."""
    made, _, found = Cleaning().clean_run(run)
    return made, found


def _alone(secret: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text) is not None
