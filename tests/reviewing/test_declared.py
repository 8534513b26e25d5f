"""Declared bulk changes: run again, compared, folded; and every way in which one does not hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.models.review import Declared, Review
from assay.pipeline.reviewing.replaying import ALLOWED, parse, source_of
from assay.pipeline.reviewing.review import review
from tests.gitrepo import GitRepo
from tests.reviewing.history import CASES, label, path_of, rename_all, revise, shop

CHANGE = "truth/campaigns/rename.change.yaml"


def old_names() -> list[dict[str, Any]]:
    labels = [label(name) for name in CASES]
    for value in labels:
        value["required_tools"][0]["tool"] = "refund_order"
    return labels


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return shop(tmp_path / "shop", old_names())


def one(found: Review) -> Declared:
    (change,) = found.declared
    return change


def assay(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "assay", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("committed", [True, False])
def test_what_works_out_is_folded(repo: GitRepo, committed: bool) -> None:
    rename_all(repo.root)
    if committed:
        repo.commit(who="cleo")
    found = review(repo.root, "main..HEAD" if committed else "main")
    change = one(found)
    assert change.proved
    assert (change.same, change.different, change.kinds) == (4, (), {"no_effect": 4})
    assert (found.cases, found.revisions, found.kind) == ((), 4, "no_effect")
    assert [run.scored for run in found.runs] == [False, False]
    # The adjudicator signs for it as for any other change of gold.
    assert change.awaited == (() if committed else ("cleo",))


def test_the_command_as_it_is_typed(repo: GitRepo) -> None:
    assert assay(repo.root, "truth", "rename", "refund_order").returncode == 0
    repo.commit()
    assert one(review(repo.root, "main..HEAD")).command == ("truth", "rename", "refund_order")
    done = assay(repo.root, "diff", "main..HEAD")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 = previous + exactly this patch; no effect" in done.stdout


def tampered(repo: GitRepo) -> None:
    place = repo.root / path_of("refund-0143", 2)
    place.write_text(place.read_text().replace("$40.00", "$400.00"))


def test_a_file_that_was_tampered_with(repo: GitRepo) -> None:
    rename_all(repo.root)
    tampered(repo)
    repo.commit()
    found = review(repo.root, "main..HEAD")
    change = one(found)
    assert not change.proved
    assert (change.same, change.different) == (3, (path_of("refund-0143", 2),))
    assert found.state == "wrong"
    # Nothing is folded: every one of its revisions is looked at.
    assert [case.case_id for case in found.cases] == [
        "refund-0143",
        *sorted({*CASES} - {"refund-0143"}),
    ]
    assert assay(repo.root, "diff", "main..HEAD").returncode == 1


def test_tampered_with_in_a_later_commit(repo: GitRepo) -> None:
    rename_all(repo.root)
    repo.commit()
    tampered(repo)
    repo.commit()
    assert not one(review(repo.root, "main..HEAD")).proved


def test_a_digest_and_a_number_that_are_not_true(repo: GitRepo) -> None:
    rename_all(repo.root)
    place = repo.root / CHANGE
    text = place.read_text()
    place.write_text(text.replace("revisions: 4", "revisions: 5"))
    assert "declares 5" in one(review(repo.root, "main")).problem
    digest = text.split('digest: "')[1][:64]
    place.write_text(text.replace(digest, "0" * 64))
    assert "digest" in one(review(repo.root, "main")).problem


def test_a_file_that_is_missing(repo: GitRepo) -> None:
    rename_all(repo.root)
    (repo.root / path_of("refund-0143", 2)).unlink()
    assert one(review(repo.root, "main")).different == (path_of("refund-0143", 2),)


@pytest.mark.parametrize(
    "command",
    [
        ["doctor", "--rollback"],
        ["truth", "rename", "--dry-run"],
        ["truth", "rename", "--where"],
        ["truth", "rename; rm -rf ."],
        ["score"],
        ["campaign", "uphold"],
    ],
)
def test_what_cannot_be_run_again(repo: GitRepo, command: list[str]) -> None:
    rename_all(repo.root)
    place = repo.root / CHANGE
    place.write_text(place.read_text().replace('["truth","rename"]', json.dumps(command)))
    text = place.read_text()
    if json.dumps(command) not in text:
        lines = [line for line in text.splitlines() if not line.startswith("command:")]
        place.write_text("\n".join([f"command: {json.dumps(command)}", *lines]) + "\n")
    found = review(repo.root, "main")
    assert not one(found).proved
    assert found.state == "wrong"


def test_a_declaration_that_cannot_be_read(repo: GitRepo) -> None:
    (repo.root / "truth/campaigns").mkdir(exist_ok=True)
    (repo.root / CHANGE).write_text("id: 3\n")
    assert review(repo.root, "main").state == "wrong"


def test_every_command_of_the_list_is_one() -> None:
    import importlib

    from assay.cli.main import COMMANDS

    for words, known in ALLOWED.items():
        module, attribute = COMMANDS[words[0]][0].split(":")
        command = getattr(importlib.import_module(f"assay.cli.{module}"), attribute)
        for name in words[1:]:
            command = command.commands[name]
        assert set(known.options) <= {option for param in command.params for option in param.opts}


@pytest.mark.parametrize("name", ["/etc/passwd", "../drafts.jsonl", "a/../../b"])
def test_a_source_outside_of_the_repository(name: str) -> None:
    with pytest.raises(InputError):
        source_of(["campaign", "fill", "x", "--from", name, "--drafted-by", "m", "--why", "w"])


def test_words_of_a_command() -> None:
    words = parse(["truth", "rename", "a", "--where=suite=shop", "--where", "slice=b", "c"])[1]
    assert words.names == ("a", "c")
    assert words.options == {"--where": ("suite=shop", "slice=b")}


def test_two_in_a_row_and_one_by_hand_between_them(repo: GitRepo) -> None:
    root = repo.root
    half = ["truth", "rename", "--where", "policy=refunds-v7"]
    assert assay(root, *half).returncode == 0
    repo.commit()
    revise(root, "refund-0144", 3, change="wording")
    repo.commit()
    opened = ["campaign", "open", "--policy", "refunds-v8", "--id", "move"]
    assert assay(root, *opened).returncode == 0
    repo.commit()
    texts = root / "truth/policies"
    # Nobody may change a text; the campaign upholds what stayed, so let it all be filled.
    lines = [{"case_id": name, "clauses": ["refunds-v8#3.2"]} for name in CASES[:2]]
    (root / "drafts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    fill = ["campaign", "fill", "move", "--from", "drafts.jsonl", "--drafted-by", "tern-3"]
    done = subprocess.run(
        [sys.executable, "-m", "assay", *fill],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    repo.commit()
    assert texts.is_dir()
    for squashed in (False, True):
        if squashed:
            repo.git("checkout", "-q", "-b", "squash", "main")
            repo.git("merge", "-q", "--squash", "work")
            repo.commit()
        found = review(root, "main..HEAD")
        assert [(d.id, d.proved, d.problem) for d in found.declared] == [
            ("move-fill", True, ""),
            ("rename", True, ""),
        ], squashed
        assert [case.case_id for case in found.cases] == ["refund-0144"]


def test_a_source_that_is_not_committed(repo: GitRepo) -> None:
    root = repo.root
    assert assay(root, "campaign", "open", "--policy", "refunds-v8", "--id", "move").returncode == 0
    line = {"case_id": CASES[0], "clauses": ["refunds-v8#3.2"]}
    (root / "drafts.jsonl").write_text(json.dumps(line) + "\n")
    fill = ["campaign", "fill", "move", "--from", "drafts.jsonl", "--drafted-by", "tern-3"]
    subprocess.run(
        [sys.executable, "-m", "assay", *fill], cwd=root, check=True, capture_output=True
    )
    (root / "drafts.jsonl").unlink()
    repo.commit()
    assert "not committed" in one(review(root, "main..HEAD")).problem
