"""History: what a pull request, or a commit on main, may do to what has been merged."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule
from assay.checks.world import World
from assay.errors import AssayError
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.files.yamls import parse_yaml
from assay.ledger.changes import APPEND_ONLY, CATALOGUES, Elsewhere, Step
from assay.ledger.commits import NOTHING, REGULAR, Change
from assay.ledger.git import BASES
from assay.ledger.layout import PEOPLE, POLICIES, TOOLS, TRUTH, RecordKey, record_key
from assay.ledger.lifecycle import APPROVERS
from assay.ledger.paths import kind_of
from assay.ledger.redacting import may_approve, wrong_with
from assay.ledger.renumbering import merged
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord

_KINDS = {"120000": "a symbolic link", "160000": "a submodule", "100755": "executable"}
_POLICY_TEXTS = "truth/policies/"


class _History(Rule):
    """Base of the rules that look at what was changed, not at what is there."""

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """What every step does that it must not."""
        for step in world.history.steps if world.history is not None else ():
            yield from self.step(step, world)

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """What one step does that it must not."""
        raise NotImplementedError


def _append_only(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in APPEND_ONLY))


def _found(change: Change, message: str, hint: str) -> Found:
    key = record_key(change.path)
    line = None if change.letter == "D" else 1
    return Found(
        message,
        hint,
        change.path,
        line,
        case_id=key.case_id if key else None,
        suite=key.suite if key else None,
    )


def _restore(step: Step, world: World, path: str) -> str:
    if step.commit is not None:
        return f"git show {step.commit[:10]} -- {path}   and put it back as it was"
    base = world.history.base if world.history is not None else "main"
    return f"git restore --source $(git merge-base {base} HEAD) --staged --worktree {path}"


def _who(world: World, address: str) -> str:
    """The person behind an address, where ``people.yaml`` knows it."""
    for handle, person in world.repository.people.model.people.items():
        if address in person.git:
            return handle
    return address


class HIS001(_History):
    """A file that was merged has been edited in place.

    Revisions, labels, audits, campaigns and results are what past scores rest on; an edited one
    moves them, and nobody knows why.

    Restore the file; say what is right now in the next revision. What must not be read any longer
    becomes a tombstone, with `assay truth redact`: the one edit that is permitted.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Append-only files with other content than before."""
        for change in step.changes:
            edited = change.letter in "MTU" and change.blob != change.blob_before
            if edited and _append_only(change.path):
                wrong = _no_tombstone(step, change.path)
                if wrong is None:
                    continue
                key = record_key(change.path)
                after = f"; then assay revise {key.case_id}" if key and not step.commit else ""
                yield _found(
                    change,
                    f"Edited in place in {step.name}; files here are only ever added."
                    f"{wrong and f' {wrong}'}",
                    f"{_restore(step, world, change.path)}{after}",
                )


def _no_tombstone(step: Step, path: str) -> str | None:
    before = step.before.get(path)
    return wrong_with(before, step.after.get(path)) if before is not None else ""


class HIS002(_History):
    """A file that was merged has been deleted or moved.

    A past result could no longer be scored against what it used, and a revision number could
    be used a second time.

    Restore the file. A case that is no longer used is retired, a label in doubt is disputed, a
    secret is redacted: each is a next revision or a command of its own.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Append-only files that are gone."""
        gone = [c for c in step.changes if c.letter == "D" and _append_only(c.path)]
        if gone:
            targets = {blob: path for path, blob in step.new_blobs().items() if blob != NOTHING}
            for change in gone:
                target = targets.get(change.blob_before)
                what = f"Moved to {target}" if target else "Deleted"
                yield _found(
                    change,
                    f"{what} in {step.name}; files here stay for ever.",
                    _restore(step, world, change.path),
                )


class HIS003(_History):
    """A file under ``truth/`` or ``results/`` is not a regular file.

    A symbolic link or a submodule lets content change without a difference that anybody
    reviews; an executable bit has no meaning there and hides that the content is the same.

    Add the content itself, with mode 100644.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Files of truth and results whose mode is not 100644."""
        for change in step.changes:
            protected = change.path.startswith((f"{TRUTH}/", "results/"))
            if change.letter == "D" or not protected or change.mode in (REGULAR, "000000"):
                continue
            kind = _KINDS.get(change.mode, f"of mode {change.mode}")
            executable = change.mode == "100755"
            yield _found(
                change,
                f"It is {kind} in {step.name}; only regular files of mode 100644 belong here.",
                f"chmod 644 {change.path} && git update-index --chmod=-x {change.path}"
                if executable
                else f"git rm --cached {change.path}, and add the content as a file",
            )


class HIS004(_History):
    """The base has the same revision with other content.

    Two people wrote the next revision of one case; git stops the merge, and one of them goes
    on top of the other.

    Let `assay renumber` put yours on top; it says which fields you both changed.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files that both sides added since the branch left the base."""
        history = world.history
        for path, other in history.ahead.items() if history is not None else ():
            key = record_key(path)
            who = f"({_who(world, other.author)}, {other.day})"
            if key is None:
                yield Found(
                    f"{history.base if history else 'main'} has this file with other content"
                    f" {who}.",
                    "give yours another name",
                    path,
                    1,
                )
                continue
            base = history.base if history is not None else "main"
            yield Found(
                f"Revision {key.revision} exists on {base} with other content {who}.",
                _renumber(world, key, other, base),
                path,
                1,
                case_id=key.case_id,
                suite=key.suite,
            )


def _renumber(world: World, key: RecordKey, other: Elsewhere, base: str) -> str:
    """The command, what it makes of this revision, and what both sides changed."""
    named = "" if base in BASES else f" --base {base}"
    command = f"assay renumber {key.case_id}{named}"
    revisions = {item.revision: item.record for item in world.repository.revisions[key.case_id]}
    mine = revisions.get(key.revision)
    try:
        theirs = require(TruthRecord, parse_json(other.data, name=key.case_id), name=key.case_id)
    except AssayError:
        return command
    if mine is None:
        return command
    _, both, _ = merged(revisions.get(key.revision - 1), theirs, mine)
    said = f"; you both changed: {', '.join(both)}" if both else ""
    # Earlier revisions of this branch that collide as well come first.
    ahead = world.history.ahead if world.history is not None else {}
    keys = [one for one in map(record_key, ahead) if one is not None]
    first = min(one.revision for one in keys if one.case_id == key.case_id)
    return f"{command}   yours becomes r{other.free + key.revision - first:04d}{said}"


class HIS005(_History):
    """An entry that was merged is gone from a catalogue.

    Policies, tools and people are named by old revisions and past results; without the entry
    these can no longer be understood.

    Put the entry back. A tool that is gone keeps its name with `renamed_to`, `split_into` or
    `removed`; a role ends with `until`.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Policy versions, tools and people that are missing, and versions that changed."""
        for path in CATALOGUES:
            before = step.before.get(path)
            if before is None:
                continue
            after = step.after.get(path)
            if after is None:
                yield Found(f"The file is gone in {step.name}.", _restore(step, world, path), path)
                continue
            old, new = _entries(path, before), _entries(path, after)
            if old is None or new is None:
                continue  # What cannot be read is reported as that.
            for name, fixed in old.items():
                if name not in new:
                    message = f"{name} is gone in {step.name}; entries here are only ever added."
                    yield Found(message, f"put it back: git diff -- {path}", path)
                elif fixed and _changed(fixed, new[name]):
                    message = f"{name} was changed in {step.name}: {_changed(fixed, new[name])}."
                    yield Found(message, "add a version instead of changing one", path)


def _changed(before: JsonValue, after: JsonValue) -> str:
    """Names of fields that were set and are other now."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ""
    return ", ".join(key for key in before if before[key] != after.get(key))


