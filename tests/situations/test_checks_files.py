"""Files as they come: marks, separators, YAML scalars, lines merged twice, ids that are paths."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from assay.checks.runner import run_checks
from assay.ledger.hashes import content_hash
from assay.ledger.records import read_interchange
from assay.ledger.repository import Repository
from assay.models.finding import Finding
from tests.support import case, finish, make_repository, record


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in records)


def checked(tmp_path: Path, text: str | bytes, *select: str) -> list[Finding]:
    """Findings about an interchange file beside a repository that has its cases."""
    root = finish(make_repository(tmp_path / "r", [], [case("c-1", "?", {"a": 1})]))
    path = tmp_path / "t.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    repository = Repository.load(root, truth=[path])
    return list(run_checks(repository, select=select).findings)


def test_h28_a_byte_order_mark_changes_nothing(tmp_path: Path) -> None:
    body = lines(record("b1"), record("b2"))
    plain, marked = tmp_path / "plain.jsonl", tmp_path / "bom.jsonl"
    plain.write_bytes(body.encode())
    marked.write_bytes(b"\xef\xbb\xbf" + body.encode())
    one, other = read_interchange(plain), read_interchange(marked)
    assert len(other.records) == 2
    assert [content_hash(s.record) for s in one.records] == [
        content_hash(s.record) for s in other.records
    ]


def test_h28_a_mark_in_a_yaml_file_is_not_part_of_a_key(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path))
    path = root / "params.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    repository = Repository.load(root)
    assert repository.params.model.today == "2026-11-30"
    assert run_checks(repository).findings == ()


def test_h28_another_encoding_is_named(tmp_path: Path) -> None:
    (finding,) = checked(tmp_path, lines(record("c-1")).encode("utf-16"), "FIL*")
    assert "UTF-16" in finding.message
    assert finding.path.endswith("t.jsonl")


def test_h28_a_new_revision_with_a_mark_is_only_unfinished(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path))
    path = root / "truth/records/shop/refund-0142.r0001.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (finding,) = run_checks(Repository.load(root)).findings
    assert finding.code == "REC001"
    assert "byte order mark" in finding.message
    assert "CRLF" in finding.message
    assert finding.hint == "assay fmt truth/records/shop/refund-0142.r0001.json"
    finish(root)
    assert run_checks(Repository.load(root)).findings == ()


def test_h29_records_end_at_line_feeds_alone(tmp_path: Path) -> None:
    answers = ["line\u2028separator", "next\u0085line", "tab\x0bvt and \u2029 paragraph", "plain"]
    path = tmp_path / "t.jsonl"
    text = lines(*(record(f"u{n}", acceptable_answers=[a]) for n, a in enumerate(answers)))
    path.write_text(text, encoding="utf-8", newline="\n")
    found = read_interchange(path)
    assert [stored.record.acceptable_answers[0] for stored in found.records] == answers
    assert [stored.line for stored in found.records] == [1, 2, 3, 4]
    broken = text + "{\n"
    path.write_text(broken, encoding="utf-8", newline="\n")
    assert [fault.line for fault in read_interchange(path).faults] == [5]


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("truth/policies.yaml", "version: refunds-v7", "version: 1.10", 'quote it: "1.10"'),
        ("truth/tools.yaml", "name: send_mail", "name: 012", "quote it"),
        ("truth/tools.yaml", "name: send_mail", "name: true", "quote it"),
        ("params.yaml", 'today: "2026-11-30"', "today: 2026-11-30", 'quote it: "2026-11-30"'),
        ("truth/people.yaml", "  bo:", "  ana:", "Duplicate key `ana`"),
        ("cases/shop/suite.yaml", "licence: CC-BY-4.0", "licence: 4.0", 'quote it: "4.0"'),
    ],
)
def test_h30_yaml_never_turns_one_thing_into_another(
    tmp_path: Path, file: str, old: str, new: str, words: str
) -> None:
    root = finish(make_repository(tmp_path))
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    found = [f for f in run_checks(Repository.load(root)).findings if f.code[:3] == "FIL"]
    assert found
    assert any(words in f"{f.message} {f.hint}" and f.path == file and f.line for f in found)


@pytest.mark.parametrize("word", ["NO", "on", "yes", "12:30:45"])
def test_h30_what_looks_like_something_else_stays_text(tmp_path: Path, word: str) -> None:
    root = finish(make_repository(tmp_path))
    path = root / "cases/shop/suite.yaml"
    text = path.read_text(encoding="utf-8").replace("title: A shop", f"title: {word}")
    path.write_text(text, encoding="utf-8")
    repository = Repository.load(root)
    assert repository.suites["shop"].suite.title == word
    assert run_checks(repository).findings == ()


def test_h39_a_union_merge_leaves_two_revisions_of_one_number(tmp_path: Path) -> None:
    """Two branches append revision 2; git merges by lines and reports success."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("needs git")
    folder = tmp_path / "g"
    folder.mkdir()

    def run(*arguments: str) -> None:
        subprocess.run(
            [git, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
            cwd=folder,
            check=True,
            capture_output=True,
        )

    def append(**fields: Any) -> None:
        with (folder / "t.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(lines(record("c-1", **fields)))

    run("init", "-q", "-b", "main", ".")
    (folder / ".gitattributes").write_text("*.jsonl merge=union\n", encoding="utf-8")
    append()
    run("add", "-A")
    run("commit", "-qm", "base")
    run("checkout", "-qb", "a")
    append(revision=2, status="disputed")
    run("commit", "-qam", "a")
    run("checkout", "-q", "main")
    run("checkout", "-qb", "b")
    append(revision=2, status="silver")
    run("commit", "-qam", "b")
    run("merge", "-q", "a", "-m", "merge")
    merged = (folder / "t.jsonl").read_text(encoding="utf-8")
    assert merged.count("\n") == 3
    (finding,) = checked(tmp_path, merged, "REC002")
    assert finding.severity == "error"
    assert "other content" in finding.message
    assert "t.jsonl:2" in finding.message
    assert "t.jsonl:3" in finding.message


@pytest.mark.parametrize(
    ("revisions", "words", "line"),
    [
        ([1, 1], "stands twice, with the same content", 2),
        ([1, 3], "Revision 2 of c-1 is missing", 2),
        ([2, 1], "Revision 1 of c-1 stands after revision 2", 2),
        ([2], "Revision 1 of c-1 is missing", 1),
        ([1, 2, 3], None, 0),
    ],
)
def test_h39_doubles_gaps_and_disorder(
    tmp_path: Path, revisions: list[int], words: str | None, line: int
) -> None:
    found = checked(tmp_path, lines(*(record("c-1", n) for n in revisions)), "REC002")
    if words is None:
        assert found == []
        return
    assert [(f.code, f.line) for f in found] == [("REC002", line)]
    assert words in found[0].message


BAD_IDS = [
    "../escaped",
    "a/../../b",
    "/etc/x",
    "..\\win",
    "a\u0000b",
    ".hidden",
    "-rf",
    "a b",
    "x" * 129,
    "%2e%2e%2fx",
    "Upper",
    "",
]


@pytest.mark.parametrize("bad", BAD_IDS)
def test_h41_an_id_that_is_a_path_is_refused(tmp_path: Path, bad: str) -> None:
    root = make_repository(tmp_path, [], [case("ok-1", "?", {"a": 1}), case(bad, "?")])
    # A list of entries in suite.yaml would be broken by such a key as well.
    suite = root / "cases/shop/suite.yaml"
    text = suite.read_text(encoding="utf-8").split("cases:")[0]
    suite.write_text(text + "cases: {ok-1: {slice: s, template: t}}\n", encoding="utf-8")
    found = [f for f in run_checks(Repository.load(root)).findings if f.code == "FIL002"]
    assert [(f.path, f.pointer) for f in found] == [
        ("cases/shop/shop.evalset.json", "/eval_cases/1/eval_id")
    ]
    assert found[0].line


@pytest.mark.parametrize("bad", [b for b in BAD_IDS if b])
def test_h41_in_a_record_too(tmp_path: Path, bad: str) -> None:
    text = lines(record("c-1"), record(bad))
    found = checked(tmp_path, text, "FIL*")
    assert [(f.code, f.line, f.pointer) for f in found] == [("FIL002", 2, "/case_id")]


@pytest.mark.parametrize("good", ["ok-1", "ok_2.v1", "a", "9.x", "x" * 96])
def test_h41_safe_ids_are_accepted(tmp_path: Path, good: str) -> None:
    root = finish(make_repository(tmp_path, [record(good)], [case(good, "Refund 0142?", {"a": 1})]))
    assert run_checks(Repository.load(root)).findings == ()
