"""The search: every commit that moved the score, or the one that flipped the verdict of a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from assay.errors import AssayError, RefusedError
from assay.ledger import history
from assay.ledger.past import DATA
from assay.ledger.people import PeopleIndex
from assay.pipeline.bisecting.states import State, States, flips
from assay.pipeline.bisecting.steps import CODE, Step, author, changes, touches, walk
from assay.reporting.bisection import Bisection, Blind, Move

MOST = 250
"""How many commits are scored at most, unless told otherwise."""

LINEAR = 24
"""So many commits are looked at one by one, though one case could be found with fewer."""

Say = Callable[[int, int, str], None]
"""Takes how many of how many commits were looked at, and the one that comes next."""


@dataclass(frozen=True)
class Question:
    """What is asked."""

    suite: str
    """The suite."""
    run: str
    """Name of the run."""
    file: Path
    """Its file."""
    case_id: str | None = None
    """The case whose verdict is followed; the score of the whole run where absent."""
    good: str | None = None
    """Where to begin; the first commit that has the suite where absent."""
    bad: str | None = None
    """Where to end; HEAD where absent."""
    most: int = MOST
    """How many commits are scored at most."""


def bisect(
    root: Path, question: Question, who: PeopleIndex, say: Say = lambda done, of, name: None
) -> Bisection:
    """Which commits moved a score. Writes nothing into the repository.

    Args:
        root: the benchmark repository.
        question: what is asked.
        who: turns mail addresses into handles.
        say: takes progress.

    Raises:
        RefusedError: no history, a shallow one, or too many commits to look at.
        UsageError: a commit that does not exist, or does not lead to the other.
    """
    line = walk(root, question.suite, question.good, question.bad)
    steps = [line[0], *(step for step in line[1:] if step.relevant)]
    if question.case_id is not None:
        case_id = question.case_id
        steps = [steps[0], *(step for step in steps[1:] if touches(step, case_id))]
    searched = question.case_id is not None and len(steps) > LINEAR
    if not searched and len(steps) > question.most:
        raise RefusedError(
            f"{len(steps)} commits touch what decides a score; at most {question.most} are scored.",
            hint=f"--good {steps[-question.most].commit.short}, or --case CASE, or --most"
            f" {len(steps)}",
        )
    with States(root, question.file, question.suite) as states:
        search = _Search(root, question, who, say, states, steps)
        moves = search.by_halves() if searched else search.one_by_one()
        first, last = search.state(0), search.state(len(steps) - 1)
        remarks = search.remarks
    dirty = history.uncommitted(root, (*DATA, CODE))
    if dirty and question.bad is None:
        remarks.append(
            f"Not looked at: what is not committed, {dirty[0]}"
            + (f" and {len(dirty) - 1} more." if len(dirty) > 1 else ".")
        )
    return Bisection(
        suite=question.suite,
        run=question.run,
        case_id=question.case_id,
        first=line[0].commit.id,
        last=line[-1].commit.id,
        commits=len(line),
        relevant=len(steps),
        looked_at=len(states.scored),
        start=first.snapshot.standing if first.snapshot else None,
        end=last.snapshot.standing if last.snapshot else None,
        moves=tuple(moves),
        blind=tuple(search.blind[index] for index in sorted(search.blind)),
        remarks=tuple(remarks),
    )


class _Search:
    def __init__(
        self,
        root: Path,
        question: Question,
        who: PeopleIndex,
        say: Say,
        states: States,
        steps: list[Step],
    ) -> None:
        self.root, self.question, self.who, self.say = root, question, who, say
        self.states, self.steps = states, steps
        self.known: dict[int, State] = {}
        self.blind: dict[int, Blind] = {}
        self.remarks: list[str] = []

    def state(self, index: int) -> State:
        """The run at a step."""
        if index not in self.known:
            commit = self.steps[index].commit
            self.say(len(self.known), len(self.steps), commit.short)
            state = self.known[index] = self.states.at(self.steps[index])
            if state.snapshot is None:
                self.blind[index] = _blind(self.steps[index], "score", state.reason)
        return self.known[index]

    # -- every step ---------------------------------------------------------------------

    def one_by_one(self) -> list[Move]:
        """Every step, compared with the one before it."""
        moves: list[Move] = []
        unseen: list[str] = []
        last: int | None = None
        for index, step in enumerate(self.steps):
            if self.state(index).snapshot is None:
                unseen.append(step.commit.id)
                continue
            move = None if last is None else self.move(last, index, tuple(unseen))
            if move is not None:
                moves.append(move)
            last, unseen = index, []
        return moves

    def move(self, before: int, after: int, unseen: tuple[str, ...] = ()) -> Move | None:
        """What a step moved; none where nothing did, or nobody can say."""
        old, new = self.state(before), self.state(after)
        step = self.steps[after]
        if old.snapshot is None or new.snapshot is None:
            return None
        left, right, halfway, borrowed = old.snapshot, new.snapshot, None, bool(new.code_reason)
        other_code = self.states.code_key(self.steps[before]) != self.states.code_key(step)
        if other_code and (old.code_reason or new.code_reason):
            # Two codes of which one does not run here: what the change of code did is unknown,
            # and what the data did can only be seen under one code that runs.
            reason = new.code_reason or old.code_reason
            self.blind[after] = _blind(step, "scorer", f"the code does not run here: {reason}")
            try:
                left = self.states.under_todays_code(self.steps[before])
                right = self.states.under_todays_code(step)
            except AssayError:
                return None
            borrowed = True
        elif other_code and step.data:
            try:
                halfway = self.states.mixed(step, self.steps[before]).standing
            except AssayError:
                halfway = None
        found = flips(left.verdicts, right.verdicts, self.question.case_id)
        same = left.standing.rate == right.standing.rate
        if not found and (same or self.question.case_id is not None):
            return None
        return Move(
            commit=step.commit.id,
            day=step.commit.day,
            author=author(step, self.who),
            subject=step.commit.subject,
            changes=tuple(changes(self.root, step, self.question.suite)),
            before=left.standing,
            after=right.standing,
            flips=tuple(found),
            halfway=halfway,
            not_own_code=borrowed,
            unseen=unseen,
        )

    # -- one case, by halves ------------------------------------------------------------

    def by_halves(self) -> list[Move]:
        """Steps at which the verdict flips, found by halving.

        Between two steps with the same verdict nothing is looked for beyond a few samples, and
        that is said: a verdict that flipped and flipped back may lie there.
        """
        last = len(self.steps) - 1
        marks = sorted({0, last, *(last * part // 4 for part in (1, 2, 3))})
        for left, right in pairwise(marks):
            self._narrow(left, right)
        # A verdict may flip across commits that nobody can score, as in `one_by_one`.
        visible = [index for index, state in sorted(self.known.items()) if state.snapshot]
        moves: list[Move] = []
        for left, right in pairwise(visible):
            if self._verdict(left) != self._verdict(right):
                unseen = tuple(step.commit.id for step in self.steps[left + 1 : right])
                move = self.move(left, right, unseen)
                moves += [move] if move is not None else []
        seen = len(self.known)
        if len(moves) > 1:
            self.remarks.append(
                f"The verdict flipped {len(moves)} times; more flips may hide between commits that"
                " were not looked at."
            )
        self.remarks.append(
            f"Searched by halves: {seen} of {len(self.steps)} commits were scored. A verdict that"
            " flipped and flipped back between two of them is not seen; narrow it with --good and"
            " --bad."
        )
        return moves

    def _narrow(self, left: int, right: int) -> None:
        """Score what lies between, until each change of verdict is between neighbours."""
        if self._verdict(left) == self._verdict(right) or right - left == 1:
            return
        middle = (left + right) // 2
        self._narrow(left, middle)
        self._narrow(middle, right)

    def _verdict(self, index: int) -> object:
        state = self.state(index)
        if state.snapshot is None:
            return None
        verdicts = state.snapshot.verdicts.items()
        return [v for (case, _), v in sorted(verdicts, key=str) if case == self.question.case_id]


def _blind(step: Step, what: Literal["scorer", "score"], reason: str) -> Blind:
    commit = step.commit
    return Blind(commit.id, commit.day, commit.subject, what, reason)
