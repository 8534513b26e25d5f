"""CODEOWNERS: what the forge makes of it, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from assay.checks.rule import Found, Rule, in_yaml
from assay.checks.world import World
from assay.ledger.owners.files import OWNERS
from assay.ledger.owners.lookup import Takeover, doubled, takeovers
from assay.ledger.owners.syntax import MOST_BYTES, Line, parse_owners
from assay.ledger.owners.wanted import owners_text, required_team
from assay.models.finding import Severity
from assay.models.forge import Forge

_WRITE = "assay fmt owners"
_ESCAPED = re.compile(r"\\(.)")


class _Owners(Rule):
    """Base of the rules about CODEOWNERS."""

    severity: ClassVar[Severity] = "error"
    scope = "nothing"
    waivable = False
    reads = ("people",)


def _forge(world: World) -> Forge | None:
    return world.repository.people.model.forge


def _wanted(world: World) -> bytes | None:
    forge = _forge(world)
    if forge is None:
        return None
    text, _ = owners_text(forge, world.repository.people.model, world.repository.suites)
    return text.encode()


class OWN001(_Owners):
    """Files are not owned by the team that must approve them.

    The last line that matches wins and replaces all lines before it, so that a later catch-all
    takes truth over without a word; whoever it names can then merge any label.

    Write the file anew, or move the protecting line below the one that takes over.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files below truth, holdout, results and what judges them, by the line that decides."""
        file, forge = world.owners, _forge(world)
        if file is None or forge is None or file.data is None or file.text.too_large:
            return
        for lost in takeovers(file.text, file.paths, lambda path: required_team(forge, path)):
            line = lost.line.number if lost.line else None
            yield Found(_takeover(lost), _WRITE, OWNERS, line)


def _takeover(lost: Takeover) -> str:
    more = len(lost.paths) - 1
    files = f"{lost.paths[0]}" + (f" and {more:,} other files" if more > 1 else "")
    files += " and 1 other file" if more == 1 else ""
    if lost.line is None:
        return f"No line gives {files} to {lost.team}, or to anybody."
    whom = " ".join(lost.line.owners) or "nobody"
    if lost.team.casefold() in whom.casefold().split():
        whom += ", in a section that need not approve"
    return (
        f"Line {lost.line.number}, `{lost.line.pattern}`, gives {files} to {whom}, not to"
        f" {lost.team}."
    )


class OWN002(_Owners):
    """The forge skips a line.

    It does so without a word, and the files then belong to whatever line matched before.

    Write the line as the message says.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Lines without a pattern, with syntax that is not understood, or with no owner's name."""
        for problem in world.owners.text.problems if world.owners is not None else ():
            yield Found(problem.message, problem.hint, OWNERS, problem.line)


class OWN003(_Owners):
    """Two lines have the same pattern.

    The later one replaces the earlier one; owners are not added up.

    Put all owners on one line.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Lines that a later line with the same pattern replaces."""
        for line, later in doubled(world.owners.text) if world.owners is not None else ():
            yield Found(
                f"Line {later.number} has the pattern `{line.pattern}` too and replaces this one.",
                f"{line.pattern} {' '.join(dict.fromkeys((*line.owners, *later.owners)))}",
                OWNERS,
                line.number,
            )


class OWN004(_Owners):
    """A pattern does not mean what it seems to.

    `truth/` is a folder of this name at any depth, and `/thruth/` is nothing at all; the files
    that were meant stay with the line before.

    Begin with a slash, end folders with one, and name what is there.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Patterns of folders that match at any depth, and anchored ones that match nothing."""
        file = world.owners
        if file is None or file.data == _wanted(world):
            return
        wanted = parse_owners(_wanted(world) or b"", file.kind).lines
        generated = {line.pattern for line in wanted}
        for line in file.text.lines:
            if line.pattern in generated:
                continue  # What is not there yet is protected as well.
            wrong = _anchor(line, github=file.kind == "github")
            plain = _ESCAPED.sub(r"\1", line.pattern)
            if wrong:
                yield Found(wrong, f"/{line.pattern}", OWNERS, line.number)
            elif plain.startswith("/") and not set("*?[") & set(plain) and not file.exists(plain):
                message = f"`{line.pattern}` matches nothing that is here."
                yield Found(message, "correct the name, or remove the line", OWNERS, line.number)


