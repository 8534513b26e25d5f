"""The run at each commit: scored when it is asked for, and once for the same inputs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

from assay.errors import AssayError
from assay.ledger.history import object_id
from assay.ledger.past import DATA, take_back, view_at
from assay.pipeline.bisecting.steps import CODE, Step
from assay.pipeline.rescoring import (
    CodeError,
    Here,
    Rescored,
    elsewhere,
    own_digest,
    package_digest,
)
from assay.reporting.bisection import Flip, Standing
from assay.scoring.selection import Selection

Verdicts = Mapping[tuple[str, int | None], str]
"""Case and trial to verdict; an excluded or unmatched case has no trial."""


@dataclass(frozen=True)
class Snapshot:
    """The run under the data and the code of some commits."""

    standing: Standing
    """What it came to."""
    verdicts: Verdicts
    """Every verdict."""


@dataclass(frozen=True)
class State:
    """The run at one commit."""

    snapshot: Snapshot | None
    """What it came to; none where that is not known."""
    reason: str = ""
    """Why it is not known."""
    code_reason: str = ""
    """Why its own code cannot run here: the snapshot is then that of today's code."""


class States:
    """Scores a run along the history. To be used as a context: it owns temporary folders."""

    def __init__(self, root: Path, file: Path, suite: str) -> None:
        self.root, self.file, self.suite = root, file, suite
        self.scored: set[str] = set()
        self._here = Here(file, suite)
        self._stack = ExitStack()
        self._folder = Path()
        self._packages: dict[str | None, tuple[str, Path | None]] = {}
        self._known: dict[tuple[object, ...], Snapshot | AssayError] = {}
        self._inputs: dict[str, tuple[str | None, ...]] = {}

    def __enter__(self) -> States:
        temporary = self._stack.enter_context(TemporaryDirectory(prefix="assay-code-"))
        self._folder = Path(temporary)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def at(self, step: Step) -> State:
        """The run under data and code of a commit."""
        self.scored.add(step.commit.id)
        try:
            return State(self.mixed(step, step))
        except CodeError as error:
            reason = error.message
        except AssayError as error:
            return State(None, error.message)
        try:
            return State(self.under_todays_code(step), code_reason=reason)
        except AssayError as error:
            return State(None, error.message, reason)

    def mixed(self, data: Step, code: Step) -> Snapshot:
        """The run under the data of one commit and the code of another.

        Raises:
            CodeError: the code cannot run here.
            AssayError: it says that the data cannot be scored.
        """
        return self._score(data, *self._package(code.commit.id))

    def under_todays_code(self, data: Step) -> Snapshot:
        """The run under the data of a commit and the code that runs now.

        Raises:
            AssayError: the data cannot be scored.
        """
        return self._score(data, own_digest(), None)

    def code_key(self, step: Step) -> str:
        """What tells the code of two commits apart, as far as a score passes through it."""
        return self._package(step.commit.id)[0]

    def _package(self, commit: str) -> tuple[str, Path | None]:
        """Digest of a commit's code and the folder that holds it; none for the running code."""
        tree = object_id(self.root, commit, CODE)
        if tree not in self._packages:
            if tree is None:
                # A repository without code is scored by what is installed, then as now.
                self._packages[tree] = own_digest(), None
            else:
                folder = self._folder / tree
                take_back(self.root, commit, (CODE,), folder)
                digest = package_digest(folder / CODE)
                mine = digest == own_digest()
                self._packages[tree] = digest, None if mine else (folder / CODE).parent
        return self._packages[tree]

    def _score(self, data: Step, code_key: str, code: Path | None) -> Snapshot:
        commit = data.commit.id
        if commit not in self._inputs:
            self._inputs[commit] = tuple(object_id(self.root, commit, part) for part in DATA)
        key = (*self._inputs[commit], code_key)
        if key not in self._known:
            try:
                self._known[key] = self._fresh(commit, code)
            except AssayError as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, AssayError):
            raise found
        return found

    def _fresh(self, commit: str, code: Path | None) -> Snapshot:
        with view_at(self.root, commit) as view:
            if code is None:
                return snapshot(self._here.score(view, Selection(allow_empty=True)))
            return snapshot(elsewhere(code, view, self.file, self.suite))


def snapshot(scored: Rescored) -> Snapshot:
    """The few things of a result that every version of the code has written.

    Raises:
        CodeError: they are not there.
    """
    result: Mapping[str, Any] = scored.result
    try:
        overall, context = result["overall"], result["context"]
        rate = overall["pass_rate"]
        verdicts: dict[tuple[str, int | None], str] = {
            (line["case_id"], line.get("trial", 0)): str(line["outcome"]) for line in scored.lines
        }
        for case in result["excluded"]:
            verdicts[case["case_id"], None] = f"excluded {', '.join(case['codes'])}"
        for case_id in result["unmatched"]:
            verdicts[case_id, None] = "not in the run"
        standing = Standing(
            rate=None if rate is None else float(rate),
            passed=int(overall["passed"]),
            evaluated=int(overall["passed"]) + int(overall["failed"]),
            excluded=int(overall["excluded"]),
            result=str(result["id"]),
            scorer=str(context["scorer"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CodeError(f"it writes scores of another shape ({error})") from None
    return Snapshot(standing, verdicts)


def flips(before: Verdicts, after: Verdicts, case_id: str | None = None) -> list[Flip]:
    """Verdicts that differ, by case and trial.

    A case that is not scored on one side is compared as a whole: each of its trials on the other
    side is a flip from, or to, the reason.
    """
    found: list[Flip] = []
    for case in sorted({case for case, _ in {**before, **after}}):
        if case_id is not None and case != case_id:
            continue
        sides = [
            {trial: verdict for (name, trial), verdict in side.items() if name == case}
            for side in (before, after)
        ]
        for trial in sorted({*sides[0], *sides[1]} - {None}, key=lambda t: t or 0) or [None]:
            old, new = (side.get(trial, side.get(None, "absent")) for side in sides)
            if old != new:
                found.append(Flip(case, trial, old, new))
    return found
