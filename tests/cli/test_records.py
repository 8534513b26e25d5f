"""The commands that write records: what they write, refuse and say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.support import finish, make_repository, record


def read(root: Path, revision: int, case: str = "refund-0142") -> dict[str, object]:
    path = root / f"truth/records/shop/{case}.r{revision:04d}.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def test_fmt_finishes_what_is_not_committed(tmp_path: Path, run: Run) -> None:
    make_repository(tmp_path)
    code, out, _ = run("fmt", "--check")
    assert code == 1
    assert "truth/records/shop/refund-0142.r0001.json" in out
    assert run("fmt")[0] == 0
    assert len(str(read(tmp_path, 1)["case_digest"])) == 64
    assert "digest:" in (tmp_path / "truth/policies.yaml").read_text()
    code, _, err = run("fmt")
    assert (code, err) == (0, "Nothing to do.\n")


def test_revise_writes_the_next_revision(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    before = (tmp_path / "truth/records/shop/refund-0142.r0001.json").read_bytes()
    code, out, err = run(
        "revise", "refund-0142", "--change", "correction", "--why", "The fee stays.",
        "--answer", "Refunded.", "--set", "max_calls={\"issue_refund\": 1}", "--expires", "6m",
    )  # fmt: skip
    assert (code, out) == (0, "truth/records/shop/refund-0142.r0002.json\n")
    assert "+ acceptable answers" in err
    written = read(tmp_path, 2)
    assert written["rationale"] == ["The fee stays."]
    assert written["acceptable_answers"] == ["Refunded."]
    assert written["max_calls"] == {"issue_refund": 1}
    assert written["expires"] == "2027-03-18"
    assert written["labelers"] == ["ana", "bo"]
    assert len(str(written["supersedes"])) == 64
    assert (tmp_path / "truth/records/shop/refund-0142.r0001.json").read_bytes() == before
    assert run("fmt", "--check")[0] == 0


def test_revise_from_a_file(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    fields = tmp_path / "fields.json"
    fields.write_text('{"status": "disputed", "change": "dispute", "rationale": ["Unclear."]}')
    assert run("revise", "refund-0142", "--from", str(fields))[0] == 0
    assert read(tmp_path, 2)["status"] == "disputed"


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["revise", "refund-0142"], 2, "Nothing is to be changed"),
        (["revise", "refund-0143", "--why", "x"], 2, "did you mean refund-0142?"),
        (["revise", "refund-0142", "--answer", "x"], 2, "--why"),
        (["revise", "refund-0142", "--why", "x", "--set", "facs=[]"], 2, "did you mean facts"),
        (["revise", "refund-0142", "--why", "x", "--set", "facts=["], 2, "Not valid JSON"),
        (["revise", "refund-0142", "--why", "x", "--status", "GOLD"], 2, "'gold'"),
        (["revise", "refund-0142", "--why", "x", "--status", "draft"], 3, "goes back to draft"),
        (["revise", "refund-0142", "--why", "x", "--expires", "2027-02-29"], 2, "nor a span"),
        (["revise", "refund-0142", "--why", "x", "--fact", "amount"], 2, "names nothing"),
        (["new", "refund-0142", "--why", "x"], 3, "has a record"),
        (["new", "refund-0900", "--why", "x"], 2, "There is no case"),
        (["new", "../x", "--suite", "shop", "--slice", "s", "--text", "t", "--why", "x"],
         2, "match"),
        (["truth", "show", "refund-014"], 2, "did you mean refund-0142?"),
        (["truth", "export", "--suite", "nope"], 2, "No suite"),
        (["chek"], 2, "Did you mean `check`?"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_message(
    tmp_path: Path, run: Run, args: list[str], code: int, words: str
) -> None:
    finish(make_repository(tmp_path))
    before = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    got, _, err = run(*args)
    assert (got, words in err) == (code, True), err
    after = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert after == before


def test_a_retired_record_is_final(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path, [record("refund-0142", status="retired", change="retire")]))
    code, _, err = run("revise", "refund-0142", "--why", "x")
    assert code == 3
    assert "retired, which is final" in err


def test_new_adds_case_and_record(tmp_path: Path, run: Run) -> None:
    finish(make_repository(tmp_path))
    args = [
        "new", "refund-0900", "--suite", "shop", "--slice", "window", "--text", "May I return it?",
        "--state", '{"orders": {"0900": {"days": 45}}}', "--policy", "refunds-v7",
        "--forbid", "issue_refund", "--why", "Day 45 of 30.", "--fact", "days=45 days | day 45",
        "--require", 'lookup_order {"order_id": "0900"}', "--as-of", "2026-11-01",
    ]  # fmt: skip
    code, out, _ = run(*args, "--dry-run")
    assert code == 0
    assert not (tmp_path / "cases/shop/refund-0900.evalset.json").exists()
    code, out, _ = run(*args)
    assert code == 0
    assert out.splitlines() == [
        "cases/shop/refund-0900.evalset.json",
        "truth/records/shop/refund-0900.r0001.json",
    ]
    written = read(tmp_path, 1, "refund-0900")
    assert written["status"] == "draft"
    assert written["required_tools"] == [{"tool": "lookup_order", "args": {"order_id": "0900"}}]
    assert "refund-0900:" in (tmp_path / "cases/shop/suite.yaml").read_text()
    assert run("fmt", "--check")[0] == 0


def test_export_then_import_gives_the_same_files(tmp_path: Path, run: Run) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    two = record("refund-0142", 2, status="disputed", change="dispute")
    finish(make_repository(first, [record("refund-0142"), two]))
    make_repository(second, [])
    lines = tmp_path / "all.jsonl"
    assert run("truth", "export", "--out", str(lines), root=first)[0] == 0
    assert lines.read_text().splitlines()[0].startswith('{"_canary": ')
    assert run("truth", "import", str(lines), "--suite", "shop", root=second)[0] == 0
    for name in ("refund-0142.r0001.json", "refund-0142.r0002.json"):
        path = Path("truth/records/shop") / name
        assert (second / path).read_bytes() == (first / path).read_bytes()
    code, _, err = run("truth", "import", str(lines), "--suite", "shop", root=second)
    assert (code, "2 there already" in err) == (0, True)


def test_import_reads_the_shape_of_the_source_text(tmp_path: Path, run: Run) -> None:
    make_repository(tmp_path, [])
    lines = tmp_path / "t.jsonl"
    lines.write_text(
        '{"caseId": "refund-0142", "revision": 1, "status": "SILVER", "requiredTools": ["a"],'
        ' "rubric": "Is it kind?", "policyVersion": "refunds-v7", "asOf": "2026-09-18",'
        ' "expires": null, "labelers": ["m"], "adjudicator": null, "rationale": "because"}\n'
    )
    assert run("truth", "import", str(lines), "--suite", "shop")[0] == 0
    written = read(tmp_path, 1)
    assert written["status"] == "silver"
    assert written["rubric"] == [{"id": "rubric", "text": "Is it kind?"}]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('{"case_id": "a"}', "is missing"),
        ("[]", "no object"),
        ("nonsense", "Not valid JSON"),
        ("", ""),
        (
            '{"case_id": "a", "revision": 3, "status": "draft", "rationale": ["x"]}',
            "gaps",
        ),
        (
            '{"case_id": "a", "revision": 1, "status": "draft", "rationale": ["x"]}\n'
            '{"case_id": "a", "revision": 1, "status": "draft", "rationale": ["y"]}',
            "stands twice",
        ),
    ],
)
def test_a_bad_import_writes_nothing(tmp_path: Path, run: Run, lines: str, words: str) -> None:
    make_repository(tmp_path, [])
    path = tmp_path / "t.jsonl"
    path.write_text(lines)
    code, _, err = run("truth", "import", str(path), "--suite", "shop")
    assert (code, words in err) == (1 if words else 0, True), err
    assert not list((tmp_path / "truth").glob("records/**/*.json"))


def test_outside_a_repository(tmp_path: Path, run: Run) -> None:
    code, _, err = run("check")
    assert code == 2
    assert "no benchmark repository" in err