def _anchor(line: Line, *, github: bool) -> str:
    pattern = line.pattern
    if pattern.startswith(("/", "*")) or "/" not in pattern:
        return ""
    if github and "/" in pattern.rstrip("/"):
        return ""  # A slash inside anchors it.
    return f"`{pattern}` matches at any depth, not only at the top."


class OWN005(_Owners):
    """CODEOWNERS is not what people and suites say.

    It is written from ``truth/people.yaml`` and the suites, so that a change there reaches the
    forge; an edit by hand is lost with the next one.

    Write it anew; edit `forge` in ``truth/people.yaml``.
    """

    def find(self, world: World) -> Iterable[Found]:
        """A file that differs from the generated one, or is missing."""
        wanted = _wanted(world)
        if wanted is None or world.owners is None or world.owners.data == wanted:
            return
        if world.owners.data is None:
            yield Found("There is no CODEOWNERS, so nobody must approve anything.", _WRITE, OWNERS)
            return
        have = world.owners.data.split(b"\n")
        pairs = enumerate(zip(have, wanted.split(b"\n"), strict=False), 1)
        line = next((number for number, (a, b) in pairs if a != b), len(have))
        yield Found("It is not what truth/people.yaml and the suites say.", _WRITE, OWNERS, line)


class OWN006(_Owners):
    """The forge does not read this file.

    Above three megabytes GitHub loads none of it, and another file of this name in a place that
    is looked at before hides it: nobody is asked to approve anything.

    Shorten the file, or remove the other one.
    """

    def find(self, world: World) -> Iterable[Found]:
        """A file that is too large, or that another one hides."""
        file = world.owners
        if file is None:
            return
        if file.text.too_large:
            message = f"It is larger than {MOST_BYTES:,} bytes, so that none of it is loaded."
            yield Found(message, "say it with folders in place of files", OWNERS)
        if file.shadow is not None:
            yield Found("It is read in place of CODEOWNERS.", f"git rm {file.shadow}", file.shadow)


class OWN007(_Owners):
    """The forge cannot ask the owner of a suite.

    Neither a team nor a login there is known, so no pull request about the suite's cases reaches
    the one who answers for them.

    Give the person a `team` or a login in ``truth/people.yaml``.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Owners of suites without a team and without a login on the configured forge."""
        forge, repository = _forge(world), world.repository
        if forge is None or world.owners is None:
            return
        _, lost = owners_text(forge, repository.people.model, repository.suites)
        for item in lost:
            yield in_yaml(
                repository.suites[item.suite].file,
                "/owner",
                f"{item.handle} has neither a team nor a {forge.kind} login.",
                f"add `logins: {{{forge.kind}: …}}` to {item.handle} in truth/people.yaml",
                suite=item.suite,
            )


class OWN008(_Owners):
    """One login or address stands for two people.

    Whose approval it is could not be told, so that it counts for neither.

    Give it to the one who has it.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Logins of one forge, and mail addresses, that two people share."""
        file = world.repository.people
        first: dict[tuple[str, str], str] = {}
        for handle in file.model.people:
            for kind, name, pointer in _names(world, handle):
                other = first.setdefault((kind, name.casefold()), handle)
                if other != handle:
                    message = f"`{name}` stands for {other} and for {handle}."
                    yield in_yaml(file, pointer, message, "remove it from one of them")


def _names(world: World, handle: str) -> Iterator[tuple[str, str, str]]:
    person = world.repository.people.model.people[handle]
    for forge, login in sorted(person.logins.items()):
        yield forge, login, f"/people/{handle}/logins/{forge}"
    for index, address in enumerate(person.git):
        yield "git", address, f"/people/{handle}/git/{index}"
