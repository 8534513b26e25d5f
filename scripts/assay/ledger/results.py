"""Published results, ``results/<year>/<id>.json``: written once, never changed, found by id."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, RefusedError
from assay.files.canonical import digest
from assay.files.model_text import compact_text, plain_object, value_text
from assay.files.reading import parse_json, read_bytes
from assay.files.validation import require
from assay.files.writing import is_leftover, sweep, write_new
from assay.ledger.faults import LoadFault
from assay.ledger.layout import RESULTS, published_id, published_path
from assay.models.base import JsonValue
from assay.models.published import Published
from assay.models.result import Result

README = f"{RESULTS}/README.md"

NUMBERS = (
    "scored_set",
    "overall",
    "by_slice",
    "by_category",
    "by_status",
    "gating",
    "trials",
    "components",
    "tags",
    "unmatched",
    "plans",
)
"""Fields of a result that are its numbers. Day, engine and the words of exclusions are not."""


@dataclass(frozen=True)
class StoredResult:
    """One published result and where it stands."""

    path: str
    """File, relative to the root."""
    published: Published
    """What it says."""


@dataclass(frozen=True)
class ResultSet:
    """All published results that could be read, and what could not."""

    results: tuple[StoredResult, ...]
    """In order of path."""
    faults: tuple[LoadFault, ...]
    """In order of path; kinds `stray`, `unreadable` and `schema`."""


def digest_of(published: Published) -> str:
    """SHA-256 over everything in a published result but its own field ``digest``."""
    values = plain_object(published)
    del values["digest"]
    return digest(values)


def sealed(published: Published) -> Published:
    """The same with the digest that its content gives."""
    return published.model_copy(update={"digest": digest_of(published)})


def same_numbers(a: Result, b: Result) -> bool:
    """Whether two results of one id say the same."""
    return all(getattr(a, name) == getattr(b, name) for name in NUMBERS)


def published_text(published: Published) -> str:
    """The file: fields in order of the model, each case on a line of its own."""
    values = plain_object(published)
    cases = values.pop("cases")
    assert isinstance(cases, tuple)
    head = value_text(values).removesuffix("\n}")
    rows = ",\n".join(f"    {compact_text(case)}" for case in cases)
    return f'{head},\n  "cases": [{f"{chr(10)}{rows}{chr(10)}  " if rows else ""}]\n}}\n'


def parse_published(value: JsonValue, *, name: str) -> Published:
    """A parsed file as a published result.

    Raises:
        InputError: it is none.
    """
    return require(Published, value, name=name)


def read_published(root: Path, path: str) -> Published:
    """A published result; whether it was edited is for the check to say.

    Raises:
        InputError: missing, unreadable or malformed.
    """
    return parse_published(parse_json(read_bytes(root / path, name=path), name=path), name=path)


def result_files(root: Path) -> Iterator[str]:
    """Every file below ``results/``, sorted, at any depth, relative to the root.

    What a killed command left is no file of anybody's; the next one that publishes removes it.
    """
    found: list[str] = []
    for folder, _, files in os.walk(root / RESULTS):
        below = Path(folder).relative_to(root).as_posix()
        found += [f"{below}/{name}" for name in files if not is_leftover(name)]
    yield from sorted(found)


def published_paths(root: Path, prefix: str = "") -> dict[str, str]:
    """Id to path of every published result whose id begins so, by id; nothing is read."""
    found: dict[str, str] = {}
    for path in result_files(root):
        name = published_id(path)
        if name is not None and name.startswith(prefix):
            found.setdefault(name, path)
    return dict(sorted(found.items()))


def load_results(root: Path) -> ResultSet:
    """Every published result."""
    results: list[StoredResult] = []
    faults: list[LoadFault] = []
    for path in result_files(root):
        if path == README:
            continue
        if published_id(path) is None:
            message = "This is no published result: results/<year>/<id>.json."
            faults.append(LoadFault("stray", path, message, f"git mv or git rm {path}"))
            continue
        try:
            results.append(StoredResult(path, read_published(root, path)))
        except AssayError as error:
            faults.append(LoadFault.of(error))
    return ResultSet(tuple(results), tuple(faults))


def write_published(root: Path, published: Published) -> tuple[str, bool]:
    """Write a published result at its place, never over another one; the caller holds the lock.

    Returns:
        Its path, and whether it was written: publishing the same numbers again is nothing, and
        the file says what it said.

    Raises:
        RefusedError: the id is published with other numbers.
        InputError: the folder cannot be written, or the file that is there cannot be read.
    """
    result = published.result
    path = published_path(result.today, result.id)
    sweep((root / path).parent, ".json")
    present = published_paths(root).get(result.id)
    if present is not None:
        if same_numbers(read_published(root, present).result, result):
            return present, False
        raise RefusedError(
            f"Result {result.id} is published with other numbers, and what was published stays.",
            path=present,
            hint=f"assay trace {result.id}",
        )
    write_new(
        root / path, published_text(sealed(published)).encode("utf-8", "surrogatepass"), name=path
    )
    return path, True
