"""Whether a case can be scored today: status, presence, expiry, dependence on the clock."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.checks.rule import Found, Rule, at, at_case
from assay.checks.wording import clock_words
from assay.checks.world import Judged, World
from assay.ledger.days import add_days, add_months
from assay.models.truth import SCORABLE


class STA001(Rule):
    """The status of the record that counts is not scorable.

    Only gold and silver are scored. A disputed revision hides an older gold one, so that a label
    in doubt never fails a build.

    Label a draft, settle a dispute, or leave a retired case as it is.
    """

    severity = "excludes"

    def find(self, world: World) -> Iterable[Found]:
        """Records that count as draft, disputed or retired."""
        hints = {
            "draft": 'assay revise {} --status silver --why "…"',
            "disputed": "assay truth history {}",
            "retired": "",
        }
        meanings = {
            "draft": "Draft: nobody has labelled it yet.",
            "disputed": "Disputed: the label is in doubt.",
            "retired": "Retired: the case is no longer used.",
        }
        for judged in world.judged:
            status = judged.record.status
            if judged.counts and status not in SCORABLE:
                yield at(judged, "/status", meanings[status], hints[status].format(judged.case_id))


class STA002(Rule):
    """A case has no record that counts.

    Nobody has said what is correct for it, or only from a later day on.

    Write its first record.
    """

    severity = "excludes"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Cases without a record, and cases whose records all count later."""
        # A record that cannot be read is reported as that; it must not be written anew.
        broken = {fault.case_id for fault in world.repository.faults}
        for case_id, case in world.repository.cases.items():
            if case_id in world.counting or case_id in broken or not world.looks_at(case_id):
                continue
            later = world.repository.revisions.get(case_id)
            if later:
                yield at_case(
                    case,
                    "No revision of its record counts yet.",
                    f"assay truth show {case_id}",
                )
            else:
                yield at_case(case, "The case has no record.", f"assay new {case_id}")


class STA003(Rule):
    """A record has no case.

    There is nothing to ask, so nothing can be scored.

    Add the case, or retire the record.
    """

    severity = "excludes"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Records that count and whose case does not exist."""
        broken = {fault.suite for fault in world.repository.faults if fault.case_id is None}
        for judged in world.judged:
            if judged.stored.suite in broken:
                continue  # The case may stand in the suite's file that cannot be read.
            if judged.case is None and judged.counts and judged.record.status != "retired":
                hint = f'assay retire {judged.case_id} --why "…"'
                yield at(judged, "", "The record has no case.", hint)


def renewal(judged: Judged, world: World) -> str:
    """The command that makes a label count for another half year."""
    until = add_months(world.today, 6)
    signer = judged.record.adjudicator
    signs = f"   must sign: {signer}" if signer and judged.record.status == "gold" else ""
    return f"assay renew {judged.case_id} --until {until}{signs}"


class STA004(Rule):
    """The record that counts has been redacted.

    Its content had to go, so that nobody can be judged by it.

    Write the next revision without what had to go, or retire the case.
    """

    severity = "excludes"

    def find(self, world: World) -> Iterable[Found]:
        """Tombstones that count and whose case is still in use."""
        for judged in world.judged:
            record = judged.record
            if judged.counts and record.redacted is not None and record.status in SCORABLE:
                yield at(
                    judged,
                    "/redacted",
                    f"Redacted: {record.redacted.why}",
                    f"assay revise {judged.case_id}",
                )


class EXP001(Rule):
    """The label has expired.

    What was true on `as_of` may no longer be; from the expiry day on, that day included, the
    label does not count.

    Look at it again: renew it, or write what is right now.
    """

    severity = "excludes"

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver records that count and whose `expires` has come."""
        today = world.today
        for judged in world.scorable_today:
            expires = judged.record.expires
            if expires is not None and expires <= today:
                lost = " The gate loses it." if judged.record.status == "gold" else ""
                message = f"Expired on {expires}; today is {today}.{lost}"
                yield at(judged, "/expires", message, renewal(judged, world))


class EXP002(Rule):
    """The label expires soon.

    From that day on the case is no longer scored; `params.yaml` says how early this is said.

    Renew it in time.
    """

    severity = "warning"
    needs = ("STA003", "CAS001", "POL001")

    def find(self, world: World) -> Iterable[Found]:
        """Gold and silver records that count and expire within the announced days."""
        today = world.today
        last = add_days(today, world.repository.params.model.expiry.warn_within_days)
        for judged in world.scorable_today:
            expires = judged.record.expires
            if expires is not None and today < expires <= last:
                message = f"Expires on {expires}."
                yield at(judged, "/expires", message, renewal(judged, world))


_FROZEN = re.compile(r"cassette|fixture", re.IGNORECASE)


def frozen_world(judged: Judged) -> bool:
    """Whether what the label rests on is kept: seeded state, sourced facts, recordings."""
    record = judged.record
    if judged.case is not None and judged.case.case.initial_state is not None:
        return True
    if any(fact.source is not None for fact in (*record.facts, *record.must_not_state)):
        return True
    return any(_FROZEN.search(entry) for entry in record.evidence)


class EXP003(Rule):
    """Gold that gates relies on `expires` alone.

    Nothing holds the world still in which it was true; it may be wrong long before it expires.

    Seed the state in the case, give the facts a source, or name a cassette or fixture in
    `evidence`.
    """

    severity = "warning"
    needs = ("STA003", "CAS001", "POL001")

    def find(self, world: World) -> Iterable[Found]:
        """Gold records that gate today, expire, and have no frozen world."""
        for judged in world.scorable_today:
            record = judged.record
            if record.status != "gold" or record.expires is None or judged.case is None:
                continue
            if frozen_world(judged):
                continue
            if not world.not_gating(judged):
                yield at(
                    judged,
                    "/expires",
                    "Gold that gates relies on `expires` alone; nothing holds its world still.",
                    "seed the state in the case, or name a cassette in `evidence`",
                )


class EXP004(Rule):
    """What is asked or expected depends on the clock, and no day is given.

    *Today* and *next Monday* mean another day on every reading.

    Write `as_of`; for `$relative`, write `reference_date` in ``suite.yaml``.
    """

    severity = "warning"

    def find(self, world: World) -> Iterable[Found]:
        """Live revisions with clock-dependent wording and no day for it."""
        for judged in world.live():
            suite = judged.suite
            relative = b"$relative" in judged.stored.data
            if relative and suite and suite.reference_date(judged.case_id) is None:
                yield at(
                    judged,
                    "",
                    "`$relative` is used, and the case has no `reference_date`.",
                    f"add `reference_date` to cases/{suite.name}/suite.yaml",
                )
            if judged.record.as_of is None:
                yield from _clock(judged)


def _clock(judged: Judged) -> Iterable[Found]:
    language = judged.suite.suite.language if judged.suite else "en"
    record = judged.record
    places = [(f"/acceptable_answers/{i}", t) for i, t in enumerate(record.acceptable_answers)]
    places += [
        (f"/facts/{i}/any_of/{n}", text)
        for i, fact in enumerate(record.facts)
        for n, text in enumerate(fact.any_of)
    ]
    places += [(f"/rubric/{i}/text", item.text) for i, item in enumerate(record.rubric)]
    if judged.case is not None:
        places.append(("", judged.case.case.user_text))
    for pointer, text in places:
        word = clock_words(text, language)
        if word:
            where = "label" if pointer else "case"
            yield at(
                judged,
                pointer,
                f'The {where} says "{word}", and the record has no `as_of`.',
                "add `as_of`: the day for which this is true",
            )
            return
