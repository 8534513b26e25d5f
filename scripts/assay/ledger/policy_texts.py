"""The texts of policies, and the clauses in them that records cite.

A clause of ``refunds-v7`` is cited as ``refunds-v7#3.2``. The text has that clause where it has
an anchor ``<a id="3.2">`` or ``{#3.2}``, a heading that begins with its number
(``### 3.2 Late requests``), or a paragraph or list item that does (``**3.2** …``, ``3.2. …``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.errors import AssayError
from assay.files.canonical import digest_text
from assay.files.reading import read_text
from assay.ledger.layout import TRUTH
from assay.models.catalog import Policies

POLICY_TEXTS = f"{TRUTH}/policies"

_ANCHOR = re.compile(r"""<a\s+(?:id|name)=["']([^"']+)["']|\{#([^}\s]+)\}""")
_TAG = re.compile(r"</?a\b[^>]*>|\{#[^}\s]+\}")
_NUMBER = r"(?:§\s*)?([0-9]+(?:\.[0-9]+)*[a-z]?)\.?"
_NUMBERED = (
    re.compile(rf"^ {{0,3}}#{{1,6}}\s+{_NUMBER}(?=[\s:)]|$)"),
    re.compile(rf"^\s*(?:[-*+]\s+)?(?:\*\*|__){_NUMBER}(?:\*\*|__|\s)"),
    # A plain paragraph needs a dot inside the number: "30 days after …" is no clause 30.
    re.compile(r"^\s*(?:[-*+]\s+)?(?:§\s*)?([0-9]+(?:\.[0-9]+)+[a-z]?)\.?(?=[\s:)]|$)"),
)


@dataclass(frozen=True)
class PolicyText:
    """The text of one policy version."""

    version: str
    """The version."""
    path: str
    """The file, relative to the root; empty where the version names none."""
    digest: str | None
    """Digest of the text; none where it could not be read."""
    clauses: frozenset[str]
    """Names of its clauses."""
    problem: str = ""
    """Why it could not be read; empty where it could or where the version names no file."""


def policy_digest(text: str) -> str:
    """Digest of a policy text, without byte order mark and with LF for CRLF."""
    return digest_text(text)


def clauses_of(text: str) -> frozenset[str]:
    """Names of the clauses that a policy text has; see the module for how it marks them."""
    found = {first or second for first, second in _ANCHOR.findall(text)}
    for line in text.split("\n"):
        for pattern in _NUMBERED:
            match = pattern.match(line)
            if match:
                found.add(match[1])
                break
    return frozenset(found)


def clause_texts(text: str) -> dict[str, str]:
    """Clause to its words: from its mark to the next clause or heading, without the marks."""
    found: dict[str, list[str]] = {}
    here: str | None = None
    for line in text.split("\n"):
        marked = _ANCHOR.search(line)
        numbered = next((m for pattern in _NUMBERED if (m := pattern.match(line))), None)
        if marked:
            here = marked[1] or marked[2]
        elif numbered:
            here = numbered[1]
        elif line.startswith("#"):
            here = None
        if here is not None:
            found.setdefault(here, []).append(_TAG.sub("", line).lstrip("# "))
    return {name: "\n".join(lines).strip() for name, lines in sorted(found.items())}


def cited_clauses(root: Path, policies: Policies, citations: Iterable[str]) -> dict[str, str]:
    """Cited clause to its words, sorted; one that cannot be found is left out."""
    wanted = sorted(set(citations))
    versions = {clause.partition("#")[0] for clause in wanted}
    texts: dict[str, dict[str, str]] = {}
    for family in policies.families.values():
        for entry in family.versions:
            if entry.version in versions and entry.file:
                path = f"{TRUTH}/{entry.file}"
                try:
                    texts[entry.version] = clause_texts(read_text(root / path, name=path))
                except AssayError:
                    continue  # The check reports it; words are only an ornament here.
    found: dict[str, str] = {}
    for clause in wanted:
        version, _, name = clause.partition("#")
        words = texts.get(version, {}).get(name)
        if words:
            found[clause] = words
    return found


def load_policy_texts(root: Path, policies: Policies) -> dict[str, PolicyText]:
    """Version to its text, sorted by version; texts that cannot be read have a `problem`."""
    texts: dict[str, PolicyText] = {}
    for family in policies.families.values():
        for entry in family.versions:
            texts.setdefault(entry.version, _load(root, entry.version, entry.file))
    return {version: texts[version] for version in sorted(texts)}


def unnamed_texts(root: Path, policies: Policies) -> tuple[str, ...]:
    """Files below ``truth/policies/`` that no version names, sorted."""
    top = root / POLICY_TEXTS
    if not top.is_dir():
        return ()
    named = {
        f"{TRUTH}/{PurePosixPath(entry.file)}"
        for family in policies.families.values()
        for entry in family.versions
        if entry.file
    }
    files = (path.relative_to(root).as_posix() for path in top.rglob("*") if path.is_file())
    return tuple(sorted(path for path in files if path not in named))


def _load(root: Path, version: str, file: str | None) -> PolicyText:
    if file is None:
        return PolicyText(version, "", None, frozenset())
    path = PurePosixPath(file)
    label = f"{TRUTH}/{path}"
    if path.is_absolute() or ".." in path.parts:
        return PolicyText(version, label, None, frozenset(), f"`{file}` leaves {TRUTH}/.")
    try:
        text = read_text(root / label, name=label)
    except AssayError as error:
        return PolicyText(version, label, None, frozenset(), error.message)
    return PolicyText(version, label, policy_digest(text), clauses_of(text))
