"""Revisions: finished files, numbers without gaps, the chain from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule, at
from assay.checks.world import Judged, World
from assay.files.model_text import model_text
from assay.ledger.hashes import content_hash
from assay.ledger.layout import record_key, record_path
from assay.ledger.records import StoredRecord


class REC001(Rule):
    """A revision file is unfinished.

    What is derived is missing (`case_digest`, `supersedes`), or the file is not in the one form
    that `assay fmt` writes; two people who write the same record would then differ, and nobody
    could tell which case the label was written for.

    Type `assay fmt` with the path; it changes nothing that you have written.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Judged revision files that `assay fmt` would change."""
        for judged in world.judged:
            stored = judged.stored
            if not stored.suite:
                continue
            open_points = list(_open_points(judged))
            if open_points:
                message = f"Unfinished: {'; '.join(open_points)}."
                yield at(judged, "", message, f"assay fmt {stored.path}")


def _open_points(judged: Judged) -> Iterator[str]:
    stored, record = judged.stored, judged.stored.record
    missing = []
    if record.supersedes is None and record.revision > 1:
        missing.append("`supersedes`")
    if record.case_digest is None and judged.case is not None:
        missing.append("`case_digest`")
    if missing:
        yield f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    text = model_text(record)
    if stored.data == text.encode("utf-8", "surrogatepass"):
        return
    if stored.has_bom:
        yield "the file begins with a byte order mark"
    if stored.has_crlf:
        yield "lines end in CRLF"
    if stored.text != text:
        yield "the file is not in canonical form"


class REC002(Rule):
    """A revision is missing, stands twice, or stands before an earlier one.

    Revisions are 1, 2, 3 … without gaps. Two lines with one number are what a merge by lines
    leaves behind, and nobody can say which of them counts.

    Give yours the next number, in the file and in its name.
    """

    severity = "error"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Gaps and doubles of every case, and what is out of order in interchange files."""
        unreadable = {
            (key.case_id, key.revision)
            for fault in world.repository.faults
            if (key := record_key(fault.path)) is not None
        }
        for case_id, revisions in world.repository.revisions.items():
            if len(revisions) == 1 and revisions[0].revision == 1:
                continue
            if world.looks_at(case_id):
                yield from _doubles(revisions)
                yield from _gaps(revisions, unreadable)
        yield from _disorder(world)


def _found(stored: StoredRecord, pointer: str, message: str, hint: str) -> Found:
    line, column = stored.place(pointer)
    suite = stored.suite or None
    return Found(message, hint, stored.path, line, column, pointer, stored.case_id, suite)


def _where(stored: StoredRecord) -> str:
    return stored.path if stored.suite else f"{stored.path}:{stored.line}"


def _doubles(revisions: tuple[StoredRecord, ...]) -> Iterator[Found]:
    first: dict[tuple[str, int], StoredRecord] = {}
    for stored in revisions:
        # The same case in two suites' folders is REC012, which says what to do about it.
        other = first.setdefault((stored.suite, stored.revision), stored)
        if other is not stored:
            content = "the same" if other.record == stored.record else "other"
            yield _found(
                stored,
                "/revision",
                f"Revision {stored.revision} of {stored.case_id} stands twice, with {content}"
                f" content: {_where(other)} and {_where(stored)}.",
                "remove this line" if content == "the same" else "give yours the next number",
            )


def _gaps(revisions: tuple[StoredRecord, ...], unreadable: set[tuple[str, int]]) -> Iterator[Found]:
    before = 0
    for stored in revisions:
        missing = [
            number
            for number in range(before + 1, min(stored.revision, before + 1000))
            if (stored.case_id, number) not in unreadable
        ]
        if missing:
            shown = ", ".join(map(str, missing[:3])) + (" …" if len(missing) > 3 else "")
            yield _found(
                stored,
                "/revision",
                f"Revision {shown} of {stored.case_id} is missing before revision"
                f" {stored.revision}.",
                f"call this one revision {before + 1}, in the file and in its name",
            )
        before = stored.revision


def _disorder(world: World) -> Iterator[Found]:
    last: dict[tuple[str, str], StoredRecord] = {}
    for stored in world.repository.records:
        if stored.suite or not world.looks_at(stored.case_id):
            continue
        key = (stored.path, stored.case_id)
        before = last.get(key)
        if before is not None and stored.revision < before.revision:
            yield _found(
                stored,
                "/revision",
                f"Revision {stored.revision} of {stored.case_id} stands after revision"
                f" {before.revision}, which is on line {before.line}; the latest is still"
                f" {before.revision}.",
                "put the lines into the order of their revisions",
            )
        else:
            last[key] = stored


class REC003(Rule):
    """`supersedes` is not the content hash of the revision before.

    It ties a revision to what its author saw; a wrong one says that the revision before was
    edited in place, or that this revision answers another one.

    Look at what changed in the revision before; if this revision is right, write the hash in
    the hint.
    """

    severity = "error"

    def find(self, world: World) -> Iterable[Found]:
        """Judged revisions that name another predecessor."""
        for judged in world.judged:
            record = judged.record
            if record.supersedes is None:
                continue
            before = _before(world, judged)
            if record.revision == 1:
                yield at(judged, "/supersedes", "Revision 1 supersedes nothing.", "remove it")
            elif before is not None:
                written = content_hash(before.record)
                # Before a later rename was known, the hash was that of the older names.
                if record.supersedes not in (written, content_hash(before.record, world.names)):
                    yield at(
                        judged,
                        "/supersedes",
                        f"`supersedes` is {record.supersedes[:12]}…, and the content hash of"
                        f" revision {before.revision} is {written[:12]}….",
                        f'write "supersedes": "{written}"',
                    )


def _before(world: World, judged: Judged) -> StoredRecord | None:
    for stored in world.repository.revisions[judged.case_id]:
        if stored.revision == judged.record.revision - 1:
            return stored
    return None


class REC012(Rule):
    """A record lies in the folder of another suite than its case.

    It would be counted in one suite and scored in the other, or stand in two at once.

    Move the file to the suite of the case.
    """

    severity = "error"
    scope = "case"

    def find(self, world: World) -> Iterable[Found]:
        """Revision files in the wrong suite's folder, and cases in two folders."""
        cases = world.repository.cases
        for case_id, revisions in world.repository.revisions.items():
            case = cases.get(case_id)
            home = case.suite if case is not None else revisions[0].suite
            for stored in revisions:
                if not stored.suite or stored.suite == home or not world.looks_at(case_id):
                    continue
                target = record_path(home, case_id, stored.revision)
                reason = "the case stands in" if case is not None else "it also lies in"
                yield Found(
                    f"{case_id} lies in the folder of `{stored.suite}`; {reason} `{home}`.",
                    f"git mv {stored.path} {target}",
                    stored.path,
                    1,
                    1,
                    "",
                    case_id,
                    stored.suite,
                )
