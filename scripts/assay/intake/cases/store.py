"""Import files of cases into a folder of suites: ``<out>/<suite>/*.evalset.json`` and
``suite.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError, UsageError
from assay.files.canonical import digest_text
from assay.files.reading import read_json, read_text
from assay.intake.cases.cleaning import clean_import
from assay.intake.cases.identity import Identities
from assay.intake.cases.imported import CaseImport
from assay.intake.cases.read import read_cases
from assay.intake.cases.suites import SuiteFile, canary, new_suite, read_suite
from assay.intake.cases.text import eval_set_text
from assay.intake.codes import finding, finding_of
from assay.intake.ids import derived, file_name, slug
from assay.intake.node import Node, Source
from assay.intake.outcome import Outcome, write_files
from assay.intake.replaced import Replaced
from assay.intake.sparing import spared_of
from assay.ledger.suite_text import extended
from assay.models.case import CaseAttributes, EvalSet
from assay.redaction import Redaction, Spared

NO_OWNER = "unassigned"
NO_LICENCE = "LicenseRef-unknown"
_SUITE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Target:
    """Where imported cases go, and what the suite says of itself when it is new."""

    out: Path
    """Folder of suites."""
    suite: str = "imported"
    """Name of the suite."""
    owner: str = NO_OWNER
    """Handle of who answers for the suite."""
    licence: str = NO_LICENCE
    """Licence of the data, as an SPDX identifier."""
    title: str = ""
    """What the suite is about."""
    slice_name: str = "imported"
    """Slice of the new cases."""
    replace: bool = False
    """Write over files with other content."""
    keep_addresses: bool = False
    """Keep e-mail addresses; secrets are replaced all the same."""

    def check(self) -> None:
        """Refuse names that cannot be.

        Raises:
            UsageError: suite or owner is no such name.
        """
        if not _SUITE.fullmatch(self.suite):
            raise UsageError(
                f"`{self.suite}` cannot name a suite.", hint="small letters, digits, '_' and '-'"
            )
        if not _HANDLE.fullmatch(self.owner):
            raise UsageError(
                f"`{self.owner}` cannot be a handle.",
                hint="small letters, digits, '.', '_' and '-'",
            )
        if not self.licence.strip() or not self.slice_name.strip():
            raise UsageError("Licence and slice must not be empty.", hint="--licence CC-BY-4.0")


def import_cases(paths: Sequence[Path], target: Target) -> Outcome:
    """Read files of cases and write them in canonical form.

    Raises:
        InputError: an existing suite is wrong, or the folder cannot be written; what is wrong
            with a file of cases is a finding.
        UsageError: suite or owner is no such name.
        RefusedError: another command is writing.
    """
    target.check()
    outcome = Outcome()
    folder = target.out / target.suite
    existing = read_suite(folder / "suite.yaml")
    taken = _taken(target)
    spared = spared_of(target.out, target.suite, keep_addresses=target.keep_addresses)
    if existing is not None:
        # A first reading tells which files will be written; ids of all others are taken.
        replaced = _names(_read_all(paths, target, set(), Outcome(), spared))
        taken |= set(existing.suite.cases) - _ids_in(
            folder, {name for listed in replaced for name in listed}
        )
    imports = []
    for path, read in _read_all(paths, target, taken, outcome, spared):
        hidden = Replaced()
        imports.append((path, clean_import(read, spared, hidden)))
        outcome.replace(hidden, path.as_posix(), "ICA042", "ICA043")
    for path, imported in imports:
        outcome.add(
            path.as_posix(),
            imported.read,
            imported.dropped,
            imported.unknown,
            imported.findings,
        )
    write_sets([item for _, item in imports], _names(imports), target, existing, outcome)
    return outcome


def _read_all(
    paths: Sequence[Path], target: Target, taken: set[str], outcome: Outcome, spared: Spared
) -> list[tuple[Path, CaseImport]]:
    identities = Identities(set(taken), clean=lambda text: Redaction(spared).of_id(text)[0])
    imports: list[tuple[Path, CaseImport]] = []
    for path in paths:
        try:
            imports.append(
                (path, read_cases(path, slice_name=target.slice_name, identities=identities))
            )
        except InputError as error:
            outcome.findings.append(finding_of(error, "ICA001"))
    return imports


def _ids_in(folder: Path, names: set[str]) -> set[str]:
    """Ids of the cases in eval-set files that exist."""
    ids: set[str] = set()
    for name in sorted(names):
        path = folder / f"{name}.evalset.json"
        if path.exists():
            cases = Node(read_json(path), Source(path.as_posix())).need("eval_cases")
            ids |= {case.need("eval_id").text() for case in cases.items()}
    return ids


def write_sets(
    imports: Sequence[CaseImport],
    names: Sequence[Sequence[str]],
    target: Target,
    existing: SuiteFile | None,
    outcome: Outcome,
) -> None:
    """Write eval sets under their names, and the suite that lists their cases.

    Args:
        imports: what was read.
        names: for every import, the file name of each of its sets, without suffix.
        target: where it goes.
        existing: the suite that stands there.
        outcome: where paths and findings go.
    """
    folder = target.out / target.suite
    sets = sorted(
        (
            (name, made, imported.attributes)
            for imported, listed in zip(imports, names, strict=True)
            for name, made in zip(listed, imported.eval_sets, strict=True)
            if made.eval_cases
        ),
        key=lambda item: item[0],
    )
    if not sets:
        return
    guid = (
        existing.suite.canary
        if existing is not None
        else canary(target.suite, [eval_set_text(made) for _, made, _ in sets])
    )
    texts: dict[Path, str] = {}
    attributes: dict[str, CaseAttributes] = {}
    for name, made, told in sets:
        path = folder / f"{name}.evalset.json"
        text = eval_set_text(_with_canary(made, guid))
        kept = path.exists() and not target.replace and read_text(path) != text
        texts[path] = text
        if not kept:
            attributes.update({case.eval_id: told[case.eval_id] for case in made.eval_cases})
    suite_file = folder / "suite.yaml"
    if existing is not None:
        texts[suite_file] = extended(existing.text, attributes, name=existing.path.as_posix())
    elif attributes:
        texts[suite_file] = new_suite(
            target.suite, target.owner, target.licence, target.title, guid, attributes
        )
        _ask(target, folder, outcome)
    write_files(
        target.out,
        texts,
        outcome,
        replace=target.replace,
        code="ICA040",
        grown={suite_file: existing.text if existing is not None else None},
    )


def _ask(target: Target, folder: Path, outcome: Outcome) -> None:
    for name, value, none in (
        ("owner", target.owner, NO_OWNER),
        ("licence", target.licence, NO_LICENCE),
    ):
        if value == none:
            outcome.findings.append(
                finding(
                    "ICA041",
                    f"The suite has no {name} yet; `{none}` stands there.",
                    path=(folder / "suite.yaml").as_posix(),
                    hint=f"write it into suite.yaml, or give --{name}",
                )
            )


def _with_canary(made: EvalSet, guid: str) -> EvalSet:
    description = made.description or ""
    if guid in description:
        return made
    words = f"{description.rstrip()}\n\ncanary {guid}" if description.strip() else f"canary {guid}"
    return made.model_copy(update={"description": words})


def _taken(target: Target) -> set[str]:
    """Ids of the cases of other suites in the folder."""
    taken: set[str] = set()
    for path in sorted(target.out.glob("*/suite.yaml")):
        if path.parent.name != target.suite:
            other = read_suite(path)
            taken |= set(other.suite.cases) if other is not None else set()
    return taken


def _names(imports: Sequence[tuple[Path, CaseImport]]) -> list[list[str]]:
    """File names of the sets, without suffix, unique over the import."""
    used: set[str] = set()
    result: list[list[str]] = []
    for path, imported in imports:
        listed: list[str] = []
        for made in imported.eval_sets:
            name = file_name(path.name)
            if len(imported.eval_sets) > 1:
                name = f"{name[:48]}-{slug(made.eval_set_id, 40)}"
            if name in used:
                name = derived(name[:64], f"{path.parent.name}/{made.eval_set_id}")
            while name in used:
                name = f"{name[:64]}-{digest_text(name)[:8]}"
            used.add(name)
            listed.append(name)
        result.append(listed)
    return result
