"""What a record must hold before anybody looks at whether it is right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from assay.checks.rule import Found, Rule, at
from assay.checks.world import World
from assay.models.truth import Component, TruthRecord


class REC004(Rule):
    """Gold needs two different labelers and an adjudicator who is neither.

    One person's answer is an opinion; without independent labels nobody knows whether the task
    is well defined.

    Name them, or make the record silver.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Gold revisions without two labelers and an adjudicator."""
        for judged in world.scorable:
            record = judged.record
            if record.status != "gold":
                continue
            different = set(record.labelers)
            if len(different) < 2:
                given = ", ".join(record.labelers) or "nobody"
                yield at(
                    judged,
                    "/labelers",
                    f"Gold needs two different labelers; given: {given}.",
                    'name a second person in `labelers`, or write "status": "silver"',
                )
            if record.adjudicator is None:
                yield at(
                    judged,
                    "/adjudicator",
                    "Gold needs an adjudicator.",
                    'add `adjudicator`, or write "status": "silver"',
                )
            elif record.adjudicator in different:
                yield at(
                    judged,
                    "/adjudicator",
                    f"The adjudicator {record.adjudicator} is also a labeler.",
                    "name somebody who did not label the case",
                )


class REC005(Rule):
    """There is nothing to score: no answer, fact, criterion, state, plan or result.

    Tool lists alone say what an agent does and not what comes of it.

    Add what a right outcome looks like.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Live revisions without an expectation of the outcome."""
        for judged in world.live():
            record = judged.record
            if not (
                record.facts
                or record.acceptable_answers
                or record.state
                or record.rubric
                or record.plan is not None
                or record.final_out is not None
            ):
                yield at(
                    judged,
                    "",
                    "No acceptable answer, fact, criterion, state, plan or final_out.",
                    "add `facts` with what a right answer states",
                )


def criteria(record: TruthRecord) -> dict[Component, str]:
    """Components that have criteria, each with the pointer to its first field that has some."""
    fields: Mapping[Component, tuple[str, ...]] = {
        "trajectory": ("required_tools", "forbidden_tools", "max_calls"),
        "outcome": ("acceptable_answers", "facts", "must_not_state", "final_out"),
        "rubric": ("rubric",),
        "state": ("state",),
    }
    found: dict[Component, str] = {}
    for component, names in fields.items():
        for name in names:
            if getattr(record, name) not in (None, (), {}):
                found[component] = f"/{name}"
                break
    if "trajectory" not in found and record.order == "plan" and record.plan is not None:
        found["trajectory"] = "/plan"
    return found


class REC006(Rule):
    """A component is listed for the score and has no criteria, or `state` is empty.

    An empty list would count as fulfilled by every run.

    Add the criteria, or take the component out.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Empty `state`, an empty score basis, and components without criteria in it."""
        for judged in world.live():
            record = judged.record
            if record.state == ():
                yield at(
                    judged, "/state", "`state` is empty.", "say what must hold, or remove `state`"
                )
            if record.score_basis is None:
                continue
            if not record.score_basis:
                yield at(judged, "/score_basis", "`score_basis` is empty.", "remove `score_basis`")
            present = criteria(record)
            for index, component in enumerate(record.score_basis):
                if component not in present and (component != "state" or record.state is None):
                    yield at(
                        judged,
                        f"/score_basis/{index}",
                        f"`{component}` is in the score basis and has no criteria.",
                        f"add criteria, or take `{component}` out of `score_basis`",
                    )


class REC007(Rule):
    """Criteria stand outside the score basis.

    They are shown and decide nothing, which may not be what was meant.

    Add the component to `score_basis`, or leave it as it is.
    """

    severity = "note"

    def find(self, world: World) -> Iterable[Found]:
        """Components with criteria that the score basis does not list."""
        for judged in world.live():
            basis = judged.record.score_basis
            if basis is None:
                continue
            for component, pointer in criteria(judged.record).items():
                if component not in basis:
                    yield at(
                        judged,
                        pointer,
                        f"`{component}` has criteria and is not in the score basis.",
                        f"add `{component}` to `score_basis` if it should decide",
                    )


class REC008(Rule):
    """`expires` is not after `as_of`.

    The label would have expired before it was true.

    Correct one of the two days.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Judged revisions whose days are the wrong way round."""
        for judged in world.judged:
            record = judged.record
            if record.expires and record.as_of and record.expires <= record.as_of:
                yield at(
                    judged,
                    "/expires",
                    f"`expires` ({record.expires}) is not after `as_of` ({record.as_of}).",
                    "write a later day",
                )


class REC009(Rule):
    """An id or an answer stands twice, or an answer is empty.

    Recorded verdicts and evidence refer to facts and criteria by id; an empty answer matches
    nothing.

    Rename or remove one of them.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Doubled ids, labels and answers, and empty answers."""
        for judged in world.live():
            for pointer, message, hint in _doubled(judged.record):
                yield at(judged, pointer, message, hint)


def _doubled(record: TruthRecord) -> Iterator[tuple[str, str, str]]:
    groups: list[tuple[str, Iterable[tuple[str, str]]]] = [
        (
            "Fact",
            [(f"/facts/{i}/id", fact.id) for i, fact in enumerate(record.facts)]
            + [
                (f"/must_not_state/{i}/id", fact.id) for i, fact in enumerate(record.must_not_state)
            ],
        ),
        ("Criterion", [(f"/rubric/{i}/id", item.id) for i, item in enumerate(record.rubric)]),
        (
            "Answer",
            [
                (f"/acceptable_answers/{i}", text)
                for i, text in enumerate(record.acceptable_answers)
            ],
        ),
    ]
    for i, item in enumerate(record.rubric):
        labels = [(f"/rubric/{i}/labels/{n}", text) for n, text in enumerate(item.labels)]
        groups.append(("Label", labels))
    for kind, entries in groups:
        seen: set[str] = set()
        for pointer, text in entries:
            if not text.strip():
                yield pointer, f"{kind} is empty; it matches nothing.", "write it, or remove it"
            elif text in seen:
                yield pointer, f"{kind} `{text}` stands twice.", "rename or remove one of them"
            seen.add(text)


class REC010(Rule):
    """The order is that of a plan, and the plan cannot give one.

    Without steps, or with links to steps that do not exist, nothing says what comes first.

    Correct the plan, or write another `order`.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """`order: plan` without a plan, and links whose ends do not exist."""
        for judged in world.live():
            record = judged.record
            plan = record.plan
            if record.order == "plan" and (plan is None or not plan.execution_steps):
                yield at(
                    judged,
                    "/order",
                    "`order` is `plan`, and there are no execution steps.",
                    "add `plan.execution_steps`, or write another `order`",
                )
            if plan is None:
                continue
            known = {step.name for step in plan.execution_steps}
            for index, link in enumerate(plan.execution_links):
                for end in ("source", "target"):
                    name = getattr(link, end)
                    if name not in known:
                        yield at(
                            judged,
                            f"/plan/execution_links/{index}/{end}",
                            f"No step of the plan is called `{name}`.",
                            f"known: {', '.join(sorted(known)) or 'none'}",
                        )


