"""What a range means: fields, class, impact, signatures, the same defect elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.errors import RefusedError, UsageError
from assay.models.review import Review
from assay.pipeline.reviewing.ranges import parse
from assay.pipeline.reviewing.review import review
from tests.gitrepo import GitRepo
from tests.reviewing.history import CASES, RENAMED, label, path_of, revise, shop

CORRECTED: dict[str, Any] = {
    "facts": [{"id": "amount", "any_of": ["$35.00"]}],
    "why": "Five are kept for the box.",
}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return shop(tmp_path / "shop")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (None, (None, None)),
        ("main", ("main", None)),
        ("main..", ("main", None)),
        ("main..work", ("main", "work")),
        ("main...work", ("main", "work")),
        ("..work", (None, "work")),
    ],
)
def test_ranges(text: str | None, ends: tuple[str | None, str | None]) -> None:
    assert parse(text) == ends


def test_no_range() -> None:
    with pytest.raises(UsageError):
        parse("a..b..c")


def test_nothing_changed(repo: GitRepo) -> None:
    found = review(repo.root, "main..HEAD")
    assert (found.state, found.kind, found.cases) == ("ready", "no_effect", ())
    assert [run.scored for run in found.runs] == [False, False]


def test_a_correction(repo: GitRepo) -> None:
    revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit(who="ana")
    found = review(repo.root, "main..work")
    assert (found.state, found.kind) == ("waiting", "breaks_comparison")
    (case,) = found.cases
    assert case.asked == "Please refund order 0142."
    assert [(c.label, c.before, c.after, c.decides) for c in case.changes] == [
        ("must state", ("“$40.00” (amount)",), ("“$35.00” (amount)",), True)
    ]
    assert case.clauses[0].text is not None
    assert "Thirty days" in case.clauses[0].text
    (revision,) = case.revisions
    assert revision.why == ("Five are kept for the box.",)
    assert revision.signs == "two blind labelers and the adjudicator"
    assert [(s.handle, s.proof) for s in revision.signatures] == [
        ("ana", "git"),
        ("bo", "claimed"),
        ("cleo", "claimed"),
    ]
    assert revision.awaited == ("cleo",)
    flips = {(f.run, f.before, f.after): (f.was, f.reason) for f in found.flips}
    assert set(flips) == {("careful", "passed", "failed"), ("hasty", "failed", "passed")}
    assert "$35.00" in flips["careful", "passed", "failed"][1]
    assert [(r.run, r.rate_before, r.rate) for r in found.runs] == [
        ("careful", "1", "0.75"),
        ("hasty", "0", "0.25"),
    ]
    assert found.coverage[0].moved == ("truth",)


@pytest.mark.parametrize("who", ["cleo", "forge"])
def test_a_signature_that_is_proved(repo: GitRepo, who: str) -> None:
    revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit(who="cleo" if who == "cleo" else "ana")
    found = review(repo.root, "main..", approved=["cleo"] if who == "forge" else [])
    assert found.state == "ready"


def test_a_file_that_another_one_touched_is_nobodys(repo: GitRepo) -> None:
    path = revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit(who="cleo")
    text = (repo.root / path).read_text()
    (repo.root / path).write_text(text.replace("Five are", "Four are"))
    repo.commit(who="ana")
    assert review(repo.root, "main..work").awaited == ("cleo",)


def test_who_is_who_is_read_from_the_base(repo: GitRepo) -> None:
    people = repo.root / "truth/people.yaml"
    people.write_text(people.read_text().replace("cleo@example.com", "ana@example.com"))
    revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit(who="mal")
    assert review(repo.root, "main..work").awaited == ("cleo",)


def test_nobody_approves_who_is_not_there(repo: GitRepo) -> None:
    with pytest.raises(UsageError, match="Nobody is called"):
        review(repo.root, "main", approved=["nobody"])


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"change": "renewal", "expires": "2027-06-01"}, "no_effect"),
        ({"change": "wording", "why": "Said more plainly."}, "clarifies"),
        ({"change": "dispute", "status": "disputed"}, "breaks_comparison"),
        ({"facts": [{"id": "amount", "any_of": ["$40.00", "forty"]}]}, "breaks_comparison"),
        ({"change": "retire", "status": "retired"}, "breaks_comparison"),
        ({"change": "policy", "policy_version": "refunds-v8", "why": "Moved."}, "clarifies"),
    ],
)
def test_classes(repo: GitRepo, fields: dict[str, Any], kind: str) -> None:
    revise(repo.root, "refund-0142", **fields)
    repo.commit()
    assert review(repo.root, "main..work").cases[0].kind == kind


def test_a_renewal_brings_a_case_back(tmp_path: Path) -> None:
    labels = [label(name) for name in CASES]
    labels[0]["expires"] = "2026-11-01"
    repo = shop(tmp_path / "shop", labels)
    revise(repo.root, "refund-0142", change="renewal", expires="2027-06-01")
    repo.commit()
    found = review(repo.root, "main..work")
    assert found.kind == "moves_scores"
    assert [(e.case_id, e.gained, e.codes) for e in found.exclusions] == [
        ("refund-0142", False, ("EXP001",))
    ]
    assert (found.coverage[0].gating_before, found.coverage[0].gating) == (3, 4)
    assert found.coverage[0].moved == ()


def test_a_rename_alone_is_no_change_of_meaning(repo: GitRepo) -> None:
    (repo.root / "truth/tools.yaml").write_text(RENAMED)
    repo.commit("one name")
    repo.git("checkout", "-q", "-B", "main")
    repo.branch("later")
    tool = {"tool": "pay_back", "args": {"order_id": "0142", "amount": 40}}
    revise(repo.root, "refund-0142", change="rename", required_tools=[tool])
    repo.commit()
    (case,) = review(repo.root, "main..later").cases
    assert (case.kind, case.changes) == ("no_effect", ())


def test_the_map_itself_is_said_in_a_line(repo: GitRepo) -> None:
    (repo.root / "truth/tools.yaml").write_text(RENAMED)
    found = review(repo.root, "main")
    lines = [line.text for line in found.others]
    assert "payments/issue_refund: renamed to pay_back" in lines
    assert "payments/pay_back: new" in lines
    assert found.flips == ()


def test_cases_people_and_parameters_are_said_in_lines(repo: GitRepo) -> None:
    root = repo.root
    for name, old, new in (
        ("params.yaml", "2026-11-30", "2026-12-01"),
        (
            "truth/people.yaml",
            "  bo:\n    roles: [{role: labeler",
            "  bo:\n    roles: [{role: owner",
        ),
        ("cases/shop/shop.evalset.json", "order 0143", "order no. 0143"),
        ("cases/shop/suite.yaml", "title: A shop", "title: The shop"),
    ):
        text = (root / name).read_text()
        assert old in text
        (root / name).write_text(text.replace(old, new))
    found = review(root, "main")
    lines = [line.text for line in found.others]
    assert "today: 2026-11-30 → 2026-12-01" in lines
    assert "title A shop → The shop" in lines
    assert "refund-0143: what the user says or the world changed" in lines
    assert any(line.startswith("bo: owner from 2026-01-01; was labeler") for line in lines)
    assert found.coverage[0].moved == ("cases",)


def test_the_same_defect_elsewhere(repo: GitRepo) -> None:
    revise(repo.root, "refund-0142", **CORRECTED)
    found = review(repo.root, "main")
    assert [item.case_id for item in found.suspects] == list(CASES[1:])
    assert found.suspects[0].like == "refund-0142"
    assert found.suspects[0].reasons[0] == "states “$40.00”"
    assert found.more_suspects == 0


def test_never_more_than_ten_suspects(tmp_path: Path) -> None:
    names = tuple(f"refund-{number:04d}" for number in range(100, 120))
    repo = shop(tmp_path / "shop", cases=names)
    revise(repo.root, names[3], **CORRECTED)
    found = review(repo.root, "main")
    assert len(found.suspects) == 10
    assert found.more_suspects == 9


def test_a_clause_alone_suspects_nobody(tmp_path: Path) -> None:
    labels = [label(name) for name in CASES]
    for number, value in enumerate(labels[1:], start=41):
        value["facts"] = [{"id": "amount", "any_of": [f"${number}.00"]}]
        value["required_tools"] = ["lookup_order"]
    repo = shop(tmp_path / "shop", labels)
    revise(repo.root, "refund-0142", **CORRECTED)
    assert review(repo.root, "main").suspects == ()


def test_an_unfinished_file_is_finished(repo: GitRepo) -> None:
    path = revise(repo.root, "refund-0142", raw=True, **CORRECTED)
    (case,) = review(repo.root, "main").cases
    assert case.finished is not None
    assert '"supersedes"' in case.finished
    (repo.root / path).write_text(case.finished)
    assert review(repo.root, "main").cases[0].finished is None


def wrong(found: Review) -> list[str]:
    return [item.code for item in found.findings if item.severity == "error"]


def test_history_that_is_wrong(repo: GitRepo) -> None:
    place = repo.root / path_of("refund-0142", 1)
    place.write_text(place.read_text().replace("nine days", "ten days"))
    repo.commit()
    found = review(repo.root, "main..work")
    assert found.state == "wrong"
    assert "HIS001" in wrong(found)


def test_an_error_of_a_new_file_counts_and_an_old_one_does_not(tmp_path: Path) -> None:
    labels = [label(name) for name in CASES]
    labels[0]["required_tools"] = ["no_such_tool"]
    repo = shop(tmp_path / "shop", labels)
    found = review(repo.root, "main")
    assert (found.state, found.elsewhere) == ("ready", 1)
    revise(repo.root, "refund-0143", required_tools=["no_such_tool"])
    found = review(repo.root, "main")
    assert found.state == "wrong"
    assert found.elsewhere == 1


def test_a_file_that_cannot_be_read(repo: GitRepo) -> None:
    (repo.root / path_of("refund-0142", 2)).write_text("{")
    found = review(repo.root, "main")
    assert found.state == "wrong"


def test_a_head_that_cannot_be_scored_is_still_reviewed(repo: GitRepo) -> None:
    revise(repo.root, "refund-0142", **CORRECTED)
    (repo.root / "truth/tools.yaml").write_text("tools: 3\n")
    found = review(repo.root, "main")
    assert found.state == "wrong"
    assert [case.case_id for case in found.cases] == ["refund-0142"]
    assert "cannot be scored" in found.notes[0]


def test_a_base_that_moved_on_is_not_part_of_it(repo: GitRepo) -> None:
    revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit()
    repo.checkout("main")
    revise(repo.root, "refund-0143", change="wording")
    repo.commit()
    for text in ("main..work", "main...work"):
        assert [case.case_id for case in review(repo.root, text).cases] == ["refund-0142"]


def test_no_history(tmp_path: Path, repo: GitRepo) -> None:
    repo.commit("more")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    with pytest.raises(RefusedError):
        review(tmp_path / "shallow", f"{'0' * 39}1..HEAD")
    with pytest.raises(UsageError):
        review(repo.root, "nowhere..HEAD")


def test_nothing_is_written_and_nothing_is_left(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    revise(repo.root, "refund-0142", **CORRECTED)
    repo.commit()
    repo.checkout("main")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    review(repo.root, "main..work")
    monkeypatch.setattr("assay.pipeline.reviewing.review.suspects", stop)
    with pytest.raises(KeyboardInterrupt):
        review(repo.root, "main..work")
    assert list((tmp_path / "tmp").iterdir()) == []
    assert repo.git("status", "--porcelain") == ""
