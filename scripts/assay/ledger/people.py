"""People in their roles on a day, and models behind their many names."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from assay.models.catalog import ModelIdentity, People, RoleTerm


@dataclass(frozen=True)
class PeopleIndex:
    """Answers questions about ``truth/people.yaml``."""

    people: People
    """The file."""
    _identities: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def known(self, handle: str) -> bool:
        """Whether the handle stands in the file."""
        return handle in self.people.people

    def has_role(self, handle: str, role: str, day: str | None) -> bool:
        """Whether the person has the role on the day; on any day when none is given."""
        person = self.people.people.get(handle)
        if person is None:
            return False
        return any(term.role == role and _covers(term, day) for term in person.roles)

    def active(self, handle: str, day: str) -> bool:
        """Whether the person has any role on the day."""
        person = self.people.people.get(handle)
        return person is not None and any(_covers(term, day) for term in person.roles)

    def roles_on(self, handle: str, day: str) -> tuple[str, ...]:
        """Roles that the person has on the day, sorted; none for somebody who is not known."""
        person = self.people.people.get(handle)
        terms = person.roles if person is not None else ()
        return tuple(sorted({term.role for term in terms if _covers(term, day)}))

    def handle_of(self, mail: str) -> str | None:
        """Whose mail address in git this is; None where nobody has it."""
        wanted = mail.casefold()
        for handle, person in sorted(self.people.people.items()):
            if any(address.casefold() == wanted for address in person.git):
                return handle
        return None

    @cached_property
    def _spellings(self) -> dict[str, str]:
        table: dict[str, str] = {}
        for model in self.people.models:
            for spelling in (model.name, *model.spellings):
                table[self.stripped(spelling)] = self.stripped(model.name)
        return table

    def stripped(self, name: str) -> str:
        """Lower case, route prefixes removed, however many stand before the name."""
        text = name.strip().casefold()
        prefixes = [prefix.casefold() for prefix in self.people.route_prefixes]
        again = True
        while again:
            again = False
            for prefix in prefixes:
                if text.startswith(prefix) and len(text) > len(prefix):
                    text = text[len(prefix) :]
                    again = True
        return text

    def identity(self, name: str | None) -> str:
        """The canonical name of a model; empty for a model that is not named."""
        if not name or not name.strip():
            return ""
        stripped = self.stripped(name)
        return self._spellings.get(stripped, stripped)

    def same_model(self, a: str | None, b: str | None) -> bool:
        """Whether two names mean one model. A model that is not named is not trusted: true."""
        first, second = self.identity(a), self.identity(b)
        return not first or not second or first == second

    def model(self, name: str) -> ModelIdentity | None:
        """The entry for a model, whatever it is called."""
        wanted = self.identity(name)
        for model in self.people.models:
            if self.stripped(model.name) == wanted:
                return model
        return None


def _covers(term: RoleTerm, day: str | None) -> bool:
    return day is None or (term.since <= day and (term.until is None or day < term.until))
