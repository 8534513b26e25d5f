"""One case of a result: its record, the clauses it rests on, and the people behind it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import RefusedError, UsageError
from assay.ledger import history
from assay.ledger.editing import nearest
from assay.ledger.hashes import content_hash
from assay.ledger.history import Commit
from assay.ledger.layout import TRUTH, record_path
from assay.ledger.people import PeopleIndex
from assay.ledger.policy_texts import cited_clauses, load_policy_texts
from assay.ledger.records import StoredRecord
from assay.ledger.repository import Repository
from assay.models.catalog import PolicyVersion
from assay.models.result import CaseResult, Result
from assay.models.truth import TruthRecord
from assay.pipeline.direct import Scored
from assay.reporting.trace import CaseTrace, Clause, Part, Revision, Signature


def case_trace(
    repository: Repository,
    result: Result,
    lines: Sequence[CaseResult],
    now: Scored | None,
    case_id: str,
) -> tuple[CaseTrace, list[str]]:
    """One case of a result, and what of it cannot be proved.

    Args:
        repository: where its record lies.
        result: what is traced.
        lines: every case and trial behind it.
        now: the run scored again here.
        case_id: the case.

    Raises:
        UsageError: the result has no such case.
        RefusedError: it may have it, and no line says so.
    """
    mine = [line for line in lines if line.case_id == case_id]
    excluded = next((item for item in result.excluded if item.case_id == case_id), None)
    if not mine and excluded is None:
        known = sorted({line.case_id for line in lines} | {e.case_id for e in result.excluded})
        if not lines:
            raise RefusedError("The lines of this result are not here.", hint="./scripts/repro")
        raise UsageError(
            f"Result {result.id} has no case `{case_id}`.", hint=nearest(case_id, tuple(known))
        )
    stored = repository.revisions.get(case_id, ())
    counting = next(
        (line.revision for line in (now.lines if now else ()) if line.case_id == case_id), None
    )
    wanted = mine[0].revision if mine else None
    used = next((item for item in stored if item.revision == wanted), None)
    if used is None and wanted is None and stored:
        used = stored[-1]  # Not scored: what the latest revision says is what there is.
    brought = {item.path: history.added_by(repository.root, item.path) for item in stored}
    record = used.record if used else None
    signatures = _signatures(
        repository, record, result.today, brought.get(used.path) if used else None
    )
    found = CaseTrace(
        case_id=case_id,
        lines=tuple(mine),
        excluded=excluded,
        content=_content(repository, mine, used, result.context.suite, case_id),
        revisions=tuple(
            _revision(repository.who, item, brought[item.path], wanted, counting) for item in stored
        ),
        clauses=_clauses(repository, record.clauses if record else ()),
        signatures=signatures,
        trace_ids=_trace_ids(now, case_id),
    )
    return found, _doubts(found, result, wanted, used)


def _content(
    repository: Repository,
    lines: Sequence[CaseResult],
    used: StoredRecord | None,
    suite: str,
    case_id: str,
) -> Part | None:
    if not lines:
        return None
    path = record_path(suite, case_id, lines[0].revision)
    now = content_hash(used.record, repository.names) if used is not None else None
    return Part("content_hash", f"what decides a verdict in {path}", lines[0].content_hash, now)


def _revision(
    who: PeopleIndex,
    stored: StoredRecord,
    commit: Commit | None,
    used: int | None,
    counting: int | None,
) -> Revision:
    record = stored.record
    return Revision(
        revision=record.revision,
        path=stored.path,
        status=record.status,
        change=record.change,
        rationale=tuple(record.rationale),
        used=record.revision == used,
        counts=record.revision == counting,
        commit=commit.id if commit else None,
        day=commit.day if commit else None,
        author=_author(who, commit) if commit else None,
    )


def _author(who: PeopleIndex, commit: Commit) -> str:
    return who.handle_of(commit.mail) or commit.author


def _clauses(repository: Repository, citations: Sequence[str]) -> tuple[Clause, ...]:
    policies = repository.policies.model
    words = cited_clauses(repository.root, policies, citations)
    texts = load_policy_texts(repository.root, policies)
    versions: dict[str, PolicyVersion] = {
        entry.version: entry for family in policies.families.values() for entry in family.versions
    }
    found: list[Clause] = []
    for citation in citations:
        version = citation.partition("#")[0]
        entry, text = versions.get(version), texts.get(version)
        whole = None
        if entry is not None and entry.digest is not None:
            whole = text is not None and text.digest == entry.digest
        path = f"{TRUTH}/{entry.file}" if entry is not None and entry.file else ""
        found.append(Clause(citation, path, words.get(citation, ""), whole))
    return tuple(found)


def _signatures(
    repository: Repository, record: TruthRecord | None, today: str, commit: Commit | None
) -> tuple[Signature, ...]:
    if record is None:
        return ()
    who = repository.who
    days = [*dict.fromkeys(day for day in (record.as_of, today) if day)]
    author = who.handle_of(commit.mail) if commit else None
    found: list[Signature] = []
    named = [("labeler", handle) for handle in record.labelers]
    named += [("adjudicator", record.adjudicator)] if record.adjudicator else []
    for part, handle in named:
        roles = {day: who.roles_on(handle, day) for day in days}
        proof = "claimed in the record, not proved"
        if commit is not None and author == handle:
            proof = f"proved as far as git is: committed {commit.id[:12]} on {commit.day}"
        found.append(Signature(handle, part, roles, proof))  # type: ignore[arg-type]
    if record.drafted_by:
        found.append(Signature(record.drafted_by, "drafter", {}, "claimed in the record"))
    return tuple(found)


def _trace_ids(now: Scored | None, case_id: str) -> tuple[str, ...]:
    observed = now.observed if now else ()
    return tuple(o.trace_id for o in observed if o.case_id == case_id and o.trace_id)


def _doubts(
    found: CaseTrace, result: Result, wanted: int | None, used: StoredRecord | None
) -> list[str]:
    doubts: list[str] = []
    if wanted is not None and used is None:
        doubts.append(
            f"Revision {wanted} of {found.case_id} is not here:"
            f" {record_path(result.context.suite, found.case_id, wanted)}."
        )
    if found.excluded is None and not found.clauses and used is not None:
        doubts.append(f"The record of {found.case_id} cites no clause: only its rationale speaks.")
    doubts += [
        f"The text of {clause.path} is not the one that was reviewed: its digest differs."
        for clause in found.clauses
        if clause.whole is False
    ]
    claimed = [s.handle for s in found.signatures if not s.proof.startswith("proved")]
    if claimed:
        doubts.append(
            f"Nothing here proves that {', '.join(dict.fromkeys(claimed))} signed; the record says"
            " so."
        )
    return doubts
