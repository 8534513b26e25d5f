"""The trusted job against a forge that is played: what it posts, and what it refuses to believe."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from assay.models.base import JsonValue
from assay.pipeline import recording, trusted_report
from assay.reporting.markup import plain_markdown
from tests.gitrepo import GitRepo
from tests.rules.harness import BASE, write_owners, write_record

FORGE = """\
forge:
  kind: github
  organisation: org
  teams: {maintainers: house, truth: labels}
  signatures: required
"""
EVIL = "</details> <!-- --> [x](javascript:y) @everyone | # ``` <img src=x>"


@dataclass
class Played:
    """A forge with one pull request."""

    head: str
    reviews: list[Any] = field(default_factory=list)
    comments: list[Any] = field(default_factory=list)
    archive: bytes | None = None
    moved_on: bool = False
    sent: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def get(self, path: str, **fields: str) -> JsonValue:
        self.asked.append(path)
        if path.endswith("/pulls"):
            assert fields["head"] == "ana-desk:work"
            head = "b" * 40 if self.moved_on else self.head
            return [
                {
                    "number": 4,
                    "state": "open",
                    "user": {"login": "ana-desk"},
                    "head": {"sha": head},
                    "base": {"ref": "main", "repo": {"full_name": "org/bench"}},
                }
            ]
        if path.endswith("/reviews"):
            return [self.reviews]
        if path.endswith("/comments"):
            return [self.comments]
        assert path.endswith("/artifacts")
        listed: list[JsonValue] = []
        if self.archive is not None:
            size = len(self.archive)
            listed = [{"id": 9, "name": "reproduced", "size_in_bytes": size, "expired": False}]
        return {"artifacts": listed}

    def send(self, method: str, path: str, body: dict[str, Any]) -> JsonValue:
        self.sent.append((method, path, body))
        return {}

    def download(self, path: str, target: Path) -> None:
        assert path == "repos/org/bench/actions/artifacts/9/zip"
        assert self.archive is not None
        target.write_bytes(self.archive)

    @property
    def comment(self) -> str:
        return next(body["body"] for _, path, body in self.sent if "comments" in path)

    @property
    def status(self) -> tuple[str, str]:
        body = next(body for _, path, body in self.sent if "statuses" in path)
        return body["state"], body["description"]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Main checked out; the branch ``work`` renews one label."""
    shutil.copytree(BASE, tmp_path / "r")
    file = tmp_path / "r/truth/people.yaml"
    text = file.read_text().replace("  dee:\n", "  dee:\n    logins: {github: dee-desk}\n")
    file.write_text(text + FORGE)
    write_owners(tmp_path / "r")
    made = GitRepo.make(tmp_path / "r")
    made.commit("begin")
    made.branch("work")
    fields = {"like": "lamp.r0001", "change": "renewal", "expires": "2027-09-01",
              "rationale": ["Still so.", EVIL]}  # fmt: skip
    write_record(made.root, "lamp.r0002", fields)
    made.commit("renew")
    made.checkout("main")
    monkeypatch.chdir(made.root)
    return made


def run(repo: GitRepo, forge: Played, cause: str = "pull_request") -> int:
    event = {
        "workflow_run": {
            "id": 7,
            "head_sha": forge.head,
            "head_branch": "work",
            "event": cause,
            "head_repository": {"owner": {"login": "ana-desk"}},
        },
        "repository": {"full_name": "org/bench", "default_branch": "main"},
    }
    file = repo.root.parent / "event.json"
    file.write_text(json.dumps(event))
    return trusted_report.main([str(file)], forge)


def played(repo: GitRepo, **fields: Any) -> Played:
    return Played(repo.git("rev-parse", "work").strip(), **fields)


def approval(forge: Played) -> dict[str, Any]:
    return {"id": 1, "user": {"login": "dee-desk"}, "state": "APPROVED",
            "commit_id": forge.head, "submitted_at": "2026-11-20T10:00:00Z"}  # fmt: skip


def zipped(tmp_path: Path, report: Any, board: str = "Scoreboard\n") -> bytes:
    file = tmp_path / "made.zip"
    with zipfile.ZipFile(file, "w") as stream:
        stream.writestr("reproduced.json", json.dumps(report))
        stream.writestr("scoreboard.txt", board)
    return file.read_bytes()


OURS = re.compile(r"<!-- assay:report -->|</?(details|summary|sub)>")


def foreign_markup(text: str) -> list[str]:
    """What a reader of Markdown would take for markup and is not ours; mentions outside code."""
    found: list[str] = []

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.type in ("html_block", "html_inline"):
                found.extend(re.findall(r"<[^>]*>", OURS.sub("", token.content)))
            elif token.type in ("link_open", "image"):
                found.append(str(token.attrs))
            elif token.type == "text" and re.search(r"@\w", token.content):
                found.append(token.content)
            walk(token.children or [])

    walk(MarkdownIt("commonmark", {"html": True}).enable("table").parse(text))
    return found


