"""What a rule is, and the registry of all of them.

One class for one rule; its name is its code; its docstring says what is wrong, why it matters
and how it is fixed, in this order, and is what ``assay check --explain CODE`` prints.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from assay.checks.world import Judged, World
from assay.ledger.faults import LoadFault
from assay.ledger.yaml_files import YamlFile
from assay.models.base import Model
from assay.models.finding import Severity

CODE = re.compile(r"[A-Z]{3}[0-9]{3}")

REGISTRY: dict[str, type[Rule]] = {}
"""Code to rule, filled as the modules of rules are imported."""


@dataclass(frozen=True)
class Found:
    """What a rule found: a finding without the code and severity, which the rule has."""

    message: str
    """What is wrong, in one sentence."""
    hint: str = ""
    """What to type or write next."""
    path: str = ""
    """File, relative to the root."""
    line: int | None = None
    """One-based line."""
    column: int | None = None
    """One-based column."""
    pointer: str = ""
    """JSON pointer."""
    case_id: str | None = None
    """The case concerned."""
    suite: str | None = None
    """The suite concerned."""


class Rule:
    """Base of all rules. A subclass named after its code is registered by being defined."""

    severity: ClassVar[Severity]
    """How much it matters."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Codes whose error on the same case makes this rule pointless there."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if CODE.fullmatch(cls.__name__):
            if cls.__name__ in REGISTRY:
                raise TypeError(f"two rules are called {cls.__name__}")
            REGISTRY[cls.__name__] = cls

    def find(self, world: World) -> Iterable[Found]:
        """Everything that is wrong, in any order. Pure: no clock, no network, no git."""
        raise NotImplementedError

    @classmethod
    def explanation(cls) -> str:
        """The docstring, without indentation."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def title(cls) -> str:
        """Its first sentence."""
        return cls.explanation().split("\n\n", 1)[0].replace("\n", " ")


def at(judged: Judged, pointer: str, message: str, hint: str = "") -> Found:
    """Something that was found at a field of a record."""
    line, column = judged.stored.place(pointer)
    return Found(
        message,
        hint,
        judged.stored.path,
        line,
        column,
        pointer,
        judged.case_id,
        judged.suite.name if judged.suite else judged.stored.suite or None,
    )


def in_yaml(file: YamlFile[Model], pointer: str, message: str, hint: str = "") -> Found:
    """Something that was found at a value of a YAML file."""
    line, column = file.place(pointer)
    return Found(message, hint, file.path, line, column, pointer)


def of_fault(fault: LoadFault) -> Found:
    """Something that loading found."""
    return Found(
        fault.message,
        fault.hint,
        fault.path,
        fault.line,
        fault.column,
        fault.pointer,
        fault.case_id,
        fault.suite,
    )
