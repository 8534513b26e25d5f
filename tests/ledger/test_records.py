"""Revision files and interchange files: what is read, and what is said of what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.hashes import content_hash
from assay.ledger.layout import record_key, record_path
from assay.ledger.records import StoredRecord, read_interchange, read_records, read_revision

RECORD: dict[str, Any] = {
    "schema_version": 1,
    "case_id": "lamp",
    "revision": 1,
    "status": "gold",
    "change": "new",
    "rationale": ["because"],
    "acceptable_answers": ["ja"],
}
PATH = "truth/records/shop/lamp.r0001.json"


def write(root: Path, data: bytes, path: str = PATH) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)


def text(**changes: Any) -> str:
    return json.dumps({**RECORD, **changes}, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("truth/records/shop/lamp.r0001.json", ("shop", "lamp", 1)),
        ("truth/records/shop/a.b.r0012.json", ("shop", "a.b", 12)),
        ("truth/records/shop/lamp.r12345.json", ("shop", "lamp", 12345)),
        ("truth/records/shop/lamp.r001.json", None),
        ("truth/records/shop/lamp.r00001.json", None),
        ("truth/records/shop/lamp.json", None),
        ("truth/records/lamp.r0001.json", None),
        ("truth/records/shop/deep/lamp.r0001.json", None),
        ("truth/records/shop/lamp.r0001.json.bak", None),
        ("other/records/shop/lamp.r0001.json", None),
    ],
)
def test_a_path_is_a_function_of_its_content(path: str, key: tuple[str, str, int] | None) -> None:
    found = record_key(path)
    assert (found and (found.suite, found.case_id, found.revision)) == key
    if key:
        assert record_path(*key) == path


@pytest.mark.parametrize(
    "data",
    [
        text().encode(),
        b"\xef\xbb\xbf" + text().encode(),
        text().replace("\n", "\r\n").encode(),
    ],
)
def test_mark_and_line_ends_change_nothing_when_read(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, data)
    stored = read_revision(tmp_path, PATH)
    assert isinstance(stored, StoredRecord)
    assert stored.record.acceptable_answers == ("ja",)
    assert stored.text == text()
    assert stored.place("/revision") == (4, 15)
    assert stored.has_bom == data.startswith(b"\xef\xbb\xbf")
    assert stored.has_crlf == (b"\r\n" in data)


@pytest.mark.parametrize(
    ("data", "kind", "words", "line"),
    [
        (b"", "unreadable", "empty", 1),
        (b"{", "unreadable", "Not valid JSON", 1),
        (text(revision=1.0).replace("1.0", "NaN").encode(), "unreadable", "NaN is no number", 4),
        (b'{"case_id": "a",\n "case_id": "b"}', "unreadable", "duplicate key", 2),
        (text().encode("utf-16"), "unreadable", "UTF-16", 1),
        (text(rationale=["caf\u00e9"]).encode("latin-1"), "unreadable", "UTF-8", 8),
        (b"[]", "schema", "must be an object", 1),
        (text(revision="1").encode(), "schema", "`revision` must be a whole number", 4),
        (text(revision=0).encode(), "schema", "`revision`", 4),
        (text(status="GOLD").encode(), "schema", "`status`", 5),
        (text(statuss="gold").encode(), "schema", "not a known field", 13),
        (text(rationale=[]).encode(), "schema", "at least 1", 7),
        (text(as_of="2027-02-29").encode(), "schema", "no such day", 13),
        (text(case_id="lamb").encode(), "place", "The path says lamp", 1),
        (text(revision=2).encode(), "place", "revision 2", 1),
    ],
)
def test_faults_name_the_line(
    tmp_path: Path, data: bytes, kind: str, words: str, line: int
) -> None:
    write(tmp_path, data)
    found = read_revision(tmp_path, PATH)
    assert isinstance(found, list)
    assert (found[0].kind, found[0].path, found[0].line) == (kind, PATH, line)
    assert words in found[0].message
    assert found[0].case_id == "lamp"


NO_DAYS: tuple[object, ...] = (
    "2027-03-18T00:00:00Z",
    "2027-02-29",
    "18/03/2027",
    "2027-3-8",
    20270318,
    "20270318",
    "2027-W11-4",
    "2027-077",
    " 2027-03-18",
    "2027-03-18 ",
    "\uff12\uff10\uff12\uff17-03-18",
    "",
    True,
)


@pytest.mark.parametrize("bad", NO_DAYS)
def test_what_is_no_day_is_refused(tmp_path: Path, bad: object) -> None:
    write(tmp_path, text(expires=bad).encode())
    found = read_revision(tmp_path, PATH)
    assert isinstance(found, list)
    assert found[0].pointer == "/expires"


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / PATH).mkdir(parents=True)
    found = read_revision(tmp_path, PATH)
    assert isinstance(found, list)
    assert "folder" in found[0].message


def test_all_records_in_order_and_strays(tmp_path: Path) -> None:
    for path in [
        "truth/records/z/b.r0001.json",
        "truth/records/z/a.r0002.json",
        "truth/records/z/a.r0010.json",
        "truth/records/a/c.r0001.json",
    ]:
        key = record_key(path)
        assert key
        write(tmp_path, text(case_id=key.case_id, revision=key.revision).encode(), path)
    write(tmp_path, b"x", "truth/records/z/notes.txt")
    write(tmp_path, b"x", "truth/records/z/deep/er/a.r0001.json")
    found = read_records(tmp_path)
    assert [(s.suite, s.case_id, s.revision) for s in found.records] == [
        ("a", "c", 1),
        ("z", "a", 2),
        ("z", "a", 10),
        ("z", "b", 1),
    ]
    assert [fault.kind for fault in found.faults] == ["stray", "stray"]
    assert read_records(tmp_path / "nowhere").records == ()


def lines(*records: dict[str, Any]) -> str:
    return "".join(
        json.dumps({**RECORD, **record}, ensure_ascii=False) + "\n" for record in records
    )


def test_interchange_reads_lines_and_counts_only_line_feeds(tmp_path: Path) -> None:
    odd = ["a\u2028b", "a\u0085b", "a\u2029b", "a\u000cb"]
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"_canary": "guid"}\n\n'
        + lines(*({"case_id": f"c{n}", "acceptable_answers": [t]} for n, t in enumerate(odd))),
        encoding="utf-8",
        newline="\n",
    )
    found = read_interchange(path, name="t.jsonl")
    assert found.faults == ()
    assert [s.record.acceptable_answers[0] for s in found.records] == odd
    assert [s.line for s in found.records] == [3, 4, 5, 6]
    assert found.records[1].place("/revision")[0] == 4


def test_interchange_with_mark_and_carriage_returns(tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.jsonl", tmp_path / "marked.jsonl"
    body = lines({}, {"case_id": "b"})
    plain.write_bytes(body.encode())
    marked.write_bytes(b"\xef\xbb\xbf" + body.replace("\n", "\r\n").encode())
    one, other = read_interchange(plain), read_interchange(marked)
    assert [s.record for s in one.records] == [s.record for s in other.records]
    assert [content_hash(s.record) for s in one.records] == [
        content_hash(s.record) for s in other.records
    ]


def test_interchange_faults_have_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(lines({}, {"revision": 0}) + "{\n", encoding="utf-8")
    found = read_interchange(path, name="t.jsonl")
    assert len(found.records) == 1
    assert [(fault.kind, fault.line) for fault in found.faults] == [
        ("schema", 2),
        ("unreadable", 3),
    ]


def test_utf16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(lines({}).encode("utf-16"))
    found = read_interchange(path, name="t.jsonl")
    assert "UTF-16" in found.faults[0].message
    assert found.faults[0].path == "t.jsonl"
