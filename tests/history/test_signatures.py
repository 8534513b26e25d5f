"""Who signed: what a pull request says of itself proves nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import RefusedError, UsageError
from assay.ledger.changes import branch_history, main_history
from assay.ledger.commit_tree import tree_at
from assay.ledger.past import view_at
from assay.ledger.repository import Repository
from assay.ledger.signatures import SignedBranch, signed_branch, trailers
from assay.models.forge import Review, Reviews
from tests.gitrepo import GitRepo
from tests.rules.harness import BASE, write_owners, write_record

FORGE = """\
forge:
  kind: github
  organisation: org
  teams: {maintainers: house, truth: labels}
  signatures: required
  recorder: record@example.com
"""
PEOPLE = "truth/people.yaml"
WHY = ["Still so.", "Looked at again."]


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """The base of the rules with a forge, and a branch that renews one label."""
    shutil.copytree(BASE, tmp_path / "r")
    file = tmp_path / "r" / PEOPLE
    text = file.read_text().replace("  dee:\n", "  dee:\n    logins: {github: dee-desk}\n")
    file.write_text(text + FORGE)
    write_owners(tmp_path / "r")
    made = GitRepo.make(tmp_path / "r")
    made.commit("begin")
    made.branch("work")
    renew(made)
    made.commit("renew")
    return made


def renew(repo: GitRepo, name: str = "lamp.r0002") -> None:
    like = f"{name[:-4]}{int(name[-4:]) - 1:04d}"
    fields = {"like": like, "change": "renewal", "expires": "2027-09-01", "rationale": WHY}
    write_record(repo.root, name, fields)


def reviews(commit: str, author: str = "ana-desk", **fields: object) -> Reviews:
    found = Review(login="dee-desk", approves=True, commit=commit)
    return Reviews.model_validate(
        {"kind": "github", "reviews": [found], "author": author, **fields}
    )


def signed(repo: GitRepo, said: Reviews | None, since: str | None = None) -> SignedBranch:
    history = main_history(repo.root, since) if since else branch_history(repo.root, "main")
    return signed_branch(repo.root, Repository.load(repo.root), history, said)


def states(found: SignedBranch) -> list[tuple[str, str]]:
    return [(s.handle, s.state) for item in found.revisions for s in item.signatures]


def test_exactly_this_head(repo: GitRepo) -> None:
    head = repo.head()
    assert states(signed(repo, reviews(head))) == [("dee", "proved")]
    repo.commit("more")
    assert states(signed(repo, reviews(head))) == [("dee", "missing")]
    with pytest.raises(RefusedError, match="moved on"):
        signed(repo, reviews(head, head=head))


def test_another_forge(repo: GitRepo) -> None:
    with pytest.raises(UsageError, match="reviews of gitlab"):
        signed(repo, reviews(repo.head(), kind="gitlab"))


def test_a_login_that_the_branch_takes_is_not_taken(repo: GitRepo) -> None:
    """The branch gives the adjudicator's login to somebody who approves."""
    file = repo.root / PEOPLE
    file.write_text(file.read_text().replace("dee-desk", "mallory"))
    repo.commit("mine now")
    said = Reviews(
        kind="github", reviews=(Review(login="mallory", approves=True, commit=repo.head()),)
    )
    assert states(signed(repo, said)) == [("dee", "missing")]


def test_signatures_are_required_as_the_base_says(repo: GitRepo) -> None:
    file = repo.root / PEOPLE
    file.write_text(file.read_text().replace("signatures: required", "signatures: reported"))
    repo.commit("never mind")
    found = signed(repo, reviews("c" * 40))
    assert found.forge is not None
    assert found.forge.signatures == "required"


def test_a_label_that_moves_a_verdict_names_its_labelers(repo: GitRepo) -> None:
    fields = {"like": "bearing.r0001", "change": "correction", "rationale": WHY,
              "forbidden_tools": ["send_mail"]}  # fmt: skip
    write_record(repo.root, "bearing.r0002", fields)
    repo.commit("another")
    found = states(signed(repo, reviews(repo.head())))
    assert found == [("ana", "claimed"), ("bo", "claimed"), ("dee", "proved"), ("dee", "proved")]


