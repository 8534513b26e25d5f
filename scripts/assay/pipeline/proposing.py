"""A form that was filled in becomes the files of a pull request.

``python -m assay.pipeline.proposing EVENT OUT`` writes the revision or the case into the folder,
and ``branch``, ``title``, ``commit`` and ``body.md`` into OUT; where the form cannot be taken,
``refused.md`` with the reason, and the exit code is 1. None of these holds text of the form but
its ids, which have been checked; the text stands in the record, as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError, RefusedError
from assay.files.model_text import plain
from assay.files.reading import read_json
from assay.files.writing import write_text
from assay.forge.forms import Form, read_form
from assay.ledger.adding import new_case, write_case
from assay.ledger.editing import first_revision, next_revision, write_draft
from assay.ledger.layout import find_root
from assay.ledger.repository import Repository
from assay.models.base import JsonValue
from assay.models.truth import TruthRecord
from assay.reporting.markup import code_span, plain_markdown


@dataclass(frozen=True)
class Proposal:
    """What a pull request is opened with."""

    branch: str
    """Its branch."""
    title: str
    """Its title, the commit's as well."""
    body: str
    """Its text."""
    paths: tuple[str, ...]
    """Files that were written, sorted."""


def propose(root: Path, form: Form, issue: int) -> Proposal:
    """Write what a form proposes.

    Args:
        root: the repository; new files are written into it.
        form: the form.
        issue: number of the issue.

    Raises:
        AssayError: the form does not fit what is here; nothing is then written.
    """
    case = form.values["case"]
    repository = Repository.load(root)
    because = [*form.paragraphs("why"), f"Proposed in issue {issue}."]
    if form.kind == "case":
        title, paths = f"Propose the case {case}", _case(repository, form, because)
    else:
        latest = _latest(repository, case)
        dispute = form.kind == "dispute"
        changes = _dispute() if dispute else _answer(latest, form)
        draft = next_revision(repository, case, {**changes, "rationale": because})
        write_draft(root, draft)
        title = f"Dispute {case}" if dispute else f"Accept another answer for {case}"
        paths = (draft.path,)
    return Proposal(f"assay/issue-{issue}", title, _body(paths, issue), paths)


def _latest(repository: Repository, case: str) -> TruthRecord:
    revisions = repository.revisions.get(case)
    if not revisions:
        raise InputError("There is no record for this case.", hint="its id stands in the report")
    latest = revisions[-1].record
    if latest.status == "retired":
        raise RefusedError("The case is retired, which is final.")
    return latest


def _dispute() -> dict[str, JsonValue]:
    return {"status": "disputed", "change": "dispute"}


def _answer(latest: TruthRecord, form: Form) -> dict[str, JsonValue]:
    """The field with one more form of the answer."""
    answer, name = form.values["answer"], form.values.get("fact", "")
    if latest.status == "disputed":
        raise RefusedError("The label is disputed; whoever decides that takes the answer along.")
    if latest.acceptable_answers and not name:
        if answer in latest.acceptable_answers:
            raise RefusedError("This answer is accepted already.")
        answers: list[JsonValue] = [*latest.acceptable_answers, answer]
        return {"change": "correction", "acceptable_answers": answers}
    facts = [fact for fact in latest.facts if not name or fact.id == name]
    if len(facts) != 1:
        known = ", ".join(fact.id for fact in latest.facts)
        raise InputError(
            "The record has no answers of its own, and not one fact that is meant.",
            hint=f"name one of its facts: {known}" if known else "dispute the record instead",
        )
    if answer in facts[0].any_of:
        raise RefusedError("This answer is accepted already.")
    changed: list[JsonValue] = []
    for fact in latest.facts:
        value = plain(fact)
        assert isinstance(value, dict)
        if fact is facts[0]:
            value["any_of"] = [*fact.any_of, answer]
        changed.append(value)
    return {"change": "correction", "facts": changed}


def _case(repository: Repository, form: Form, because: list[str]) -> tuple[str, ...]:
    case, suite = form.values["case"], form.values["suite"]
    addition = new_case(
        repository,
        suite,
        case,
        [form.values["text"]],
        attributes={"slice": form.values["slice"], "template": case},
    )
    first_revision(repository, suite, case, {"rationale": because})
    write_case(repository.root, addition)
    draft = first_revision(Repository.load(repository.root), suite, case, {"rationale": because})
    write_draft(repository.root, draft)
    return tuple(sorted((addition.path, f"cases/{suite}/suite.yaml", draft.path)))


def _body(paths: tuple[str, ...], issue: int) -> str:
    files = "".join(f"- {code_span(path)}\n" for path in paths)
    return (
        f"Written from the form in issue {issue}; read the reason in the file, and the words of"
        f" whoever filled it in there.\n\n{files}\nCloses #{issue}\n"
    )


def _refusal(error: AssayError) -> str:
    then = f"\n\nNext: {plain_markdown(error.hint)}" if error.hint else ""
    return f"This form cannot be taken: {plain_markdown(error.message)}{then}\n"


def main(arguments: Sequence[str]) -> int:
    """Run it; 1 where the form is refused."""
    root = find_root(Path.cwd())
    if root is None or len(arguments) != 2:
        print("python -m assay.pipeline.proposing EVENT OUT, in the repository", file=sys.stderr)
        return 2
    out = Path(arguments[1])
    try:
        event = read_json(Path(arguments[0]), name="the event")
        issue = event.get("issue") if isinstance(event, dict) else None
        number = issue.get("number") if isinstance(issue, dict) else None
        body = issue.get("body") if isinstance(issue, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or not isinstance(body, str):
            raise InputError("The event is about no issue with a text.")
        proposal = propose(root, read_form(body), number)
    except AssayError as error:
        write_text(out / "refused.md", _refusal(error))
        print(f"assay: {error}", file=sys.stderr)
        return 1
    for name, text in (
        ("branch", proposal.branch),
        ("title", proposal.title),
        ("commit", f"{proposal.title}\n\nFrom the form in issue {number}.\n"),
        ("body.md", proposal.body),
        ("paths", "".join(f"{path}\n" for path in proposal.paths)),
    ):
        write_text(out / name, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
