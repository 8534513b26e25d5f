"""Published results: in their place, whole, and saying what was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from assay.checks.rule import Found, Rule
from assay.checks.world import World
from assay.files.canonical import digest
from assay.files.locate import locate
from assay.files.reading import read_text
from assay.ledger.layout import published_id, published_path
from assay.ledger.results import ResultSet, StoredResult, digest_of, load_results
from assay.models.base import JsonValue
from assay.models.published import Published
from assay.scoring.keys import result_id


def _loaded(world: World) -> ResultSet:
    """Every published result, read once."""
    return world.once("published", lambda w: load_results(w.repository.root))


class _OfResults(Rule):
    """Base of the rules about ``results/``: they keep no case from being scored."""

    severity = "error"
    scope = "nothing"
    waivable = False


class RES001(_OfResults):
    """A file lies below ``results/`` that is no published result.

    What nobody reads there looks published and is not.

    Move it, or remove it; the command in the hint writes results to their place.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files with another path than ``results/<year>/<id>.json``."""
        for fault in _loaded(world).faults:
            if fault.kind == "stray":
                yield Found(fault.message, fault.hint, fault.path)


class RES002(_OfResults):
    """A published result cannot be read.

    A number that was published can then neither be traced nor compared.

    Bring the file back as it was committed; a published result never changes.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files that are no JSON, or of another shape."""
        for fault in _loaded(world).faults:
            if fault.kind != "stray":
                yield Found(
                    fault.message,
                    f"git checkout HEAD -- {fault.path}",
                    fault.path,
                    fault.line,
                    fault.column,
                    fault.pointer,
                )


class RES003(_OfResults):
    """The path of a published result does not agree with its content.

    It is found by its id, and the year is that of the day it was judged at.

    Move the file to the path in the hint.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files under the name of another id, or in the folder of another year."""
        for stored in _loaded(world).results:
            result = stored.published.result
            path = published_path(result.today, result.id)
            if path != stored.path:
                pointer = "/result/today" if published_id(path) == _name(stored) else "/result/id"
                message = f"The file says result {result.id}, judged at {result.today}."
                yield _at(world, stored, pointer, message, f"git mv {stored.path} {path}")


class RES004(_OfResults):
    """The id of a published result is not the one that its content gives.

    An id names one subject under one context; with another id, numbers made under different
    truth could be taken for the same.

    Bring the file back as it was committed, or publish the run again.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Results whose id does not follow from subject, context and the set that was scored."""
        for stored in _loaded(world).results:
            result = stored.published.result
            gives = result_id(result.subject, result.context, result.scored_set, result.exploratory)
            if gives != result.id:
                message = f"The id is {result.id}; subject, context and scored set give {gives}."
                yield _edited(world, stored, message, "/result/id")


class RES005(_OfResults):
    """A published result was edited.

    What was published stays as it was; a number that can be changed afterwards proves nothing.

    Bring the file back as it was committed; publish a new result beside it where the old is wrong.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Results whose digest or counts do not follow from the rest of the file."""
        for stored in _loaded(world).results:
            published = stored.published
            gives = digest_of(published)
            if gives != published.digest:
                message = f"The digest is {published.digest[:12]}…; the content gives {gives[:12]}…"
                yield _edited(world, stored, message + ".", "/digest")
            for pointer, message in _uneven(published):
                yield _edited(world, stored, message, pointer)


class RES006(_OfResults):
    """A result is published twice.

    One id names one result; of two files one would be found and the other not.

    Keep the one that was committed first.
    """

    def find(self, world: World) -> Iterable[Found]:
        """Files of one id in the folders of several years."""
        first: dict[str, str] = {}
        for stored in _loaded(world).results:
            name = stored.published.result.id
            if name in first:
                message = f"Result {name} is published in {first[name]} already."
                yield _at(world, stored, "/result/id", message, f"git rm {stored.path}")
            first.setdefault(name, stored.path)


def _name(stored: StoredResult) -> str | None:
    return published_id(stored.path)


def _edited(world: World, stored: StoredResult, message: str, pointer: str) -> Found:
    return _at(world, stored, pointer, message, f"git checkout HEAD -- {stored.path}")


def _at(world: World, stored: StoredResult, pointer: str, message: str, hint: str) -> Found:
    text = read_text(world.repository.root / stored.path, name=stored.path)
    line, column = locate(text, pointer) or (1, 1)
    return Found(message, hint, stored.path, line, column, pointer)


def _uneven(published: Published) -> Iterator[tuple[str, str]]:
    """Counts and digests of the result that its own cases contradict.

    Only what holds for ever is looked at: how rates and errors are estimated may change.
    """
    overall = published.result.overall
    counts = Counter(case.outcome for case in published.cases)
    for field, says, found in (
        ("passed", overall.passed, counts["passed"]),
        ("failed", overall.failed, counts["failed"]),
        ("not_evaluated", overall.not_evaluated, counts["not_evaluated"]),
        ("errored", overall.errored, counts["error"]),
        ("excluded", overall.excluded, len(published.result.excluded)),
        ("unmatched", overall.unmatched, len(published.result.unmatched)),
    ):
        if says != found:
            name = field.replace("_", " ")
            yield f"/result/overall/{field}", f"It says {says} {name}; its cases give {found}."
    rows: list[JsonValue] = [
        [case.case_id, case.trial, case.observed]
        for case in sorted(published.cases, key=lambda case: (case.case_id, case.trial))
    ]
    if digest(rows) != published.result.subject.run_digest:
        yield "/result/subject/run_digest", "What its cases observed is another run."
