"""People and models: who labelled, who signs, who drafted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, at, in_yaml, nearest
from assay.checks.world import Judged, World
from assay.files.locate import escape
from assay.ledger.layout import SUITE_FILE


def _signers(judged: Judged) -> Iterator[tuple[str, str, str]]:
    """Pointer, handle and role of everybody who stands for a record."""
    record = judged.record
    for index, handle in enumerate(record.labelers):
        yield f"/labelers/{index}", handle, "labeler"
    if record.adjudicator is not None:
        yield "/adjudicator", record.adjudicator, "adjudicator"


class PEO001(Rule):
    """A handle is not in ``truth/people.yaml``.

    Nobody can be asked about the label.

    Correct the handle, or add the person.
    """

    severity = "error"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Labelers and adjudicators that the file does not have."""
        people = world.repository.people.model.people
        for judged in world.live():
            for pointer, handle, _ in _signers(judged):
                if handle not in people:
                    hint = nearest(handle, people, f"add {handle} to truth/people.yaml")
                    message = f"`{handle}` is not in truth/people.yaml."
                    yield at(judged, pointer, message, hint)


class PEO002(Rule):
    """Somebody labelled or adjudicated who did not have that role on that day.

    A label counts for what the person was then; a role that ended before, or began later, is
    not the role.

    Correct the names or `as_of`, or the roles in ``truth/people.yaml``.
    """

    severity = "error"
    reads = ("people",)
    needs = ("PEO001",)

    def find(self, world: World) -> Iterable[Found]:
        """Labelers and adjudicators without the role on `as_of`, or ever where it is absent."""
        known: dict[tuple[str, str, str | None], bool] = {}
        for judged in world.live():
            day = judged.record.as_of
            for pointer, handle, role in _signers(judged):
                key = (handle, role, day)
                if key not in known:
                    known[key] = world.who.has_role(handle, role, day)
                if not known[key] and world.who.known(handle):
                    when = f" on {day}" if day else ""
                    yield at(
                        judged,
                        pointer,
                        f"{handle} was no {role}{when}{_terms(world, handle, role)}.",
                        f"name somebody who was, or correct the roles of {handle}",
                    )


def _terms(world: World, handle: str, role: str) -> str:
    terms = [term for term in world.who.people.people[handle].roles if term.role == role]
    if not terms:
        return ", or ever"
    return ": " + "; ".join(
        f"{role} from {term.since}" + (f" until {term.until}" if term.until else "")
        for term in terms
    )


class PEO003(Rule):
    """The label is unowned: no active labeler, adjudicator or owner is left.

    Nobody is there who knows why it is right. It is scored, and never blocks a merge.

    Give the case an owner in ``suite.yaml``, or let somebody uphold the label.
    """

    severity = "warning"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver records that count and that nobody answers for today."""
        for judged in world.scorable_today:
            if world.unowned(judged):
                names = [handle for _, handle, _ in _signers(judged)]
                if judged.suite is not None:
                    names.append(judged.suite.owner(judged.case_id))
                shown = ", ".join(dict.fromkeys(names)) or "nobody is named"
                yield at(
                    judged,
                    "/labelers",
                    f"Unowned, so it does not gate: none of them is active today ({shown}).",
                    f"give {judged.case_id} an `owner` in"
                    f" cases/{judged.suite_name or '<suite>'}/{SUITE_FILE}",
                )


class PEO004(Rule):
    """The label was drafted by a model that may not draft.

    A model whose identity is not known may be the one that is measured or that judges; it would
    then be measured by its own answers.

    Name the model in ``truth/people.yaml`` with `may: [draft]`, or label the case anew.
    """

    severity = "error"
    reads = ("people",)

    def find(self, world: World) -> Iterable[Found]:
        """Live revisions whose drafter is neither a known person nor a model that may draft."""
        for judged in world.live():
            drafter = judged.record.drafted_by
            if drafter is None or world.who.known(drafter):
                continue
            model = world.who.model(drafter)
            if not drafter.strip():
                message = "`drafted_by` is blank: the model is not named."
            elif model is None:
                message = f"`{drafter}` drafted the label and is not in truth/people.yaml."
            elif "draft" not in model.may:
                message = f"`{drafter}` drafted the label; {model.name} may not draft."
            else:
                continue
            hint = "add it to `models` in truth/people.yaml with `may: [draft]`"
            yield at(judged, "/drafted_by", message, hint)


class PEO005(Rule):
    """One spelling names two models.

    Whether drafter, candidate and judge are different models could no longer be told.

    Remove the spelling from one of them.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Names and spellings that two entries share, route prefixes and case aside."""
        file = world.repository.people
        first: dict[str, int] = {}
        for index, model in enumerate(file.model.models):
            places = [(f"/models/{index}/name", model.name)]
            places += [
                (f"/models/{index}/spellings/{n}", text) for n, text in enumerate(model.spellings)
            ]
            for pointer, spelling in places:
                stripped = world.who.stripped(spelling)
                if first.setdefault(stripped, index) != index:
                    other = file.model.models[first[stripped]].name
                    message = f"`{spelling}` names {model.name} and {other}."
                    yield in_yaml(file, pointer, message, "remove it from one of them")


class PEO006(Rule):
    """A role ends before it begins.

    The person never had it, so every label under it is refused.

    Correct one of the two days.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Terms whose `until` is not after `from`."""
        file = world.repository.people
        for handle, person in file.model.people.items():
            for index, term in enumerate(person.roles):
                if term.until is not None and term.until <= term.since:
                    yield in_yaml(
                        file,
                        f"/people/{escape(handle)}/roles/{index}/until",
                        f"{handle} is {term.role} from {term.since} until {term.until}.",
                        "`until` is the first day on which the role no longer holds",
                    )
