"""What a rule is, and the registry of all of them.

One class for one rule; its name is its code; its docstring says what is wrong, why it matters
and how it is fixed, in this order, and is what ``assay check --explain CODE`` prints.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from assay.checks.world import Judged, World
from assay.ledger.cases import StoredCase
from assay.ledger.faults import LoadFault
from assay.ledger.yaml_files import YamlFile
from assay.models.base import Model
from assay.models.finding import Severity

M = TypeVar("M", bound=Model)

CODE = re.compile(r"[A-Z]{3}[0-9]{3}")

Scope = Literal[
    "revision",  # the case, unless what was found stands in a revision that does not count
    "case",  # the case, wherever it was found
    "nothing",  # no case: only the file is wrong
]
"""What cannot be scored for what a rule found."""

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
    """Codes whose finding in the same file on the same case makes this rule pointless there."""
    reads: ClassVar[tuple[str, ...]] = ()
    """Catalogues without which it has nothing to say, as `Repository` names them: where one of
    them is broken, that alone is reported."""
    scope: ClassVar[Scope] = "revision"
    """What an error or exclusion keeps from being scored."""
    waivable: ClassVar[bool] = True
    """Whether a waiver may accept it."""

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
    stored = judged.stored
    line, column = stored.place(pointer) if pointer else (stored.line, 1)
    suite = judged.suite_name or None
    return Found(message, hint, stored.path, line, column, pointer, judged.case_id, suite)


def at_case(case: StoredCase, message: str, hint: str = "") -> Found:
    """Something that was found about a case, at the place where the case begins."""
    pointer = f"/eval_cases/{case.index}"
    return Found(message, hint, case.path, case.line, 1, pointer, case.case.eval_id, case.suite)


def in_yaml(
    file: YamlFile[M],
    pointer: str,
    message: str,
    hint: str = "",
    *,
    case_id: str | None = None,
    suite: str | None = None,
) -> Found:
    """Something that was found at a value of a YAML file."""
    line, column = file.place(pointer)
    return Found(message, hint, file.path, line, column, pointer, case_id, suite)


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The known names that look most like this one, and what to do if none is meant."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, 2)
    if near:
        meant = "did you mean " + " or ".join(f"`{item}`" for item in near) + "?"
        return f"{meant} Else {otherwise}" if otherwise else meant
    if otherwise:
        return otherwise
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"known: {shown}" if shown else "there are none yet"


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
