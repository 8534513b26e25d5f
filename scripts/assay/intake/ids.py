"""Safe, stable, readable ids for cases that came with other ones."""

from __future__ import annotations

import re
import unicodedata

from assay.files.canonical import digest_text
from assay.models.base import CASE_ID_PATTERN

_CASE_ID = re.compile(CASE_ID_PATTERN.removesuffix("$"))
_UNSAFE = re.compile(r"[^a-z0-9._-]+")
_RUNS = re.compile(r"([._-])[._-]+")
_SUFFIX = re.compile(
    r"(\.evalset_result|\.evalset|\.test)?\.(jsonl?|ndjson|csv|tsv|eval)(\.(gz|bz2|xz))?$"
)
_SLUG = 64
_NAME = 96
_DIGEST = 8


def is_safe(case_id: str) -> bool:
    """Whether an id may name a case in a repository, and so a file."""
    return _CASE_ID.fullmatch(case_id) is not None


def stem(file_name: str) -> str:
    """A file's name without folder and without the suffixes that importers know."""
    last = re.split(r"[/\\]", file_name)[-1]
    return _SUFFIX.sub("", last) or last


def slug(text: str, length: int = _SLUG) -> str:
    """A readable name made of small letters, digits, ``.``, ``_`` and ``-``; never empty.

    Of a path only the last step is kept, without its suffix; it is cut to `length` characters.
    """
    steps = [step for step in re.split(r"[/\\]", text) if step.strip(". ")]
    last = _SUFFIX.sub("", steps[-1]) if steps else ""
    ascii_text = unicodedata.normalize("NFKD", last).encode("ascii", "ignore").decode("ascii")
    cleaned = _RUNS.sub(r"\1", _UNSAFE.sub("-", ascii_text.lower()))
    return cleaned.strip("._-")[:length].rstrip("._-") or "case"


def derived(source_id: str, salt: str = "") -> str:
    """The id that stands for a foreign one: its slug and eight digits of its digest.

    Args:
        source_id: the foreign id.
        salt: what tells it from another case with the same foreign id.
    """
    digest = digest_text(f"{source_id}\n{salt}" if salt else source_id)
    return f"{slug(source_id)}-{digest[:_DIGEST]}"


def file_name(text: str) -> str:
    """A name for a file, made of another one's: its stem where that is safe, else its slug."""
    own = stem(text)
    if is_safe(own):
        return own
    name = slug(text, _NAME + 1)
    return name if len(name) <= _NAME else derived(own)


def safe_id(source_id: str) -> str:
    """The id itself where it is safe, else a derived one; the same on every machine."""
    return source_id if is_safe(source_id) else derived(source_id)
