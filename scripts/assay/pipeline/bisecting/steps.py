"""The commits that a walk passes, and what each of them changed of what decides a score."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.errors import AssayError, RefusedError, UsageError
from assay.files.reading import parse_json
from assay.files.yamls import parse_yaml
from assay.ledger import history
from assay.ledger.git import ask
from assay.ledger.history import Commit
from assay.ledger.layout import CASES, PARAMS, POLICIES, SUITE_FILE, TRUTH, record_key
from assay.ledger.people import PeopleIndex
from assay.ledger.policy_texts import POLICY_TEXTS
from assay.models.base import JsonValue
from assay.reporting.bisection import Change

CODE = "scripts/assay"
"""The package, where it lies in the repository."""

_APART = (f"{CODE}/reporting/", f"{CODE}/telemetry/")
_NOTES = frozenset({f"{TRUTH}/README.md"})


@dataclass(frozen=True)
class Step:
    """One commit of the walk."""

    commit: Commit
    """The commit."""
    data: tuple[str, ...]
    """Paths of truth, cases and parameters that it changed."""
    code: tuple[str, ...]
    """Paths of code that it changed."""

    @property
    def relevant(self) -> bool:
        """Whether it touches what decides a score."""
        return bool(self.data or self.code)


def walk(root: Path, suite: str, good: str | None, bad: str | None) -> list[Step]:
    """The first-parent line between two commits, both of them in it, the oldest first.

    Args:
        root: the benchmark repository.
        suite: the suite whose cases are scored.
        good: where to begin; the first commit that has the suite where absent.
        bad: where to end; HEAD where absent.

    Raises:
        RefusedError: there is no history, or the clone is shallow and it does not reach so far.
        UsageError: no such commit, or the one does not lead to the other.
    """
    last = history.commit_id(root, bad or "HEAD")
    first = history.commit_id(root, good) if good else None
    line = history.first_parents(root, last)
    if first is None:
        if history.shallow(root):
            raise _cut_off()
        first = history.first_with(root, last, f"{CASES}/{suite}/{SUITE_FILE}")
        if first is None:
            raise RefusedError(
                f"No commit has the suite `{suite}`.",
                hint=f"git add {CASES}/{suite} && git commit",
            )
    names = [commit.id for commit in line]
    if first not in names:
        if history.shallow(root):
            raise _cut_off()
        raise UsageError(
            f"{(good or first)[:10]} is not on the first-parent line of {last[:10]}.",
            hint=f"git log --first-parent --oneline {bad or 'HEAD'}",
        )
    return [_step(commit) for commit in line[names.index(first) :]]


def _cut_off() -> RefusedError:
    return RefusedError(
        "This clone is shallow: its history is cut off, and what moved the score may lie before.",
        hint="git fetch --unshallow",
    )


def _step(commit: Commit) -> Step:
    paths = [path for _, path in commit.changed]
    return Step(
        commit,
        tuple(path for path in paths if _is_data(path)),
        tuple(path for path in paths if _is_code(path)),
    )


def _is_data(path: str) -> bool:
    return path == PARAMS or (path.startswith((f"{TRUTH}/", f"{CASES}/")) and path not in _NOTES)


def _is_code(path: str) -> bool:
    return path.startswith(f"{CODE}/") and path.endswith(".py") and not path.startswith(_APART)


def touches(step: Step, case_id: str) -> bool:
    """Whether a step may change the verdict of one case: all but records of other cases may."""
    if step.code:
        return True
    keys = [record_key(path) for path in step.data]
    return any(key is None or key.case_id == case_id for key in keys)


def author(step: Step, who: PeopleIndex) -> str:
    """Handle of a commit's author, else the name that git has."""
    return who.handle_of(step.commit.mail) or step.commit.author


def changes(root: Path, step: Step, suite: str) -> list[Change]:
    """What a step changed, in words: records first, then policies, parameters, files, code."""
    found: list[Change] = []
    files: dict[str, list[str]] = {}
    for path in step.data:
        key = record_key(path)
        if key is not None:
            if key.suite == suite:
                found.append(_record(root, step.commit, path))
        elif path == PARAMS:
            found += _params(root, step.commit)
        else:
            files.setdefault(_kind(path), []).append(path)
    order = {"record": 0, "policy": 1, "params": 2, "cases": 3, "catalogue": 4}
    for kind, paths in files.items():
        found += [Change(kind, path, path) for path in paths]  # type: ignore[arg-type]
    found.sort(key=lambda change: (order[change.kind], change.path))
    if step.code:
        rooms = sorted({_room(path) for path in step.code})
        words = f"code: {len(step.code)} file{'s' * (len(step.code) > 1)} in {', '.join(rooms)}"
        found.append(Change("code", CODE, words))
    return found


def _kind(path: str) -> str:
    if path == POLICIES or path.startswith(f"{POLICY_TEXTS}/"):
        return "policy"
    return "cases" if path.startswith(f"{CASES}/") else "catalogue"


def _room(path: str) -> str:
    parts = PurePosixPath(path).relative_to(CODE).parts
    return parts[0]


def _at(root: Path, commit: str, path: str) -> str | None:
    return ask(root, "show", f"{commit}:./{path}")


def _record(root: Path, commit: Commit, path: str) -> Change:
    key = record_key(path)
    assert key is not None
    number = f"r{key.revision:04d}"
    before = f"r{key.revision - 1:04d} → " if key.revision > 1 else ""
    words, because = f"{key.case_id} {before}{number}", ""
    text = _at(root, commit.id, path)
    if text is None:
        return Change("record", path, f"{words}, removed", "", key.case_id)
    with contextlib.suppress(AssayError):
        value = parse_json(text, name=path)
        if isinstance(value, dict):
            words += f", {value.get('change')}, {value.get('status')}"
            reasons = value.get("rationale")
            because = " ".join(map(str, reasons)) if isinstance(reasons, list | tuple) else ""
    return Change("record", path, words, because, key.case_id)


def _params(root: Path, commit: Commit) -> list[Change]:
    before = _flat(_at(root, f"{commit.id}^1", PARAMS))
    after = _flat(_at(root, commit.id, PARAMS))
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    rows = [
        Change(
            "params", PARAMS, f"{name}: {before.get(name, 'absent')} → {after.get(name, 'absent')}"
        )
        for name in names
    ]
    return rows or [Change("params", PARAMS, f"{PARAMS}, no value changed")]


def _flat(text: str | None) -> dict[str, str]:
    if text is None:
        return {}
    try:
        return dict(_leaves("", parse_yaml(text, name=PARAMS).value))
    except AssayError:
        return {"": "unreadable"}


def _leaves(name: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield name, ", ".join(map(str, value)) or "none"
    else:
        yield name, str(value)
