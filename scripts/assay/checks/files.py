"""Files that cannot be read, are out of place, or hold what their model does not know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from assay.checks.rule import Found, Rule, of_fault
from assay.checks.world import World
from assay.ledger.faults import FaultKind
from assay.ledger.policy_texts import unnamed_texts


class _Loading(Rule):
    """Base of the rules that report what loading found."""

    severity = "error"
    waivable = False
    kinds: ClassVar[tuple[FaultKind, ...]]

    def find(self, world: World) -> Iterable[Found]:
        """Faults of these kinds."""
        for fault in world.repository.faults:
            if fault.kind in self.kinds:
                yield of_fault(fault)


class FIL000(Rule):
    """A rule crashed.

    This is a fault of Assay and not of the data; the other rules have run.

    Report it with the message and the file named here.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Nothing: the runner reports crashes under this code."""
        return ()


class FIL001(_Loading):
    """A file cannot be read.

    It is missing, not permitted, not UTF-8, or no JSON or YAML; nothing in it counts.

    Repair the file at the place named.
    """

    kinds = ("unreadable", "missing")


class FIL002(_Loading):
    """A field is missing, unknown or of the wrong type.

    A misspelt field would otherwise be ignored, and the label would say less than was meant.

    Write what the hint says.
    """

    kinds = ("schema",)


class FIL003(_Loading):
    """The path of a file does not agree with its content.

    The path is what makes two revisions with one number collide in git.

    Move the file to the path in the hint.
    """

    kinds = ("place",)


class FIL004(_Loading):
    """A file lies where it does not belong.

    What nobody reads under ``truth/`` looks reviewed and is not.

    Move it, or remove it.
    """

    kinds = ("stray",)

    def find(self, world: World) -> Iterable[Found]:
        """What loading found, and policy texts that no version names."""
        yield from super().find(world)
        repository = world.repository
        if not repository.policies.faults:
            for path in unnamed_texts(repository.root, repository.policies.model):
                message = f"No version in {repository.policies.path} has this text."
                yield Found(message, f"name it there, or git rm {path}", path)


class FIL005(_Loading):
    """An id is used twice.

    Results, labels and verdicts are joined by case id; two cases of one name are one case.

    Give one of them a new id; an id is never used again.
    """

    kinds = ("identity",)