def test_foreign_markup_is_seen() -> None:
    assert len(foreign_markup(f"x {EVIL}")) >= 3


def test_who_is_awaited(repo: GitRepo) -> None:
    forge = played(repo)
    assert run(repo, forge) == 0
    assert forge.comment.startswith("<!-- assay:report -->\n### Truth: waits for `dee`")
    assert "SIG001" in forge.comment
    assert forge.status == ("failure", "awaits dee")
    assert forge.sent[0][:2] == ("POST", "repos/org/bench/issues/4/comments")


def test_signed(repo: GitRepo) -> None:
    forge = played(repo)
    forge.reviews = [approval(forge)]
    assert run(repo, forge, "pull_request_review") == 0
    assert forge.comment.startswith("<!-- assay:report -->\n### Truth: nobody is awaited")
    assert forge.status == ("success", "nobody is awaited")
    assert not [path for path in forge.asked if "artifacts" in path]


def test_our_comment_is_renewed(repo: GitRepo) -> None:
    ours = {"id": 3, "user": {"login": "github-actions[bot]", "type": "Bot"},
            "body": "<!-- assay:report -->\nold"}  # fmt: skip
    theirs = {"id": 2, "user": {"login": "mallory", "type": "User"}, "body": ours["body"]}
    forge = played(repo, comments=[theirs, ours])
    assert run(repo, forge) == 0
    assert forge.sent[0][:2] == ("PATCH", "repos/org/bench/issues/comments/3")


def test_a_pull_request_that_has_moved_on(repo: GitRepo) -> None:
    forge = played(repo, moved_on=True)
    assert run(repo, forge) == 0
    assert forge.sent == []


def test_hostile_text_stays_text(repo: GitRepo, tmp_path: Path) -> None:
    report = {
        "schema_version": 1,
        "moved": [{"stage": EVIL, "inputs": [EVIL], "outputs": []}],
        "problems": [EVIL],
    }
    board = f"Scoreboard\n{EVIL}\n````\n@everyone\n\x1b[31m\u202e"
    forge = played(repo, archive=zipped(tmp_path, report, board))
    assert run(repo, forge) == 0
    text = forge.comment
    assert f"- {plain_markdown(EVIL)}" in text
    assert foreign_markup(text) == []
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("</details>") >= 1
    assert len(text) < 65_536


@pytest.mark.parametrize("archive", [b"", b"no archive", b"PK\x05\x06" + b"\x00" * 18])
def test_a_broken_report_is_said_and_costs_nothing(repo: GitRepo, archive: bytes) -> None:
    forge = played(repo, archive=archive)
    assert run(repo, forge) == 0
    assert "its report is not shown" in forge.comment
    assert forge.status[0] == "failure"


def test_long_reports_are_cut(repo: GitRepo, tmp_path: Path) -> None:
    report = {
        "schema_version": 1,
        "moved": [{"stage": f"s{n}", "inputs": ["`" * 250] * 15, "outputs": []} for n in range(90)],
        "problems": ["*" * 290] * 90,
    }
    forge = played(repo, archive=zipped(tmp_path, report, "x" * 150_000))
    assert run(repo, forge) == 0
    assert len(forge.comment) < 65_536


def test_events_of_another_kind(repo: GitRepo) -> None:
    assert run(repo, played(repo), "push") == 3
    assert trusted_report.main([], played(repo)) == 2


def test_nothing_of_the_pull_request_is_written_or_run(repo: GitRepo) -> None:
    """Code, hooks and configuration of the branch are data; the folder stays as it was."""
    repo.checkout("work")
    for name in ("conftest.py", "assay", "truth/records/shop/x.py"):
        (repo.root / name).write_text("raise SystemExit('ran')\n")
    (repo.root / ".gitattributes").write_text("* filter=evil\n")
    repo.commit("hostile")
    repo.checkout("main")
    before = sorted(p for p in repo.root.rglob("*") if ".git/" not in p.as_posix())
    forge = played(repo)
    assert run(repo, forge) == 0
    after = sorted(p for p in repo.root.rglob("*") if ".git/" not in p.as_posix())
    assert after == before


def test_what_main_records(repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "org/bench")
    before = repo.head()
    forge = played(repo)
    forge.reviews = [approval(forge)]
    repo.git("merge", "-q", "--squash", "work")
    repo.commit("squashed")
    pull = {"number": 4, "merged_at": "2026-11-21T00:00:00Z", "user": {"login": "ana-desk"},
            "head": {"sha": forge.head}}  # fmt: skip
    pulls = tmp_path / "pulls.json"
    pulls.write_text(json.dumps([pull, {**pull, "merged_at": None, "number": 5}]))
    out = tmp_path / "trailers"
    assert recording.main([before, str(pulls), str(out)], forge) == 0
    assert out.read_text() == "Adjudicated-by: dee lamp.r0002\n"
    forge.reviews = []
    assert recording.main([before, str(pulls), str(out)], forge) == 0
    assert out.read_text() == ""
