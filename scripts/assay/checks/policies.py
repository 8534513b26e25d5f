"""Policies: which version a label was read under, which clauses it cites, what the texts say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, at, in_yaml, nearest
from assay.checks.world import Judged, World
from assay.files.locate import escape
from assay.models.catalog import PolicyVersion


class POL001(Rule):
    """The label was made under another version of its policy than the one in force.

    What the policy of that day called right may be wrong today.

    Read the clauses of the version in force, and write the next revision under it.
    """

    severity = "excludes"
    reads = ("policies",)

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver records that count and name a version that is not in force."""
        for judged in world.scorable_today:
            for version in judged.record.policies:
                family = world.families.get(version)
                if family is None or world.in_force.get(family) == version:
                    continue
                current = world.in_force.get(family)
                if current is None:
                    message = f"Labelled under {version}; no version of {family} is in force yet."
                    yield at(judged, "/policy_version", message)
                elif current in world.families:  # Else params.yaml is wrong: POL002.
                    message = f"Labelled under {version}; {current} is in force."
                    hint = f"assay revise {judged.case_id} --change policy --policy {current}"
                    yield at(judged, "/policy_version", message, f'{hint} --why "…"')


class POL002(Rule):
    """A policy family or version does not exist.

    A record under a name that nobody knows can never be found when the policy moves.

    Write a version that ``truth/policies.yaml`` has, or add it there.
    """

    severity = "error"
    reads = ("policies",)

    def find(self, world: World) -> Iterable[Found]:
        """Unknown versions in records that are not retired, and in ``params.yaml``."""
        for judged in world.judged:
            record = judged.record
            if record.status == "retired":
                continue
            for index, version in enumerate(record.policies):
                if version not in world.families:
                    many = not isinstance(record.policy_version, str)
                    pointer = f"/policy_version/{index}" if many else "/policy_version"
                    yield at(judged, pointer, _unknown(world, version), _hint(world, version))
        params = world.repository.params
        for family, version in sorted(params.model.policies.items()):
            if world.families.get(version) != family:
                message = f"`{family}` has no version `{version}`."
                pointer = f"/policies/{escape(family)}"
                yield in_yaml(params, pointer, message, _hint(world, version))


def _unknown(world: World, version: str) -> str:
    family = version.rpartition("-")[0] or version
    if family in world.repository.policies.model.families:
        return f"Policy family `{family}` has no version `{version}`."
    return f"There is no policy family `{family}` and no version `{version}`."


def _hint(world: World, version: str) -> str:
    return nearest(version, world.families, f"add it to {world.repository.policies.path}")


