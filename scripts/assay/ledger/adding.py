"""Adding a case to a suite: a new eval-set file and an entry in ``suite.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from assay.errors import RefusedError, UsageError
from assay.files.journal import finish
from assay.files.model_text import model_text, plain
from assay.files.reading import read_text
from assay.files.validation import validate
from assay.files.writing import locked, write_new, write_text
from assay.ledger import layout
from assay.ledger.cases import StoredCase
from assay.ledger.repository import Repository
from assay.ledger.suite_text import extended
from assay.models.base import JsonValue, Model
from assay.models.case import (
    CaseAttributes,
    Content,
    EvalCase,
    EvalSet,
    Invocation,
    Part,
)

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class NewCase:
    """A case that has not been written yet."""

    suite: str
    """The suite."""
    case: EvalCase
    """The case."""
    attributes: CaseAttributes
    """Its entry in ``suite.yaml``."""
    path: str
    """The eval-set file, relative to the root: one a case, so that two pull requests that add
    cases do not conflict."""
    text: str
    """Content of that file."""

    @property
    def suite_file(self) -> str:
        """The file that gets its entry, relative to the root."""
        return f"{layout.CASES}/{self.suite}/{layout.SUITE_FILE}"

    def into(self, repository: Repository) -> Repository:
        """The repository as it will be."""
        suite = repository.suites[self.suite]
        case_id = self.case.eval_id
        entries = {**suite.suite.cases, case_id: self.attributes}
        cases = {**suite.cases, case_id: StoredCase(self.suite, self.path, 0, self.case, 1)}
        grown = replace(
            suite,
            file=replace(suite.file, model=suite.suite.model_copy(update={"cases": entries})),
            cases={name: cases[name] for name in sorted(cases)},
        )
        return replace(repository, suites={**repository.suites, self.suite: grown})


def new_case(
    repository: Repository,
    suite: str,
    case_id: str,
    turns: Sequence[str],
    *,
    state: JsonValue = None,
    attributes: dict[str, JsonValue],
) -> NewCase:
    """A case from what the user says.

    Args:
        repository: where it will be written.
        suite: an existing suite.
        case_id: an id that no case has or had.
        turns: what the user says, a text a turn.
        state: the seeded world, an object.
        attributes: for ``suite.yaml``; `slice` at least.

    Raises:
        UsageError: no such suite, a bad id, nothing said, attributes that do not fit.
        RefusedError: the id is taken.
    """
    if suite not in repository.suites:
        raise UsageError(
            f"No suite is called `{suite}`.",
            hint=f"known: {', '.join(repository.suites)}"
            if repository.suites
            else f"assay cases import FILE --out cases --suite {suite} --owner NAME --licence SPDX",
        )
    if case_id in repository.cases or case_id in repository.revisions:
        raise RefusedError(
            f"There is a case `{case_id}`; an id is never used again.",
            hint=f"assay truth show {case_id}",
        )
    if not turns or not all(turn.strip() for turn in turns):
        raise UsageError("The user says nothing.", hint='--text "Where is my parcel?"')
    canary = repository.suites[suite].suite.canary
    case_value: dict[str, JsonValue] = {
        "eval_id": case_id,
        "conversation": [
            plain(Invocation(user_content=Content(parts=(Part(text=turn),), role="user")))
            for turn in turns
        ],
    }
    if state is not None:
        case_value["session_input"] = {"state": state}
    case = _model(EvalCase, case_value)
    entry = _model(CaseAttributes, attributes)
    eval_set = EvalSet(
        eval_set_id=f"{suite}-{case_id}", description=f"canary {canary}", eval_cases=(case,)
    )
    path = f"{layout.CASES}/{suite}/{case_id}{layout.EVAL_SET_SUFFIX}"
    return NewCase(suite, case, entry, path, model_text(eval_set))


def _model(model: type[M], value: JsonValue) -> M:
    instance, problems = validate(model, value)
    if instance is None:
        first = problems[0]
        raise UsageError(first.message, hint=first.hint, pointer=first.pointer)
    return instance


def write_case(root: Path, new: NewCase) -> None:
    """Write the eval-set file, then the entry in ``suite.yaml``, comments kept.

    Raises:
        RefusedError: the file exists, or another command is writing.
        InputError: ``suite.yaml`` takes no entry, or the folder cannot be written.
    """
    label = new.suite_file
    with locked(root):
        finish(root)
        # Read under the lock, so that a case that somebody has just added is not lost.
        text = read_text(root / label, name=label)
        entries = extended(text, {new.case.eval_id: new.attributes}, name=label)
        write_new(root / new.path, new.text.encode("utf-8"), name=new.path)
        write_text(root / label, entries)
