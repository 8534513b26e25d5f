"""Where everything lies. The only module that knows the folders and file names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

RECORD_FILE = re.compile(r"(?P<case>.+)\.r(?P<revision>[0-9]+)\.json")

PUBLISHED_FILE = re.compile(r"results/(?P<year>[0-9]{4})/(?P<id>[0-9a-f]{8})\.json")

TRUTH = "truth"
RECORDS = "truth/records"
POLICIES = "truth/policies.yaml"
TOOLS = "truth/tools.yaml"
PEOPLE = "truth/people.yaml"
WAIVERS = "truth/waivers.yaml"
QUARANTINE = "truth/quarantine.yaml"
LABELS = "truth/labels"
AUDITS = "truth/audits"
CAMPAIGNS = "truth/campaigns"
RESULTS = "results"
CASES = "cases"
RUNS = "runs"
SCORES = "scores"
RESULTS = "results"
PARAMS = "params.yaml"
SUITE_FILE = "suite.yaml"
EVAL_SET_SUFFIX = ".evalset.json"

TRUTH_FILES = frozenset(
    {"README.md", "policies.yaml", "tools.yaml", "people.yaml", "waivers.yaml", "quarantine.yaml"}
)
"""Files that may stand directly in ``truth/``."""

TRUTH_FOLDERS = frozenset({"records", "policies", "labels", "audits", "campaigns"})
"""Folders that may stand directly in ``truth/``."""


class RecordKey(NamedTuple):
    """What the path of a revision file says."""

    suite: str
    """The suite."""
    case_id: str
    """The case."""
    revision: int
    """The revision."""


def record_path(suite: str, case_id: str, revision: int) -> str:
    """Path of a revision file, relative to the root: a function of its content."""
    return f"{RECORDS}/{suite}/{case_id}.r{revision:04d}.json"


def record_key(path: str) -> RecordKey | None:
    """What a path below ``truth/records/`` says; None for a stray file.

    ``r002`` for ``r0002`` is stray: it would dodge the collision of two equal revisions.
    """
    folder, _, name = path.rpartition("/")
    top, _, suite = folder.rpartition("/")
    match = RECORD_FILE.fullmatch(name)
    if top != RECORDS or match is None:
        return None
    key = RecordKey(suite, match["case"], int(match["revision"]))
    return key if record_path(key.suite, key.case_id, key.revision) == path else None


def published_path(day: str, result_id: str) -> str:
    """Path of a published result, relative to the root.

    Args:
        day: the day that it was judged at; never that of the clock.
        result_id: its id.
    """
    return f"{RESULTS}/{day[:4]}/{result_id}.json"


def published_id(path: str) -> str | None:
    """The id that a path below ``results/`` names; None for a stray file."""
    match = PUBLISHED_FILE.fullmatch(path)
    return match["id"] if match else None


def verdict_folder(suite: str) -> str:
    """Folder of a suite's recorded verdicts, relative to the root."""
    return f"{CASES}/{suite}/verdicts"


def find_root(start: Path) -> Path | None:
    """The nearest folder from `start` upwards that holds a benchmark repository."""
    for folder in (start, *start.parents):
        if (folder / TRUTH).is_dir() and (folder / PARAMS).is_file():
            return folder
    return None
