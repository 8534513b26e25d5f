"""The lines of CODEOWNERS, and what is wrong with them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.models.forge import ForgeKind

MOST_BYTES = 3 * 1024 * 1024
"""Above this size GitHub does not load the file at all, and says nothing."""

_SECTION = re.compile(
    r"(?P<optional>\^)?\[(?P<name>[^\[\]]*)\](?:\[(?P<number>[^\[\]]*)\])?(?P<owners>(?:\s.*)?)"
)
_WORD = re.compile(r"(?:\\.|[^\s\\]|\\(?=\s*$))+")
_MAIL = r"[^@\s]+@[^@\s]+\.[^@\s]+"
_OWNER: dict[ForgeKind, re.Pattern[str]] = {
    "github": re.compile(rf"@[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9._-]+)?|{_MAIL}"),
    "gitlab": re.compile(
        rf"@[A-Za-z0-9_.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.][A-Za-z0-9_.-]*)*|@@[a-z]+|{_MAIL}"
    ),
}


@dataclass(frozen=True)
class Line:
    """One line that says who owns what."""

    number: int
    """One-based."""
    text: str
    """As it is written, without blanks around it."""
    pattern: str
    """What it is about."""
    owners: tuple[str, ...]
    """Who owns that; empty where it takes the owner away."""
    section: str = ""
    """GitLab: the section, lower case; empty before the first one."""
    excludes: bool = False
    """GitLab: whether it takes paths out of its section."""


@dataclass(frozen=True)
class Section:
    """A section of GitLab's syntax; entries before the first one have one without a name."""

    name: str
    """Lower case; sections of one name are one."""
    required: bool = True
    """Whether it must approve."""


@dataclass(frozen=True)
class Problem:
    """A line that the forge skips, or that does not say what it seems to."""

    line: int
    """One-based."""
    message: str
    """What is wrong."""
    hint: str
    """What to write."""


@dataclass(frozen=True)
class OwnersText:
    """A CODEOWNERS file as a forge understands it."""

    kind: ForgeKind
    """Which forge."""
    lines: tuple[Line, ...]
    """Lines that count, from first to last; none where the file is too large to be loaded."""
    sections: dict[str, Section]
    """Name to section, in the order of the file."""
    problems: tuple[Problem, ...]
    """Lines that are skipped."""
    too_large: bool = False
    """Whether the forge does not load it."""


def parse_owners(data: bytes, kind: ForgeKind) -> OwnersText:
    """Read CODEOWNERS; never fails, since a forge skips what it does not understand."""
    too_large = kind == "github" and len(data) > MOST_BYTES
    lines: list[Line] = []
    problems: list[Problem] = []
    sections = {"": Section("")}
    section = ""
    inherited: tuple[str, ...] = ()
    text = data.decode("utf-8-sig", "replace")
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        heading = _SECTION.fullmatch(line) if kind == "gitlab" else None
        if heading is not None:
            name, inherited = _section(heading, number, sections, problems)
            section = name
            continue
        found = _line(number, line, kind, section, inherited)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            lines.append(found)
    return OwnersText(kind, () if too_large else tuple(lines), sections, tuple(problems), too_large)


def _section(
    heading: re.Match[str], number: int, sections: dict[str, Section], problems: list[Problem]
) -> tuple[str, tuple[str, ...]]:
    name = " ".join(heading["name"].split()).lower()
    if not name:
        problems.append(Problem(number, "The section has no name.", "[Truth]"))
    count = heading["number"]
    if count is not None and not (count.isascii() and count.isdigit() and int(count) > 0):
        message = f"`[{count}]` is no number of approvals."
        problems.append(Problem(number, message, "[Truth][2]"))
    owners = tuple(heading["owners"].split())
    wrong = [owner for owner in owners if not _OWNER["gitlab"].fullmatch(owner)]
    if wrong:
        problems.append(Problem(number, f"`{wrong[0]}` is no owner.", "@group or @login"))
    before = sections.get(name)
    # Sections of one name are one; it stays required as soon as one of them is.
    required = heading["optional"] is None or (before is not None and before.required)
    sections[name] = Section(name, required)
    return name, tuple(owner for owner in owners if owner not in wrong)


def _line(
    number: int, line: str, kind: ForgeKind, section: str, inherited: tuple[str, ...]
) -> Line | Problem:
    words = _WORD.findall(line)
    if line.startswith("@"):
        return Problem(
            number,
            f"The line has no pattern: its first word `{words[0]}` is an owner.",
            f"* {line}",
        )
    pattern, rest = words[0], words[1:]
    if kind == "github":
        comment = next((index for index, word in enumerate(rest) if word.startswith("#")), None)
        rest = rest[:comment]
        wrong = _not_github(pattern)
        if wrong:
            return Problem(number, wrong, "name the files or folders themselves, as /truth/")
    elif pattern.startswith("!"):
        return Line(number, line, pattern[1:], (), section, excludes=True)
    for owner in rest:
        if not _OWNER[kind].fullmatch(owner):
            return Problem(
                number,
                f"`{owner}` is no owner, so the line is skipped.",
                "@login, @organisation/team or a mail address",
            )
    return Line(number, line, pattern, tuple(rest) or inherited, section)


def _not_github(pattern: str) -> str:
    if pattern.startswith("!"):
        return "`!` does not negate a pattern here; the line is skipped."
    if pattern.startswith("\\#"):
        return "A pattern cannot begin with `#`, escaped or not; the line is skipped."
    if "[" in pattern or "]" in pattern:
        return "`[ ]` is no range of characters here; the line is skipped."
    if "***" in pattern:
        return "`***` is no pattern; the line is skipped."
    return ""
