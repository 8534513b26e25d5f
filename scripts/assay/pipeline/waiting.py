"""What waits for one person: signatures, disputes, labels that end, campaigns, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.compiling import compile_truth
from assay.checks.expiring import expiring
from assay.checks.runner import check_world, world_of
from assay.errors import AssayError
from assay.ledger.campaigns.files import campaign_names, load_campaign
from assay.ledger.campaigns.progress import progress
from assay.ledger.changes import branch_history
from assay.ledger.days import add_days
from assay.ledger.layout import QUARANTINE, WAIVERS
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.ledger.signatures import signed_branch
from assay.models.finding import Finding
from assay.reporting.todo import KINDS, Todo, Waiting

_ELSEWHERE = ("STA001", "EXP001")
"""Reasons for which a case is not scored that have a kind of their own."""


def todo(repository: Repository, handle: str, today: str, base: str | None) -> Todo:
    """Everything that waits for one person on a day.

    Args:
        repository: what lies there.
        handle: the person.
        today: the day.
        base: the branch that this one goes into, for what is to be signed; None where there
            is none.
    """
    items: list[Waiting] = []
    notes: list[str] = []
    if base is None:
        notes.append("There is no branch `main`, so that nothing is said of signatures.")
    else:
        try:
            items += _to_sign(repository, handle, base)
        except AssayError as error:
            notes.append(f"Nothing is said of signatures: {error.message}")
    mine = frozenset(_owned(repository, handle))
    items += _to_decide(repository, handle, mine)
    items += _to_renew(repository, handle, today)
    items += _campaigns(repository, handle, today)
    items += _to_repair(repository, mine, today)
    items += _to_lift(repository, mine, today)
    items.sort(key=lambda item: (KINDS.index(item.kind), item.due or "9999", item.case_id))
    return Todo(handle, today, tuple(items), tuple(notes))


def _owned(repository: Repository, handle: str) -> Iterator[str]:
    for suite in repository.suites.values():
        yield from (case_id for case_id in suite.cases if suite.owner(case_id) == handle)


def _to_sign(repository: Repository, handle: str, base: str) -> Iterator[Waiting]:
    history = branch_history(repository.root, base)
    signed = signed_branch(repository.root, repository, history, None)
    for item in signed.revisions:
        for signature in item.signatures:
            asked = signature.role in ("adjudicator", "approver")
            if signature.handle == handle and asked and signature.state != "proved":
                key = item.key
                what = "tombstone of revision" if signature.role == "approver" else "revision"
                why = f"{what} {key.revision} on this branch names you as {signature.role}"
                command = f"assay diff {base}..HEAD"
                yield Waiting("sign", key.case_id, key.suite, why, None, command)


def _to_decide(repository: Repository, handle: str, mine: frozenset[str]) -> Iterator[Waiting]:
    for case_id, revisions in repository.revisions.items():
        last = revisions[-1].record
        if last.status == "disputed" and (case_id in mine or last.adjudicator == handle):
            why = f"disputed: {last.rationale[0]}"
            command = f"assay truth history {case_id}"
            yield Waiting("decide", case_id, revisions[-1].suite, why, None, command)


def _to_renew(repository: Repository, handle: str, today: str) -> Iterator[Waiting]:
    until = add_days(today, repository.params.model.expiry.warn_within_days)
    for ending in expiring(repository, today, until, owner=handle, forecast=False).endings:
        why = f"{'expired' if ending.expired else 'expires'} on {ending.expires}"
        command = f"assay renew {ending.case_id} --until 6m"
        yield Waiting("renew", ending.case_id, ending.suite, why, ending.expires, command)


def _campaigns(repository: Repository, handle: str, today: str) -> Iterator[Waiting]:
    for name in campaign_names(repository.root):
        stored = load_campaign(repository.root, name)
        late = ", late" if today > stored.campaign.due else ""
        for item in progress(repository, stored):
            case = item.case
            if case.owner != handle or item.state not in ("open", "silver"):
                continue
            why = f"campaign {name}: {item.state}, due {stored.campaign.due}{late}"
            version = stored.campaign.policy
            command = f"assay revise {case.case_id} --change policy --policy {version}"
            if item.state == "silver":
                command = f"assay truth show {case.case_id}"
            yield Waiting("campaign", case.case_id, case.suite, why, stored.campaign.due, command)


def _to_repair(repository: Repository, mine: frozenset[str], today: str) -> Iterator[Waiting]:
    """Cases that this person answers for and that cannot be scored for a reason of their own."""
    world = world_of(repository, today=today)
    report = check_world(world)
    compiled = compile_truth(world, report)
    first: dict[tuple[str, str], Finding] = {}
    for finding in report.findings:
        if finding.case_id is not None:
            first.setdefault((finding.case_id, finding.code), finding)
    for case_id in sorted(mine):
        entry = compiled.entry(case_id)
        if entry is None:
            continue
        record = entry.record
        if record is not None and record.status == "draft":
            hint = f'assay revise {case_id} --status silver --why "…"'
            yield Waiting("label", case_id, entry.suite, "a draft: not labelled yet", None, hint)
            continue
        if record is not None and record.status in ("disputed", "retired"):
            continue
        for item in entry.exclusions:
            found = first.get((case_id, item.code))
            if item.code in _ELSEWHERE:
                continue
            command = found.hint if found is not None else f"assay check --only {case_id}"
            yield Waiting(
                "repair", case_id, entry.suite, f"{item.code}: {item.reason}", None, command
            )


def _to_lift(repository: Repository, mine: frozenset[str], today: str) -> Iterator[Waiting]:
    last = add_days(today, repository.params.model.expiry.warn_within_days)
    entries = [
        *((entry.case, entry.until, f"waiver of {entry.code}", WAIVERS)
          for entry in repository.waivers.model.waivers),
        *((entry.case, entry.until, "quarantine", QUARANTINE)
          for entry in repository.quarantine.model.quarantine),
    ]  # fmt: skip
    for case_id, until, what, path in entries:
        if case_id in mine and until <= last:
            suite = _suite(repository.revisions.get(case_id, ()))
            yield Waiting(
                "lift", case_id, suite, f"{what} ends on {until}", until, f"{path}: remove it"
            )


def _suite(revisions: tuple[StoredRecord, ...]) -> str:
    return revisions[-1].suite if revisions else ""
