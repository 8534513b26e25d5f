"""Suites as a whole: owners, canaries, parameters, quarantine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from assay.checks.rule import Found, Rule, in_yaml, nearest
from assay.checks.world import World
from assay.files.locate import escape
from assay.ledger.layout import CASES
from assay.ledger.yaml_files import YamlFile
from assay.models.base import Model

M = TypeVar("M", bound=Model)


class SUI001(Rule):
    """The owner of a suite or case is not in ``truth/people.yaml``.

    Nobody answers for it, and findings reach nobody.

    Correct the handle, or add the person with the role `owner`.
    """

    severity = "error"
    scope = "nothing"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Owners that the file does not have."""
        people = world.repository.people.model.people
        for name, suite in world.repository.suites.items():
            owners: list[tuple[str, str, str | None]] = [("/owner", suite.suite.owner, None)]
            owners += [
                (f"/cases/{escape(case_id)}/owner", attributes.owner, case_id)
                for case_id, attributes in suite.suite.cases.items()
                if attributes.owner is not None and world.looks_at(case_id)
            ]
            for pointer, handle, case_id in owners:
                if handle not in people:
                    yield in_yaml(
                        suite.file,
                        pointer,
                        f"The owner `{handle}` is not in truth/people.yaml.",
                        nearest(handle, people, f"add {handle} to truth/people.yaml"),
                        case_id=case_id,
                        suite=name,
                    )


class SUI002(Rule):
    """An eval-set file does not carry the suite's canary.

    Without it nobody can find out that the cases leaked into prompts or training data.

    Put the canary of ``suite.yaml`` into `description`.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Eval sets whose description lacks the canary."""
        for name, suite in world.repository.suites.items():
            canary = suite.suite.canary
            for path, eval_set in suite.eval_sets:
                if canary not in (eval_set.description or ""):
                    yield Found(
                        f"`description` does not hold the canary of {name}.",
                        f'write "description": "canary {canary}"',
                        path,
                        1,
                        1,
                        "/description",
                        None,
                        name,
                    )


class SUI003(Rule):
    """The suites in ``params.yaml`` are not the suites in ``cases/``.

    What is not listed there is checked, and the pipeline does not score it.

    Add or remove the suite.
    """

    severity = "warning"
    scope = "nothing"
    reads = ("params",)

    def find(self, world: World) -> Iterable[Found]:
        """Suites that stand on one side only."""
        params = world.repository.params
        suites = world.repository.suites
        listed = params.model.suites
        for index, name in enumerate(listed):
            if name not in suites:
                message = f"There is no suite `{name}` in {CASES}/."
                yield in_yaml(params, f"/suites/{index}", message, nearest(name, suites))
        for name, suite in suites.items():
            if name not in listed:
                yield in_yaml(
                    suite.file,
                    "/suite",
                    f"`{name}` is not in `suites` of {params.path}, so the pipeline leaves it out.",
                    f"add {name} to `suites`",
                    suite=name,
                )


class SUI004(Rule):
    """A waiver or quarantine names a case that does not exist, or a quarantine has ended.

    A misspelt id waives nothing and keeps nothing from gating; an entry that has ended hides
    that the case gates again.

    Correct the id, or remove the entry.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Entries for unknown cases, and quarantine whose end has come."""
        repository = world.repository
        known = {*repository.cases, *repository.revisions}
        for index, waiver in enumerate(repository.waivers.model.waivers):
            if waiver.case not in known:
                pointer = f"/waivers/{index}/case"
                yield _no_case(repository.waivers, pointer, waiver.case, known)
        for index, entry in enumerate(repository.quarantine.model.quarantine):
            if entry.case not in known:
                pointer = f"/quarantine/{index}/case"
                yield _no_case(repository.quarantine, pointer, entry.case, known)
            elif entry.until <= world.today and world.looks_at(entry.case):
                yield in_yaml(
                    repository.quarantine,
                    f"/quarantine/{index}/until",
                    f"The quarantine of {entry.case} ended on {entry.until}; it gates again.",
                    "remove the entry, or extend `until` with a reason",
                    case_id=entry.case,
                )


def _no_case(file: YamlFile[M], pointer: str, case_id: str, known: set[str]) -> Found:
    hint = nearest(case_id, known)
    return in_yaml(file, pointer, f"There is no case `{case_id}`.", hint, case_id=case_id)
