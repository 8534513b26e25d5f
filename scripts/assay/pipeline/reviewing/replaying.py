"""Declared commands, run again: only those of this list, and none of them writes.

A declaration is text from a pull request. It is read by a parser of its own that knows a few
options; what it does not know is refused, and nothing of it is ever given to a shell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from assay.errors import InputError
from assay.ledger.bulk import Bulk
from assay.ledger.campaigns.files import load_campaign
from assay.ledger.campaigns.moving import fill, uphold
from assay.ledger.campaigns.suggestions import read_suggestions
from assay.ledger.days import is_day
from assay.ledger.renaming import renames
from assay.ledger.renewing import renewals
from assay.ledger.repository import Repository
from assay.ledger.selecting import fits, latest, parse_where


@dataclass(frozen=True)
class Words:
    """A command, taken apart."""

    names: tuple[str, ...]
    """What is no option."""
    options: Mapping[str, tuple[str, ...]]
    """Option to its values."""

    def one(self, option: str) -> str:
        """The one value of an option.

        Raises:
            InputError: it is absent or stands there twice.
        """
        values = self.options.get(option, ())
        if len(values) != 1:
            raise InputError(f"The command needs `{option}` once.")
        return values[0]


@dataclass(frozen=True)
class Known:
    """A command that may be declared."""

    names: tuple[int, int | None]
    """The least and the largest number of names."""
    options: tuple[str, ...]
    """Its options; each takes a value."""
    run: Callable[[Repository, Words], Bulk]
    """What it writes, as a function of the repository."""


def _rename(repository: Repository, words: Words) -> Bulk:
    where = parse_where(words.options.get("--where", ()))
    chosen = [stored for stored in latest(repository) if fits(repository, stored, where)]
    return renames(repository, chosen, frozenset(words.names))


def _uphold(repository: Repository, words: Words) -> Bulk:
    stored = load_campaign(repository.root, words.names[0])
    where = parse_where(words.options.get("--where", ()))
    adjudicator, why = words.one("--adjudicator"), words.one("--why")
    return uphold(repository, stored, where, adjudicator=adjudicator, why=why)[0]


def _fill(repository: Repository, words: Words) -> Bulk:
    stored = load_campaign(repository.root, words.names[0])
    suggestions = read_suggestions(repository.root / words.one("--from"), stored)
    drafted_by, why = words.one("--drafted-by"), words.one("--why")
    return fill(repository, stored, suggestions, drafted_by=drafted_by, why=why)


def _renew(repository: Repository, words: Words) -> Bulk:
    where = parse_where(words.options.get("--where", ()))
    wanted = frozenset(words.names)
    if bool(wanted) == bool(where):
        raise InputError("A renewal names cases, or says which with `--where`.")
    chosen = [
        stored
        for stored in latest(repository)
        if (stored.case_id in wanted if wanted else fits(repository, stored, where))
    ]
    signer = words.one("--adjudicator") if "--adjudicator" in words.options else None
    until, why = words.one("--until"), words.one("--why")
    if not is_day(until):
        raise InputError(f"`--until {until}` is no day.")
    day = repository.params.model.today
    return renewals(repository, chosen, until, why=why, signer=signer, day=day)


ALLOWED: Mapping[tuple[str, ...], Known] = {
    ("campaign", "fill"): Known((1, 1), ("--from", "--drafted-by", "--why"), _fill),
    ("campaign", "uphold"): Known((1, 1), ("--adjudicator", "--where", "--why"), _uphold),
    ("renew",): Known((0, None), ("--adjudicator", "--until", "--where", "--why"), _renew),
    ("truth", "rename"): Known((0, None), ("--where",), _rename),
}
"""Commands that may be declared, each a function from a repository to revisions."""


def parse(command: Sequence[str]) -> tuple[Known, Words]:
    """A declared command, taken apart.

    Raises:
        InputError: it is not one of `ALLOWED`, or has an option or a number of names that this
            one does not take.
    """
    size = 1 if tuple(command[:1]) in ALLOWED else 2
    known = ALLOWED.get(tuple(command[:size]))
    if known is None:
        listed = ", ".join(f"`{' '.join(words)}`" for words in sorted(ALLOWED))
        raise InputError(f"`{' '.join(command[:2])}` cannot be run again.", hint=f"one of {listed}")
    names: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    rest = list(command[size:])
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            names.append(word)
            continue
        option, mark, value = word.partition("=")
        if option not in known.options:
            raise InputError(f"A declared `{' '.join(command[:size])}` has no `{option}`.")
        if not mark:
            if not rest:
                raise InputError(f"`{option}` has no value.")
            value = rest.pop(0)
        options[option] = (*options.get(option, ()), value)
    least, most = known.names
    if len(names) < least or (most is not None and len(names) > most):
        raise InputError(f"`{' '.join(command[:size])}` is declared with {len(names)} names.")
    return known, Words(tuple(names), options)


def source_of(command: Sequence[str]) -> str | None:
    """The file that a declared command reads beside truth and cases, relative to the root.

    Raises:
        InputError: it lies outside of the repository.
    """
    words = parse(command)[1]
    if "--from" not in words.options:
        return None
    name = words.one("--from")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise InputError(f"`{name}` is not a file of this repository.", hint="commit it")
    return path.as_posix()
