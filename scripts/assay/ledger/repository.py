"""The whole repository, loaded once: what every rule, stage and command looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from assay.errors import UsageError
from assay.ledger import layout
from assay.ledger.cases import StoredCase, StoredSuite, load_suite, suite_names
from assay.ledger.faults import LoadFault
from assay.ledger.people import PeopleIndex
from assay.ledger.policies import in_force
from assay.ledger.records import RecordSet, StoredRecord, read_interchange, read_records
from assay.ledger.toolnames import ToolNames
from assay.ledger.yaml_files import YamlFile, load_yaml
from assay.models.base import Model
from assay.models.catalog import People, Policies, Quarantine, ToolCatalog, Waivers
from assay.models.params import Params

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Repository:
    """Everything that lies in a benchmark repository. Immutable."""

    root: Path
    """The folder."""
    params: YamlFile[Params]
    """``params.yaml``."""
    catalog: YamlFile[ToolCatalog]
    """``truth/tools.yaml``."""
    policies: YamlFile[Policies]
    """``truth/policies.yaml``."""
    people: YamlFile[People]
    """``truth/people.yaml``."""
    waivers: YamlFile[Waivers]
    """``truth/waivers.yaml``."""
    quarantine: YamlFile[Quarantine]
    """``truth/quarantine.yaml``."""
    suites: Mapping[str, StoredSuite]
    """Suite to its cases, sorted."""
    records: tuple[StoredRecord, ...]
    """All revisions, in order of suite, case and revision."""
    faults: tuple[LoadFault, ...]
    """What could not be read or is out of place, in order of path and line."""

    @classmethod
    def load(cls, root: Path, *, truth: Sequence[Path] = ()) -> Repository:
        """Load a repository.

        Args:
            root: its folder.
            truth: interchange files (JSONL) whose records stand in for those of the
                repository.

        Raises:
            InputError: an interchange file cannot be opened at all.
        """
        faults: list[LoadFault] = []
        params = _file(root, layout.PARAMS, Params, Params(today="1970-01-01"), faults)
        catalog = _file(root, layout.TOOLS, ToolCatalog, ToolCatalog(), faults)
        policies = _file(root, layout.POLICIES, Policies, Policies(), faults)
        people = _file(root, layout.PEOPLE, People, People(), faults)
        waivers = _file(root, layout.WAIVERS, Waivers, Waivers(), faults)
        quarantine = _file(root, layout.QUARANTINE, Quarantine, Quarantine(), faults)
        suites: dict[str, StoredSuite] = {}
        for name in suite_names(root):
            suite, wrong = load_suite(root, name)
            faults += wrong
            if suite is not None:
                suites[name] = suite
        found = _interchange(truth) if truth else read_records(root)
        faults += found.faults
        repository = cls(
            root,
            params,
            catalog,
            policies,
            people,
            waivers,
            quarantine,
            suites,
            found.records,
            (),
        )
        faults += _stray_truth(root)
        faults.sort(key=lambda fault: (fault.path, fault.line or 0, fault.pointer, fault.message))
        return replace(repository, faults=tuple(faults))

    # -- derived ------------------------------------------------------------------------

    @cached_property
    def names(self) -> ToolNames:
        """The rename map."""
        return ToolNames.from_catalog(self.catalog.model)

    @cached_property
    def who(self) -> PeopleIndex:
        """People and models."""
        return PeopleIndex(self.people.model)

    @cached_property
    def cases(self) -> dict[str, StoredCase]:
        """Case id to case over all suites; the first one where an id repeats."""
        found: dict[str, StoredCase] = {}
        for suite in self.suites.values():
            for case_id, case in suite.cases.items():
                found.setdefault(case_id, case)
        return found

    @cached_property
    def revisions(self) -> dict[str, tuple[StoredRecord, ...]]:
        """Case id to its revisions in order."""
        found: dict[str, list[StoredRecord]] = {}
        for stored in self.records:
            found.setdefault(stored.case_id, []).append(stored)
        return {
            case_id: tuple(sorted(found[case_id], key=lambda stored: stored.revision))
            for case_id in sorted(found)
        }

    def suite_of(self, stored: StoredRecord) -> StoredSuite | None:
        """The suite of a record: that of its folder, else that of its case."""
        name = stored.suite
        if not name and stored.case_id in self.cases:
            name = self.cases[stored.case_id].suite
        return self.suites.get(name)

    def policies_in_force(
        self, today: str, overrides: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Family to the version in force; `overrides` go before those of ``params.yaml``."""
        return in_force(
            self.policies.model, today, {**self.params.model.policies, **(overrides or {})}
        )

    def policy_overrides(self, versions: Sequence[str]) -> dict[str, str]:
        """Family to version, for versions named on a command line.

        Raises:
            UsageError: no family has such a version.
        """
        result: dict[str, str] = {}
        known = {
            entry.version: family
            for family, content in self.policies.model.families.items()
            for entry in content.versions
        }
        for version in versions:
            if version not in known:
                raise UsageError(
                    f"No policy has a version `{version}`.",
                    path=layout.POLICIES,
                    hint=f"known: {', '.join(sorted(known)) or 'none'}",
                )
            result[known[version]] = version
        return result


def _file(
    root: Path,
    path: str,
    model: type[M],
    default: M,
    faults: list[LoadFault],
) -> YamlFile[M]:
    found = load_yaml(root, path, model, default)
    assert isinstance(found, YamlFile)
    faults += found.faults
    return found


def _interchange(paths: Sequence[Path]) -> RecordSet:
    records: list[StoredRecord] = []
    faults: list[LoadFault] = []
    for path in paths:
        found = read_interchange(path)
        records += found.records
        faults += found.faults
    return RecordSet(tuple(records), tuple(faults))


def _stray_truth(root: Path) -> list[LoadFault]:
    """Whatever stands directly in ``truth/`` and does not belong there."""
    top = root / layout.TRUTH
    if not top.is_dir():
        return []
    faults = []
    for entry in sorted(top.iterdir()):
        allowed = layout.TRUTH_FOLDERS if entry.is_dir() else layout.TRUTH_FILES
        if entry.name not in allowed:
            path = f"{layout.TRUTH}/{entry.name}"
            faults.append(
                LoadFault(
                    "stray", path, "Nothing of this name belongs here.", f"git mv or git rm {path}"
                )
            )
    return faults
