"""Cases and their labels: whether they still belong together, and what ``suite.yaml`` says."""

from __future__ import annotations

from collections.abc import Iterable

from assay.checks.examples import differences
from assay.checks.literals import contradictions
from assay.checks.rule import Found, Rule, at, at_case, in_yaml, nearest
from assay.checks.world import World
from assay.files.locate import escape
from assay.ledger.layout import CASES, SUITE_FILE
from assay.scoring.case import Scorer


class CAS001(Rule):
    """The case changed after it was labelled.

    The label answers another question. What counts is what the user says and the seeded state;
    order of keys, blanks, timestamps and example expectations do not.

    Look at the case again and write the next revision; its digest is filled in anew.
    """

    severity = "excludes"

    def find(self, world: World) -> Iterable[Found]:
        """Live revisions whose `case_digest` is not that of their case."""
        for judged in world.live():
            digest, case = judged.record.case_digest, judged.case
            if digest is None or case is None or case.digest == digest:
                continue
            yield at(
                judged,
                "/case_digest",
                f"The case changed under the label: {case.path}:{case.line}.",
                f'assay revise {judged.case_id} --why "What the change means for the label."',
            )


class CAS002(Rule):
    """The example in the case file differs from the record.

    Readers of the case file learn something else than what is scored. The record wins.

    Correct the example; where it is right, write the next revision of the record.
    """

    severity = "warning"
    reads = ("catalog",)
    needs = ("MAT001", "TOL002", "TOL003", "TOL004", "REC006", "CAS001")

    def find(self, world: World) -> Iterable[Found]:
        """Examples that the gold or silver record that counts calls wrong."""
        scorers: dict[str, Scorer] = {}
        for judged in world.scorable_today:
            if judged.case is None or judged.mapped.undecided:
                continue
            language = judged.suite.suite.language if judged.suite else "en"
            scorer = scorers.setdefault(language, Scorer(world.names, language))
            for piece in differences(judged, scorer):
                yield at(
                    judged,
                    piece.pointer,
                    f"The example in {judged.case.path} differs: {piece.message}",
                    f"correct the example at {judged.case.path}:{judged.case.line}",
                )


class CAS003(Rule):
    """A value in the label is contradicted by the case.

    The case gives another date, amount or id of the same shape, which the label uses nowhere;
    one of the two was changed alone. Looked at are arguments of required tools. Values that
    stand in the case, its state or the suite's fixtures are fine, and so are amounts that come
    of adding, subtracting or multiplying amounts there.

    Change both, or neither.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver revisions with a literal that the case contradicts."""
        for judged in world.scorable:
            for item in contradictions(world, judged):
                yield at(
                    judged,
                    item.pointer,
                    f"`{item.value}` in the label does not occur in the case, which says"
                    f" `{item.other}`.",
                    f"write {item.other}, or correct the case",
                )


class CAS004(Rule):
    """A case has no entry in ``suite.yaml``.

    Without a slice it stands in no table, and without a template or group it may stand on both
    sides of a split.

    Add the entry.
    """

    severity = "error"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Cases that their suite does not list."""
        for name, suite in world.repository.suites.items():
            listed = suite.suite.cases
            for case_id, case in suite.cases.items():
                if case_id not in listed and world.looks_at(case_id):
                    yield at_case(
                        case,
                        f"`{case_id}` has no entry in {CASES}/{name}/{SUITE_FILE}.",
                        f"add {case_id}: {{slice: …, template: …}} under `cases` there",
                    )


class CAS005(Rule):
    """``suite.yaml`` lists a case that does not exist.

    Its name is misspelt, or the case was removed and its entry forgotten.

    Correct the name, or remove the entry.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Entries without a case."""
        for name, suite in world.repository.suites.items():
            for case_id in suite.suite.cases:
                if case_id not in suite.cases and world.looks_at(case_id):
                    yield in_yaml(
                        suite.file,
                        f"/cases/{escape(case_id)}",
                        f"There is no case `{case_id}` in {CASES}/{name}/.",
                        nearest(case_id, suite.cases.keys() - suite.suite.cases.keys()),
                        case_id=case_id,
                        suite=name,
                    )


class CAS006(Rule):
    """A case has neither a template nor a group.

    Cases made from one template are not independent: they belong to one side of a split, and
    an interval that takes them for independent is too narrow.

    Write `template`; the case's own id where it stands alone.
    """

    severity = "error"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Entries without `template` and `groups`."""
        for name, suite in world.repository.suites.items():
            for case_id, attributes in suite.suite.cases.items():
                if attributes.template or attributes.groups or not world.looks_at(case_id):
                    continue
                if case_id in suite.cases:
                    yield in_yaml(
                        suite.file,
                        f"/cases/{escape(case_id)}",
                        f"`{case_id}` has neither `template` nor `groups`.",
                        f"add template: {case_id}",
                        case_id=case_id,
                        suite=name,
                    )
