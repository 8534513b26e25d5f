"""The whole review of a range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from assay import __version__
from assay.checks.runner import check_world
from assay.errors import UsageError
from assay.files.canonical import digest
from assay.ledger.editing import nearest
from assay.ledger.history import touched_by, uncommitted
from assay.ledger.layout import CAMPAIGNS, CASES, PARAMS, RECORDS, RESULTS, RUNS, TRUTH, record_key
from assay.ledger.paths import kind_of
from assay.models.finding import SEVERITIES, Finding
from assay.models.review import Class, Declared, Redacted, Review, Sides, State
from assay.pipeline.reviewing.proving import proofs
from assay.pipeline.reviewing.ranges import Range, range_of
from assay.pipeline.reviewing.scoring import pairs, score_both
from assay.pipeline.reviewing.views import Brought, brought, folder_of
from assay.reviewing.cases import Known, case_reviews
from assay.reviewing.classes import gravest
from assay.reviewing.coverage import coverage, exclusion_changes
from assay.reviewing.impact import impacts
from assay.reviewing.others import other_changes
from assay.reviewing.suspects import suspects

_WRONG: Sequence[str] = ("error",)


def review(
    root: Path,
    text: str | None = None,
    *,
    today: str | None = None,
    approved: Collection[str] = (),
    by_git: bool = True,
) -> Review:
    """What a range changes in meaning, and what that does to every score.

    Args:
        root: the repository; nothing is written to it.
        text: ``BASE..HEAD``, ``BASE``, or none for what was changed since the main branch.
        today: the day to judge both sides at; else each at its own.
        approved: handles whose approval the forge has recorded.
        by_git: whether git's author stands for a signature; not where a forge is asked.

    Raises:
        RefusedError: git cannot tell what is asked.
        UsageError: no such commit.
    """
    found = range_of(root, text)
    with folder_of(root, found.origin) as first, folder_of(root, found.head) as second:
        base, head = brought(first, today), brought(second, today)
        _all_known(approved, head)
        return _Reviewing(root, found, second, base, head, today, approved, by_git).review()


def _all_known(handles: Collection[str], head: Brought) -> None:
    people = head.side.world.repository.people.model.people
    for handle in handles:
        if handle not in people:
            raise UsageError(f"Nobody is called `{handle}`.", hint=nearest(handle, people))


class _Reviewing:
    def __init__(
        self,
        root: Path,
        found: Range,
        folder: Path,
        base: Brought,
        head: Brought,
        today: str | None,
        approved: Collection[str],
        by_git: bool,
    ) -> None:
        self.root, self.found, self.folder = root, found, folder
        self.base, self.head = base, head
        self.today, self.approved, self.by_git = today, approved, by_git
        self.notes: list[str] = []
        self.added = found.step.added
        self.changed = {change.path for change in found.step.changes}

    def review(self) -> Review:
        base, head = self.base.side, self.head.side
        repository = head.world.repository
        proved = proofs(
            self.root,
            self.found,
            self.folder,
            base.world.repository,
            {stored.path: stored.data for stored in repository.records},
        )
        covered = {path: proof.declared.id for proof in proved for path in proof.paths}
        moved: dict[str, tuple[str, ...]] = {}
        runs, flips = impacts(())
        blocked = [
            f"The {name} cannot be scored: {side.blocked}"
            for name, side in (("base", self.base), ("head", self.head))
            if side.blocked
        ]
        self.notes += blocked
        if not blocked:
            matched = pairs(base, head)
            moved = {name: pair.moved for name, pair in matched.items()}
            runs, flips = impacts(score_both(self.folder, matched))
        counted = Counter(flip.case_id for flip in flips)
        known = Known(self._authors(), frozenset(self.approved), covered, counted)
        cases, folded = case_reviews(base, head, self.added, known)
        new = {key.case_id for path in self.added if (key := record_key(path)) is not None}
        suspected, more = suspects(base, head, sorted(new))
        excluded = exclusion_changes(base, head)
        kinds: list[Class] = [case.kind for case in cases]
        if any(moved.values()):
            kinds.append("breaks_comparison")
        if flips or excluded or any(run.rate != run.rate_before for run in runs):
            kinds.append("moves_scores")
        declared = tuple(
            folded[proof.declared.id].of(proof.declared)
            if proof.declared.id in folded
            else proof.declared
            for proof in proved
        )
        kinds += [kind for change in declared for kind in change.kinds]
        findings, elsewhere = self._findings(new)
        awaited = any(rev.awaited for case in cases for rev in case.revisions)
        awaited = awaited or any(change.awaited for change in declared)
        redacted = self._redacted()
        awaited = awaited or any(item.awaited for item in redacted)
        return Review(
            state=_state(findings, declared, awaited),
            kind=gravest(kinds),
            sides=self._sides(),
            cases=cases,
            others=other_changes(base.world.repository, repository),
            coverage=coverage(base, head, moved),
            exclusions=excluded,
            runs=runs,
            flips=flips,
            declared=declared,
            suspects=suspected,
            more_suspects=more,
            findings=findings,
            elsewhere=elsewhere,
            revisions=sum(record_key(path) is not None for path in self.added),
            redacted=redacted,
            files=self._files(),
            notes=tuple(self.notes),
        )

    def _sides(self) -> Sides:
        command = self.found.command
        if self.today is not None:
            command += f" --today {self.today}"
        command += "".join(f" --approved {handle}" for handle in sorted(set(self.approved)))
        return Sides(
            base=self.found.base,
            origin=self.found.origin,
            head=self.found.head,
            today_before=self.base.side.world.today,
            today=self.head.side.world.today,
            engine=__version__,
            command=command,
        )

    def _authors(self) -> dict[str, str]:
        """Path to its author, where one person of the base's ``people.yaml`` made all of it."""
        if not self.by_git:
            return {}
        # Who is who is read from the base: a pull request must not say so of itself.
        who = self.base.side.world.who
        touched = touched_by(self.root, self.found.origin, self.found.head or "HEAD", RECORDS)
        loose = set(uncommitted(self.root, [RECORDS])) if self.found.head is None else set()
        found = {}
        for path in sorted(touched.keys() - loose):
            handles = {who.handle_of(mail) for mail in touched[path]}
            handle = handles.pop() if len(handles) == 1 else None
            if handle is not None:
                found[path] = handle
        return found

    def _findings(self, new: Collection[str]) -> tuple[tuple[Finding, ...], int]:
        """What the rules say about what changed, the gravest first; errors about the rest."""
        about = {*self.added, *self.changed}
        world = replace(self.head.side.world, history=self.found.history)
        history = check_world(world, select=("HIS*",)).findings
        before = {_key(finding) for finding in self.base.side.report.findings}
        chosen = list(history)
        elsewhere = 0
        for finding in self.head.side.report.findings:
            mine = finding.path in about or finding.case_id in new
            if mine or _key(finding) not in before:
                chosen.append(finding)
            elif finding.severity in _WRONG:
                elsewhere += 1
        chosen.sort(key=lambda f: (SEVERITIES.index(f.severity), f.path, f.code, f.message))
        return tuple(dict.fromkeys(chosen)), elsewhere

    def _redacted(self) -> tuple[Redacted, ...]:
        """Tombstones that take the place of merged revisions."""
        found = []
        for stored in self.head.side.world.repository.records:
            record = stored.record
            if record.redacted is None or stored.path not in self.changed:
                continue
            people = sorted(set(record.redacted.approved_by) - set(self.approved))
            found.append(
                Redacted(
                    path=stored.path,
                    case_id=record.case_id,
                    revision=record.revision,
                    why=record.redacted.why,
                    awaited=tuple(people),
                )
            )
        return tuple(sorted(found, key=lambda item: item.path))

    def _files(self) -> dict[str, int]:
        counts = Counter(_kind(path) for path in {*self.added, *self.changed})
        return dict(sorted(counts.items()))


def _key(finding: Finding) -> str:
    return digest([finding.code, finding.path, finding.pointer, finding.case_id, finding.message])


def _state(findings: Sequence[Finding], declared: Sequence[Declared], awaited: bool) -> State:
    if any(f.severity in _WRONG for f in findings) or not all(d.proved for d in declared):
        return "wrong"
    return "waiting" if awaited else "ready"


_KINDS = (
    (f"{RECORDS}/", "records"),
    (f"{CAMPAIGNS}/", "campaigns"),
    (f"{TRUTH}/", "catalogues"),
    (f"{CASES}/", "cases"),
    (f"{RUNS}/", "runs"),
    (f"{RESULTS}/", "results"),
    (PARAMS, "parameters"),
)


def _kind(path: str) -> str:
    for prefix, kind in _KINDS:
        if path.startswith(prefix):
            return kind
    return "code" if kind_of(path) == "code" else "others"
