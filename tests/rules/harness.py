"""Tiny repositories for rules: a shared base, and what one case changes in it.

``tests/rules/<CODE>/<case>/delta.json`` may hold

``why``       what the case shows
``today``, ``policies``, ``only``  what the check is asked
``records``   ``{"lamp.r0001": patch}``: fields of a record of the base, or of the one named by
              ``like``, replaced (null removes one); the file is then finished as ``assay fmt`` does
``edit``      ``{"path": [["old", "new"], …]}``: text replaced in a file, each exactly once
``write``     ``{"path": "text"}`` or a list of lines
``last``      like ``edit``, but after the records have been finished
``remove``    paths that are removed; ``drop`` those that are removed after all else is written
``truth``     an interchange file that stands in for the records
``crash``     a code whose rule is made to crash
``git``       what happens after all this was committed to ``main``, step by step: objects with one
              of ``write``, ``edit``, ``records``, ``remove`` as above, ``move`` (pairs),
              ``link`` (path to target), ``mode`` (path to ``+x``), ``commit`` (by whom),
              ``branch``, ``checkout``
``base``, ``since``  the commit that the history is compared with
``forge``     ``forge`` of ``people.yaml``; CODEOWNERS is written then, if not by ``write``
``signed``    what the forge says of the reviews, or true for nothing; ``HEAD`` and ``BASE`` in it
              stand for full names of commits. Commits in messages are shown as ``<HEAD>``
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.checks.rule import CODE, Rule
from assay.checks.runner import rules, run_checks
from assay.files.model_text import model_text, plain, value_text
from assay.files.reading import parse_json
from assay.forge.approvals import read_reviews
from assay.ledger.cases import load_suite
from assay.ledger.changes import History, branch_history, main_history
from assay.ledger.finishing import finished_text
from assay.ledger.layout import PEOPLE, record_path
from assay.ledger.owners.files import OWNERS, load_owners
from assay.ledger.owners.wanted import owners_text
from assay.ledger.redacting import tombstone
from assay.ledger.repository import Repository
from assay.ledger.signatures import SignedBranch, signed_branch
from assay.models.finding import FindingReport
from assay.models.truth import TruthRecord
from tests.gitrepo import GitRepo

HERE = Path(__file__).parent
BASE = HERE / "base"


@dataclass(frozen=True)
class RuleCase:
    """One folder."""

    code: str
    folder: Path

    @property
    def name(self) -> str:
        return f"{self.code}/{self.folder.name}"

    @property
    def delta(self) -> dict[str, Any]:
        # Numbers stay exact: what a record writes as 41.90 must be 41.90.
        value = parse_json((self.folder / "delta.json").read_bytes(), name=self.name)
        assert isinstance(value, dict)
        return value

    @property
    def expected_file(self) -> Path:
        return self.folder / "expected.json"

    @property
    def expected(self) -> list[dict[str, Any]]:
        return json.loads(self.expected_file.read_text(encoding="utf-8"))["findings"]


def rule_cases() -> list[RuleCase]:
    """Every folder, sorted."""
    return [
        RuleCase(code.name, folder)
        for code in sorted(HERE.iterdir())
        if code.is_dir() and CODE.fullmatch(code.name)
        for folder in sorted(code.iterdir())
        if folder.is_dir()
    ]


def build(case: RuleCase, root: Path) -> dict[str, Any]:
    """Make the repository of a case; returns its delta."""
    shutil.copytree(BASE, root, dirs_exist_ok=True)
    delta = case.delta
    change(root, delta, case.name)
    if "git" in delta:
        play(root, delta["git"], case.name)
    return delta


def change(root: Path, delta: dict[str, Any], name: str) -> None:
    """Change the files of a repository as a delta says."""
    for path in delta.get("remove", ()):
        (root / path).unlink()
    edit(root, delta.get("edit", {}), name)
    for path, content in delta.get("write", {}).items():
        text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8", "surrogateescape"))
    for record, patch in delta.get("records", {}).items():
        write_record(root, record, dict(patch))
    if "forge" in delta:
        with (root / PEOPLE).open("a", encoding="utf-8") as stream:
            stream.write(f"forge: {json.dumps(delta['forge'])}\n")
        if OWNERS not in delta.get("write", {}):
            write_owners(root)
    for path in delta.get("drop", ()):
        (root / path).unlink()
    edit(root, delta.get("last", {}), name)


def write_owners(root: Path) -> None:
    """Write CODEOWNERS as ``assay fmt owners`` does."""
    found = Repository.load(root)
    people = found.people.model
    assert people.forge is not None, found.people.faults
    text, _ = owners_text(people.forge, people, found.suites)
    (root / OWNERS).write_text(text, encoding="utf-8", newline="\n")


def play(root: Path, steps: list[dict[str, Any]], name: str) -> None:
    """Commit the repository to ``main``, and do what ``git`` of a delta says."""
    repo = GitRepo.make(root)
    repo.commit("begin")
    for step in steps:
        ((verb, what),) = step.items()
        if verb in ("write", "edit", "records", "remove"):
            change(root, {verb: what}, name)
        elif verb == "redact":
            for record, people in what.items():
                redact(root, record, people)
        elif verb == "move":
            for old, new in what:
                (root / old).rename(root / new)
        elif verb == "link":
            for path, target in what.items():
                (root / path).unlink(missing_ok=True)
                (root / path).symlink_to(target)
        elif verb == "mode":
            for path in what:
                (root / path).chmod(0o755)
        elif verb == "commit":
            repo.commit(who=what)
        else:
            getattr(repo, verb)(what)


def edit(root: Path, changes: dict[str, list[list[str]]], name: str) -> None:
    for path, pairs in changes.items():
        text = (root / path).read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, f"{name}: {old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        (root / path).write_bytes(text.encode("utf-8"))


def write_record(root: Path, name: str, patch: dict[str, Any]) -> None:
    """A record of the base with some fields replaced, finished."""
    like = patch.pop("like", name)
    suite = patch.pop("suite", "shop")
    values = plain(read_record(root / record_path("shop", *key_of(like))))
    assert isinstance(values, dict)
    case_id, revision = key_of(name)
    if like != name:
        values.pop("case_digest", None)
        values["case_id"], values["revision"] = case_id, revision
    values.update(patch)
    record = TruthRecord.model_validate({k: v for k, v in values.items() if v is not None})
    before = root / record_path(suite, case_id, revision - 1)
    stored, _ = load_suite(root, suite)
    found = stored.cases.get(case_id) if stored else None
    previous = read_record(before) if before.is_file() else None
    target = root / record_path(suite, case_id, revision)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = finished_text(record, previous, found.case if found else None)
    target.write_bytes(text.encode("utf-8"))


def redact(root: Path, name: str, people: list[str]) -> None:
    """A tombstone in place of a record."""
    path = root / record_path("shop", *key_of(name))
    why = "A key stood in the rationale."
    made = tombstone(read_record(path), path.read_bytes(), why=why, approved_by=people)
    path.write_bytes(model_text(made).encode("utf-8"))


def key_of(name: str) -> tuple[str, int]:
    case_id, _, number = name.rpartition(".r")
    return case_id, int(number)


def read_record(path: Path) -> TruthRecord:
    return TruthRecord.model_validate(parse_json(path.read_bytes(), name=path.name))


def checked(case: RuleCase, root: Path) -> FindingReport:
    """What the rules find in the repository of a case."""
    delta = build(case, root)
    truth = [root / delta["truth"]] if "truth" in delta else ()
    repository = Repository.load(root, truth=truth)
    history = history_of(root, delta)
    return run_checks(
        repository,
        today=delta.get("today"),
        policies=delta.get("policies", ()),
        only=delta.get("only"),
        history=history,
        owners=load_owners(root, repository.people.model.forge),
        signed=signed_of(root, repository, history, delta.get("signed")),
    )


def history_of(root: Path, delta: dict[str, Any]) -> History | None:
    """What a case compares with, if it does."""
    if "base" in delta:
        return branch_history(root, delta["base"])
    return main_history(root, delta["since"]) if "since" in delta else None


def signed_of(
    root: Path, repository: Repository, history: History | None, reviews: Any
) -> SignedBranch | None:
    """Who signed, where a case asks that."""
    if history is None or not reviews:
        return None
    if reviews is True:
        return signed_branch(root, repository, history, None)
    text = json.dumps(reviews)
    for name in ("HEAD", "BASE"):
        commit = _git(root, "rev-parse", "HEAD" if name == "HEAD" else history.base)
        text = text.replace(f'"{name}"', f'"{commit.strip()}"')
    file = root.parent / "reviews.json"
    file.write_text(text, encoding="utf-8")
    return signed_branch(root, repository, history, read_reviews(file))


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    ).stdout


def as_data(report: FindingReport, root: Path) -> list[dict[str, Any]]:
    """Findings as they stand in ``expected.json``; the temporary folder is cut off."""
    found = json.loads(value_text(tuple(plain(item) for item in report.findings)))
    found = json.loads(json.dumps(found).replace(f"{root.as_posix()}/", ""))
    for name in ("HEAD", "main") if (root / ".git").exists() else ():
        commit = _git(root, "rev-parse", name).strip()
        for item in found:
            if item["code"].startswith("SIG"):
                for field in ("message", "hint"):
                    item[field] = item.get(field, "").replace(commit[:10], f"<{name}>")
    return [{key: value for key, value in item.items() if value != ""} for item in found]


def written(findings: list[dict[str, Any]]) -> str:
    """The file ``expected.json``."""
    return json.dumps({"findings": findings}, indent=2, ensure_ascii=False) + "\n"


def all_rules() -> Iterator[tuple[str, type[Rule]]]:
    yield from rules().items()