def _entries(path: str, data: bytes) -> dict[str, JsonValue] | None:
    """Name of every entry to what of it may not change; None where the file cannot be read."""
    try:
        value = parse_yaml(data.decode("utf-8", "replace"), name=path).value
    except AssayError:
        return None
    if not isinstance(value, dict):
        return {}
    if path == PEOPLE:
        people = value.get("people")
        return {f"`{handle}`": None for handle in people} if isinstance(people, dict) else {}
    if path == TOOLS:
        return {_tool_name(tool): None for tool in _objects(value.get("tools"))}
    found: dict[str, JsonValue] = {}
    families = value.get("families")
    for family in families.values() if isinstance(families, dict) else ():
        for version in _objects(family.get("versions") if isinstance(family, dict) else None):
            fixed: dict[str, JsonValue] = {
                key: version[key] for key in ("effective", "digest") if key in version
            }
            found[f"`{version.get('version')}`"] = fixed
    return found if path == POLICIES else {}


def _tool_name(tool: dict[str, JsonValue]) -> str:
    parts = [str(tool[key]) for key in ("server", "name") if tool.get(key)]
    return f"`{'/'.join(parts)}`"


def _objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


class HIS006(_History):
    """Code and truth are changed together.

    A change of the scorer can make a wrong label look right, and the other way round; each is
    reviewed by other people, and a moved score must have one cause.

    Make two pull requests of it, or two commits on main.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Steps that touch the code that judges and what is correct; the first commit may."""
        if step.is_root:
            return
        # New files are sorted, and hardly any of many thousands is none of truth.
        first = bisect_left(step.added, f"{TRUTH}/")
        last = bisect_left(step.added, f"{TRUTH}0", first)
        changed = [change.path for change in step.changes]
        elsewhere = [*changed, *step.added[:first], *step.added[last:]]
        code = sorted(path for path in elsewhere if _judging(path))
        inside = [path for path in changed if path.startswith(f"{TRUTH}/")] if code else []
        truth = sorted([*inside, *step.added[first:last]]) if code else []
        if truth and code:
            yield Found(
                f"{step.name[:1].upper()}{step.name[1:]} changes code and truth: {_some(code)}"
                f" and {_some(truth)}.",
                "make two pull requests of it, the code first",
                code[0],
            )