class POL003(Rule):
    """Gold or silver names no policy although the repository has some.

    When a policy moves, nobody will know that this label rests on it.

    Name the version that the labeler read.
    """

    severity = "warning"
    reads = ("policies",)

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver revisions without `policy_version`."""
        if not world.families:
            return
        for judged in world.scorable:
            if not judged.record.policies:
                yield at(
                    judged,
                    "",
                    "The record names no policy version.",
                    f"add `policy_version`; in force: {', '.join(world.in_force.values())}",
                )


class POL004(Rule):
    """A cited clause does not exist.

    The reason for the label cannot be looked up.

    Cite a clause of the policy text, as ``refunds-v7#3.2``.
    """

    severity = "error"
    reads = ("policies",)

    def find(self, world: World) -> Iterable[Found]:
        """Citations without a clause, of an unknown version, or of a clause that no text has."""
        known: dict[str, tuple[str, str]] = {}
        for judged in world.live():
            for index, citation in enumerate(judged.record.clauses):
                if citation not in known:
                    known[citation] = _citation_problem(world, citation)
                message, hint = known[citation]
                if message:
                    yield at(judged, f"/clauses/{index}", message, hint)


def _citation_problem(world: World, citation: str) -> tuple[str, str]:
    version, mark, clause = citation.partition("#")
    if not mark or not version or not clause:
        return f"`{citation}` is no clause.", "write it as <version>#<clause>, refunds-v7#3.2"
    text = world.policy_texts.get(version)
    if text is None:
        return f"`{citation}`: there is no policy version `{version}`.", _hint(world, version)
    if text.problem:
        return "", ""  # POL007 says so.
    if not text.path:
        return f"`{citation}`: {version} has no text.", f"add `file` to {version}"
    if clause not in text.clauses:
        return f"{text.path} has no clause `{clause}`.", nearest(clause, text.clauses)
    return "", ""


class POL005(Rule):
    """A clause of another version is cited than the record was labelled under.

    Either the clause was not looked up again, or `policy_version` was not.

    Cite the clause of the version that the record names.
    """

    severity = "warning"
    reads = ("policies",)

    def find(self, world: World) -> Iterable[Found]:
        """Clauses whose version is not in `policy_version`."""
        for judged in world.live():
            record = judged.record
            versions = record.policies
            if not versions:
                continue
            for index, citation in enumerate(record.clauses):
                version = citation.partition("#")[0]
                if version not in versions and version in world.families:
                    yield at(
                        judged,
                        f"/clauses/{index}",
                        f"Cites {citation}, and was labelled under {' and '.join(versions)}.",
                        "look the clause up in that version",
                    )


def _versions(world: World) -> Iterator[tuple[str, str, PolicyVersion]]:
    """Pointer, family and entry of every version."""
    for family, content in world.repository.policies.model.families.items():
        for index, entry in enumerate(content.versions):
            yield f"/families/{escape(family)}/versions/{index}", family, entry


class POL006(Rule):
    """The digest of a policy text is missing, or the text was changed.

    Labels rest on the text as it was read; a text that is edited in place changes what they
    say without a trace.

    Restore the text and add a new version; where the digest is missing, type `assay fmt`.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Versions whose digest is not that of their text."""
        file = world.repository.policies
        for pointer, _, entry in _versions(world):
            text = world.policy_texts[entry.version]
            if text.digest is None:
                continue
            if entry.digest is None:
                message = f"{entry.version} has no digest of its text."
                hint = f"assay fmt {file.path}   it writes: digest: {text.digest}"
                yield in_yaml(file, pointer, message, hint)
            elif entry.digest != text.digest:
                yield in_yaml(
                    file,
                    f"{pointer}/digest",
                    f"{text.path} is not the text that {entry.version} was entered with.",
                    f"git log -p -- {text.path}   restore it, and add a new version",
                )


class POL007(Rule):
    """The text of a policy is missing.

    Nobody can look up what a label rests on.

    Add the file, or correct its name.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Versions whose text cannot be read."""
        file = world.repository.policies
        for pointer, _, entry in _versions(world):
            text = world.policy_texts[entry.version]
            if text.problem:
                message = f"The text of {entry.version}, {text.path}: {text.problem}"
                inside = ".." not in text.path
                hint = f"add {text.path}" if inside else "write a path below truth/policies/"
                yield in_yaml(file, f"{pointer}/file", message, hint)


class POL008(Rule):
    """Two records cite the same clauses and decide otherwise.

    One requires a tool that the other forbids. That may be right, since the cases differ; if
    not, one of the labels is wrong.

    Read both; a clause that reads both ways needs a better text.
    """

    severity = "note"

    def find(self, world: World) -> Iterable[Found]:
        """For each set of clauses and tool, the first record on either side."""
        requiring: dict[tuple[tuple[str, ...], str], Judged] = {}
        forbidding: dict[tuple[tuple[str, ...], str], Judged] = {}
        for judged in world.scorable_today:
            record = judged.mapped.record
            if not record.clauses:
                continue
            clauses = tuple(sorted(set(record.clauses)))
            for entry in record.required_tools:
                tool = entry if isinstance(entry, str) else entry.tool
                if isinstance(entry, str) or entry.min:
                    requiring.setdefault((clauses, tool), judged)
            for tool in record.forbidden_tools:
                forbidding.setdefault((clauses, tool), judged)
        for key in sorted(requiring.keys() & forbidding.keys()):
            clauses, tool = key
            one, other = requiring[key], forbidding[key]
            if one.case_id != other.case_id:
                yield at(
                    other,
                    "/forbidden_tools",
                    f"{other.case_id} forbids {tool} under {', '.join(clauses)};"
                    f" {one.case_id} requires it under the same.",
                    f"assay truth show {one.case_id}",
                )


class POL009(Rule):
    """The versions of a policy are not in order.

    Two versions that take effect on one day, or that stand twice, leave open which is in force.

    List each version once, by the day it takes effect.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Versions that stand twice, and days that do not rise."""
        file = world.repository.policies
        seen: set[str] = set()
        before: tuple[str, PolicyVersion] | None = None
        for pointer, family, entry in _versions(world):
            if entry.version in seen:
                message = f"Version {entry.version} stands twice."
                yield in_yaml(file, f"{pointer}/version", message, "remove one of them")
            elif before is not None and before[0] == family:
                earlier = before[1]
                if entry.effective <= earlier.effective:
                    how = "with" if entry.effective == earlier.effective else "before"
                    yield in_yaml(
                        file,
                        f"{pointer}/effective",
                        f"{entry.version} takes effect on {entry.effective}, {how}"
                        f" {earlier.version}, which stands before it.",
                        "order the versions by their day; one a day",
                    )
            seen.add(entry.version)
            before = (family, entry)