_WORD = re.compile(r"[^\W_]+")

VERDICT_WORDS = frozenset(
    _WORD.findall(
        "a an and answer answers are as be by correct due expected expects fail fails false for"
        " gold good is it label must no not of ok okay pass passes per right see should so that"
        " the this to true wrong yes"
    )
)
"""Words that state a verdict, or nothing."""

ENOUGH = 12
"""Letters and digits that a rationale needs beyond the verdict."""

LONG = 120
"""Characters from which on a rationale is taken to say something."""


class REC011(Rule):
    """The rationale says no more than the verdict.

    The next person to dispute the label needs the reason. Counted are the letters and digits
    of all words but those of the label's own expectations and of a short list (*the*, *answer*,
    *correct* …); twelve are asked for. Texts of 120 characters and more are not counted.

    Say what in the policy or the data makes this right.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Live revisions whose rationale adds nothing."""
        for judged in world.live():
            record = judged.record
            said = sum(len(text) for text in record.rationale)
            if said < LONG and _beyond(record) < ENOUGH:
                yield at(
                    judged,
                    "/rationale",
                    "The rationale says no more than the verdict.",
                    "say which clause or which data makes it right, and why",
                )


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _beyond(record: TruthRecord) -> int:
    known = set(VERDICT_WORDS)
    expectations = [*record.acceptable_answers, *record.forbidden_tools]
    expectations += [text for fact in record.facts for text in fact.any_of]
    expectations += [entry.tool for entry in record.required]
    for text in expectations:
        known.update(_words(text))
    return sum(len(word) for text in record.rationale for word in _words(text) if word not in known)