_JUDGING = (
    "scripts/",
    "tests/",
    ".ci/",
    ".github/",
    "action.yml",
    "assay",
    "ci/",
    "dvc.yaml",
    "pyproject.toml",
)


def _judging(path: str) -> bool:
    """Whether it is code that takes part in judging: programs, tests, stages, CI."""
    if kind_of(path) != "code":
        return False
    return path.startswith(_JUDGING) or path == ".gitlab-ci.yml"


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{more}"


class HIS007(_History):
    """The text of a policy was changed or removed after it was merged.

    Labels cite its clauses as their author read them.

    Restore the text, and add a version with the new one.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """Policy texts with other content than before, or gone."""
        for change in step.changes:
            if change.path.startswith(_POLICY_TEXTS) and change.letter in "MDTU":
                done = "removed" if change.letter == "D" else "changed"
                yield _found(
                    change,
                    f"The text was {done} in {step.name}.",
                    f"{_restore(step, world, change.path)}; then add a version to {POLICIES}",
                )


class HIS008(_History):
    """A redaction names somebody who may not approve it.

    A tombstone takes away what past scores rest on; two people who answer for the truth agree to
    that, and are named in it.

    Name two adjudicators, owners or maintainers who have agreed.
    """

    def step(self, step: Step, world: World) -> Iterable[Found]:
        """New tombstones that were approved by people who have no role for it today."""
        revisions = {stored.path: stored.record for stored in world.repository.records}
        for change in step.changes:
            record = revisions.get(change.path) if change.path in step.after else None
            if record is None or record.redacted is None:
                continue
            for handle in record.redacted.approved_by:
                if not may_approve(world.repository, handle, world.today):
                    yield _found(
                        change,
                        f"`{handle}` may not approve a redaction on {world.today}.",
                        f"name two who are {', '.join(APPROVERS[:-1])} or {APPROVERS[-1]}",
                    )
