"""What ``assay fmt`` does: finish and format what has not been merged yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.files.locate import escape
from assay.files.reading import read_text
from assay.files.writing import locked, write_bytes
from assay.ledger import layout
from assay.ledger.finishing import finished_text
from assay.ledger.git import merged_files
from assay.ledger.policy_texts import policy_digest
from assay.ledger.repository import Repository


@dataclass(frozen=True)
class Formatted:
    """What formatting comes to."""

    changed: dict[str, bytes]
    """Path to its new content, for files that differ from it."""
    skipped: tuple[str, ...]
    """Merged files that are not canonical; a revision is never edited."""


def formatted(
    repository: Repository, *, paths: Iterable[str] = (), every: bool = False
) -> Formatted:
    """Canonical content of the files that are not merged.

    Args:
        repository: the repository.
        paths: only these files; all of them where empty.
        every: merged files too (before the first release of a repository).
    """
    wanted = frozenset(paths)
    fixed = frozenset() if every else merged_files(repository.root, layout.RECORDS)
    changed: dict[str, bytes] = {}
    skipped: list[str] = []
    for case_id, revisions in repository.revisions.items():
        case = repository.cases.get(case_id)
        previous = None
        for stored in revisions:
            if not wanted or stored.path in wanted:
                text = finished_text(
                    stored.record,
                    previous.record if previous else None,
                    case.case if case else None,
                ).encode("utf-8")
                if text != stored.data:
                    if stored.path in fixed:
                        skipped.append(stored.path)
                    else:
                        changed[stored.path] = text
            previous = stored
    if not wanted or layout.POLICIES in wanted:
        policies = policies_with_digests(repository)
        if policies is not None:
            changed[layout.POLICIES] = policies
    return Formatted(dict(sorted(changed.items())), tuple(sorted(skipped)))


def _digest(root: Path, file: str) -> str:
    path = f"{layout.TRUTH}/{file}"
    return policy_digest(read_text(root / path, name=path))


def policies_with_digests(repository: Repository) -> bytes | None:
    """``policies.yaml`` with missing digests filled in, comments kept; None where none miss."""
    missing: dict[tuple[str, int], str] = {}
    for family, content in repository.policies.model.families.items():
        for index, version in enumerate(content.versions):
            if version.file and version.digest is None:
                try:
                    missing[family, index] = _digest(repository.root, version.file)
                except AssayError:
                    continue
    if not missing:
        return None
    path = repository.root / layout.POLICIES
    lines = read_text(path, name=layout.POLICIES).split("\n")
    # Lines are inserted by hand, from the last to the first: a YAML writer would move comments.
    for (family, index), digest in sorted(missing.items(), key=_line_in(repository), reverse=True):
        line = _line_in(repository)(((family, index), digest))
        written = lines[line - 1]
        if not written.lstrip().startswith(("file:", "- file:")):
            continue  # An entry in flow style; the check prints the digest to write.
        indent = " " * (len(written) - len(written.lstrip(" -")))
        lines.insert(line, f"{indent}digest: {digest}")
    return "\n".join(lines).encode("utf-8")


def _line_in(repository: Repository) -> Callable[[tuple[tuple[str, int], str]], int]:
    """The line on which the file of a version stands."""

    def line(item: tuple[tuple[str, int], str]) -> int:
        (family, index), _ = item
        pointer = f"/families/{escape(family)}/versions/{index}/file"
        return repository.policies.place(pointer)[0]

    return line


def write_formatted(root: Path, result: Formatted) -> None:
    """Write the changed files, each whole or not at all.

    Raises:
        InputError: a file changed since it was read, or cannot be written.
        RefusedError: another command is writing.
    """
    with locked(root):
        for path, data in result.changed.items():
            if not (root / path).exists():
                raise InputError("The file has gone since it was read.", path=path)
            write_bytes(root / path, data)