def recorded(repo: GitRepo, who: str) -> list[tuple[str, str]]:
    """What main says after the branch was merged and somebody recorded a signature."""
    begin = repo.git("rev-parse", "main").strip()
    lines = trailers(signed(repo, reviews(repo.head())))
    assert lines == ("Adjudicated-by: dee lamp.r0002",)
    repo.checkout("main")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "work")
    repo.git("commit", "-q", "--allow-empty", "-m", "Record\n\n" + "\n".join(lines), who=who)
    return states(signed(repo, None, since=begin))


def test_the_trusted_workflow_records(repo: GitRepo) -> None:
    assert recorded(repo, "record") == [("dee", "proved")]


def test_nobody_else_records(repo: GitRepo) -> None:
    assert recorded(repo, "ana") == [("dee", "claimed")]


def test_an_author_of_that_name_whom_the_forge_committed_does_not_record(repo: GitRepo) -> None:
    repo.git(
        "commit", "-q", "--allow-empty", "--author", "r <record@example.com>",
        "-m", "x\n\nAdjudicated-by: dee lamp.r0002",
    )  # fmt: skip
    repo.git("checkout", "-q", "-B", "main")
    begin = repo.git("rev-parse", "HEAD~2").strip()
    assert states(signed(repo, None, since=begin)) == [("dee", "claimed")]


def assay(repo: GitRepo, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "assay.cli.main", *arguments],
        cwd=repo.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_commit_that_is_not_checked_out(repo: GitRepo, tmp_path: Path) -> None:
    """The base's folder looks at the head as data; what the forge says comes from a file."""
    head = repo.head()
    repo.checkout("main")
    file = tmp_path / "reviews.json"
    listed = [{"id": 1, "user": {"login": "dee-desk"}, "state": "APPROVED", "commit_id": head,
               "submitted_at": "2026-11-20T10:00:00Z"}]  # fmt: skip
    file.write_text(json.dumps(listed))
    code, out, err = assay(
        repo, "check", "--base", "main", "--head", "work", "--approvals", str(file),
        "--format", "json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = json.loads(out)["findings"]
    assert [f["code"] for f in found if f["code"].startswith("SIG")] == ["SIG005"]
    assert not (repo.root / "truth/records/shop/lamp.r0002.json").exists()
    file.write_text("[]")
    code, out, _ = assay(
        repo, "check", "--base", "main", "--head", "work", "--approvals", str(file)
    )
    assert (code, "SIG001" in out) == (1, True)


@pytest.mark.parametrize(
    "arguments", [["--head", "work"], ["--approvals", "x.json"], ["--base", "main", "--head", "no"]]
)
def test_wrong_use(repo: GitRepo, arguments: list[str]) -> None:
    code, out, err = assay(repo, "check", *arguments)
    assert (code, out) == (2, "")
    assert "next" in err


def test_a_commit_as_data(repo: GitRepo, tmp_path: Path) -> None:
    """Attributes are not obeyed, links not followed, nothing lands outside."""
    root = repo.root
    (root / ".gitattributes").write_text("truth/** export-ignore\n*.yaml text eol=crlf\n")
    (root / "truth/records/shop/evil.r0001.json").symlink_to("/etc/passwd")
    (root / "up").symlink_to("../..")
    repo.commit("hostile")
    repo.checkout("main")
    with tree_at(root, "work") as view:
        assert (view / "truth/records/shop/lamp.r0002.json").is_file()
        assert (view / PEOPLE).read_bytes() == (root / PEOPLE).read_bytes()
        assert not [path for path in view.rglob("*") if path.is_symlink()]
        assert not (view / "truth/records/shop/evil.r0001.json").exists()
    assert not view.exists()
    with view_at(root, "work", ("truth", "params.yaml")) as view:
        assert (view / "truth/records/shop/lamp.r0002.json").is_file()
        assert not (view / "truth/records/shop/evil.r0001.json").exists()
    code, out, _ = assay(repo, "check", "--base", "main", "--head", "work")
    assert (code, "HIS003" in out) == (1, True)
