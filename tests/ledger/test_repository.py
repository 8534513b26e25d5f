"""The whole repository: suites, catalogues, what is missing, what stands in the wrong place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.files.locate import locate, locate_all
from assay.files.yamls import parse_yaml
from assay.ledger.repository import Repository
from tests.support import CANARY, case, finish, make_repository, record


def test_an_empty_folder_is_an_empty_repository(tmp_path: Path) -> None:
    repository = Repository.load(tmp_path)
    assert repository.records == ()
    assert repository.cases == {}
    assert repository.faults == ()


def test_everything_is_loaded(tmp_path: Path) -> None:
    root = finish(make_repository(tmp_path))
    repository = Repository.load(root)
    assert repository.faults == ()
    assert list(repository.cases) == ["refund-0142"]
    suite = repository.suites["shop"]
    assert suite.owner("refund-0142") == "cleo"
    assert suite.reference_date("refund-0142") == "2026-09-18"
    assert repository.suite_of(repository.records[0]) is suite
    assert repository.policies_in_force("2026-11-30") == {"refunds": "refunds-v7"}
    assert repository.policy_overrides(["refunds-v8"]) == {"refunds": "refunds-v8"}
    with pytest.raises(UsageError, match="refunds-v9"):
        repository.policy_overrides(["refunds-v9"])


def test_digest_of_a_case_is_what_the_record_was_finished_with(tmp_path: Path) -> None:
    repository = Repository.load(finish(make_repository(tmp_path)))
    assert repository.records[0].record.case_digest == repository.cases["refund-0142"].digest


@pytest.mark.parametrize(
    ("path", "content", "kind", "words"),
    [
        ("truth/tools.yaml", "tools: [", "unreadable", "Not valid YAML"),
        ("truth/tools.yaml", "tools:\n  - name: a\n    name: b\n", "unreadable", "Duplicate key"),
        ("truth/tools.yaml", "tools: &a []\nx: *a\n", "unreadable", "aliases"),
        ("truth/people.yaml", "people: 3\n", "schema", "must be an object"),
        ("truth/people.yaml", "peple: {}\n", "schema", "did you mean|not a known field"),
        ("params.yaml", "today: 2026-11-30\n", "schema", "is the date"),
        ("truth/policies.yaml", "families: {a: {versions: []}}\n", "schema", "at least 1"),
        ("truth/odd.txt", "x", "stray", "Nothing of this name"),
        ("truth/odd/x.txt", "x", "stray", "Nothing of this name"),
        ("cases/shop/more.evalset.json", "{", "unreadable", "Not valid JSON"),
        ("cases/shop/more.evalset.json", "{}", "schema", "`eval_set_id` is missing"),
        ("cases/shop/suite.yaml", "suite: 1.10\n", "schema", "quote it|must be text"),
        ("cases/desk/x.evalset.json", "{}", "unreadable", "There is no such file"),
    ],
)
def test_faults(tmp_path: Path, path: str, content: str, kind: str, words: str) -> None:
    import re

    root = make_repository(tmp_path)
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(content, encoding="utf-8")
    faults = Repository.load(root).faults
    assert any(
        fault.kind == kind and re.search(words, f"{fault.message} {fault.hint}") for fault in faults
    ), faults


def test_a_broken_catalogue_is_read_as_empty_and_says_so(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / "truth/tools.yaml").write_text("tools: [", encoding="utf-8")
    repository = Repository.load(root)
    assert repository.catalog.model.tools == ()
    assert repository.catalog.faults
    assert repository.catalog.place("/tools/0") == (1, 1)


def test_one_id_in_two_files(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    second = {"eval_set_id": "b", "description": CANARY, "eval_cases": [case("refund-0142", "?")]}
    (root / "cases/shop/z.evalset.json").write_text(json.dumps(second), encoding="utf-8")
    repository = Repository.load(root)
    (fault,) = repository.faults
    assert (fault.kind, fault.path) == ("identity", "cases/shop/z.evalset.json")
    assert "shop.evalset.json" in fault.message
    assert repository.cases["refund-0142"].case.user_text == "Please refund order 0142."


def test_interchange_files_stand_in_for_the_records(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    lines = [record("refund-0142"), record("refund-0142", 2, status="disputed"), record("other")]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    repository = Repository.load(root, truth=[path])
    assert len(repository.records) == 3
    assert [s.revision for s in repository.revisions["refund-0142"]] == [1, 2]
    suites = [repository.suite_of(stored) for stored in repository.records]
    assert [suite.name if suite else None for suite in suites] == ["shop", "shop", None]


YAML = """\
site: NO
flag: on
version: 1.10
quoted: "1.10"
budget: 1e3
day: 2031-01-02
id: 012
at: 12:30:45
empty:
hex: 0x1F
octal: 0o17
tilde: ~
yes_: yes
null_: "null"
"""


def test_yaml_has_no_surprises() -> None:
    value = parse_yaml(YAML, name="y.yaml").value
    assert isinstance(value, dict)
    shown = {key: str(item) for key, item in value.items()}
    assert shown == {
        "site": "NO",
        "flag": "on",
        "version": "1.10",
        "quoted": "1.10",
        "budget": "1E+3",
        "day": "2031-01-02",
        "id": "12",
        "at": "12:30:45",
        "empty": "None",
        "hex": "31",
        "octal": "15",
        "tilde": "None",
        "yes_": "yes",
        "null_": "null",
    }
    assert not isinstance(value["version"], str | float)
    assert isinstance(value["quoted"], str)
    assert isinstance(value["id"], int)


def test_places_of_many_values_are_those_of_each() -> None:
    value = {"x": [1], "a": [{"id": "]}"}, {"b": [{"c": "{"}], "id": "y"}, 3, [], {}, "s"]}
    pointers = [f"/a/{n}/id" for n in range(6)]
    for indent in (None, 1, 4):
        text = json.dumps(value, indent=indent)
        found = locate_all(text, pointers)
        assert [found[pointer] for pointer in pointers] == [locate(text, p) for p in pointers]


def test_a_link_that_leads_nowhere_is_broken_and_not_absent(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / "truth/quarantine.yaml").symlink_to("quarantine.yaml")
    faults = Repository.load(root).faults
    assert [(fault.kind, fault.path) for fault in faults] == [
        ("unreadable", "truth/quarantine.yaml")
    ]


@pytest.mark.parametrize(
    "field",
    [
        {"max_calls": {"issue_refund": 10**9}},
        {"required_tools": [{"tool": "issue_refund", "min": 10**9}]},
        {"required_tools": [{"tool": "issue_refund", "max": 10**9}]},
        {"required_tools": [{"tool": "issue_refund", "turn": 10**9}]},
        {"facts": [{"id": "a", "any_of": ["b"], "turn": 10**9}]},
        {"state": [{"path": "/a", "count": 10**9}]},
    ],
)
def test_a_label_cannot_ask_for_more_than_a_proof_can_make(
    tmp_path: Path, field: dict[str, object]
) -> None:
    root = make_repository(tmp_path, [record("refund-0142", **field)])
    (fault,) = Repository.load(root).faults
    assert fault.kind == "schema"
    assert "less than" in fault.message
