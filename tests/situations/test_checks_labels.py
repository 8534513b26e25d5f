"""Labels against the world: sources, schemas, forbidden names, what holds at the start, models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.checks.compiling import compile_truth
from assay.checks.runner import check_world, run_checks, world_of
from assay.ledger.repository import Repository
from assay.models.finding import Finding
from tests.support import case, finish, make_repository, record


def findings(root: Path, *select: str) -> list[Finding]:
    return list(run_checks(Repository.load(root), select=select).findings)


@pytest.mark.parametrize(
    ("wording", "clean"),
    [("39.04 mm", False), ("38.5 mm", True), ("38.50 mm", True), ("38.5", True)],
)
def test_h02_value_of_the_neighbouring_row(tmp_path: Path, wording: str, clean: bool) -> None:
    """Two rows lie side by side, and the label has the value of the other one."""
    source = {"fixture": "fixtures/b.csv", "key": {"model": "Z-205"}, "field": "pitch_mm"}
    value = record(
        "vib-7",
        required_tools=[],
        facts=[{"id": "pitch_mm", "any_of": [wording], "source": source}],
    )
    root = make_repository(tmp_path, [value], [case("vib-7", "How wide is Z-205?")])
    (root / "cases/shop/fixtures").mkdir()
    (root / "cases/shop/fixtures/b.csv").write_text(
        "model,balls,pitch_mm\nZ-205,9,38.5\nZ-305,8,39.04\n", encoding="utf-8"
    )
    finish(root)
    found = findings(root, "SRC*")
    if clean:
        assert found == []
        return
    (finding,) = found
    assert (finding.code, finding.severity, finding.case_id) == ("SRC001", "error", "vib-7")
    for part in ("pitch_mm", "39.04", "38.5", "Z-205"):
        assert part in finding.message
    world = world_of(Repository.load(root))
    (entry,) = compile_truth(world, check_world(world)).suites["shop"]
    assert [exclusion.code for exclusion in entry.exclusions] == ["SRC001"]


BUS = """\
  - name: find_bus
    parameters:
      type: object
      properties:
        seats: {type: integer}
        class: {type: string, enum: [std, flex]}
        from: {type: string}
      required: [from, seats]
"""


@pytest.mark.parametrize(
    ("tool", "args", "code", "words"),
    [
        ("find_bus", {"from": "X", "seats": "1"}, "TOL005", 'seats: "1" is string, and the schema'),
        ("find_bus", {"from": "X", "seats": 1, "class": "flex"}, None, ""),
        ("find_bus", {"from": "X", "seats": 1, "rating": 5}, "TOL005", "`rating` is no argument"),
        ("find_bus", {"from": "X", "seats": 1, "class": "gold"}, "TOL005", 'class: "gold" is not'),
        ("find_busses", {}, "TOL002", "`find_busses` is not in the tool catalogue"),
    ],
)
def test_h06_arguments_of_a_label_fit_the_tool(
    tmp_path: Path, tool: str, args: dict[str, Any], code: str | None, words: str
) -> None:
    value = record("bus", required_tools=[{"tool": tool, "args": args}])
    root = make_repository(tmp_path, [value], [case("bus", "A bus from X, please.")])
    with (root / "truth/tools.yaml").open("a", encoding="utf-8") as stream:
        stream.write(BUS)
    finish(root)
    found = findings(root, "TOL*")
    assert [finding.code for finding in found] == ([code] if code else [])
    assert all(words in finding.message and finding.severity == "error" for finding in found)


INDEX = """\
  - {name: delete_index, server: docs, effect: writes}
  - {name: index_wipe, server: docs, alias_of: delete_index, reason: an older name}
  - {name: undelete_index, server: docs}
  - {name: delete_index_preview, server: docs}
"""


@pytest.mark.parametrize(
    ("required", "conflict"),
    [
        ("delete_index", True),
        ("index_wipe", True),
        ("mcp__docs__delete_index", True),
        ("docs/index_wipe", True),
        ("undelete_index", False),
        ("delete_index_preview", False),
    ],
)
def test_h09_an_alias_does_not_get_past_what_is_forbidden(
    tmp_path: Path, required: str, conflict: bool
) -> None:
    value = record("idx", required_tools=[required], forbidden_tools=["delete_index"])
    root = make_repository(tmp_path, [value], [case("idx", "Clean up.", {"docs": []})])
    with (root / "truth/tools.yaml").open("a", encoding="utf-8") as stream:
        stream.write(INDEX)
    finish(root)
    found = findings(root, "TOL004")
    assert bool(found) is conflict
    if conflict and required != "delete_index":
        assert required in found[0].message
        assert "delete_index" in found[0].message


@pytest.mark.parametrize(
    ("seed", "state", "code"),
    [
        ({"wifi": "on"}, [{"path": "/wifi", "equals": "on"}], "PRF002"),
        ({"wifi": "off"}, [{"path": "/wifi", "equals": "on"}], None),
        ({"wifi": "on"}, [], "REC006"),
    ],
)
def test_h12_a_run_that_does_nothing_must_not_pass(
    tmp_path: Path, seed: dict[str, Any], state: list[Any], code: str | None
) -> None:
    value = record(
        "wifi",
        required_tools=[],
        facts=None,
        rubric=[{"id": "r", "text": "Is the answer polite?"}],
        score_basis=["state"],
        state=state,
    )
    root = finish(
        make_repository(tmp_path, [value], [case("wifi", "Make sure the network is on.", seed)])
    )
    errors = [f for f in findings(root) if f.severity == "error"]
    assert [finding.code for finding in errors] == ([code] if code else [])
    notes = [f.code for f in findings(root) if f.severity == "note"]
    assert "REC007" in notes  # a rubric outside the basis is a note
    if code == "PRF002":
        assert "Vacuous" in errors[0].message


MODELS = """\
models:
  - {name: vendor-x-4, spellings: [vendor-x-4-latest], may: [draft, judge]}
  - {name: vendor-x-4-mini, may: [judge]}
  - {name: vendor-y-1, may: [draft, judge]}
route_prefixes: [gateway/, cloud/]
"""


SAME = [
    ("gateway/cloud/vendor-x-4", "cloud/vendor-x-4", True),
    ("vendor-x-4", "Vendor-X-4", True),
    ("vendor-x-4-latest", "cloud/vendor-x-4", True),
    ("vendor-x-4", "vendor-x-4-mini", False),
    ("vendor-y-1", "vendor-x-4", False),
]


@pytest.mark.parametrize(
    ("role", "candidate", "judge", "refused"),
    [(role, *pair) for role in ("run", "draft") for pair in SAME]
    + [("run", None, "vendor-x-4", True)],
)
def test_h13_a_model_does_not_judge_itself(
    tmp_path: Path, role: str, candidate: str | None, judge: str, refused: bool
) -> None:
    """Neither its own run nor a label that it drafted, behind whatever route."""
    value = record(
        "note",
        required_tools=[],
        facts=None,
        rubric=[{"id": "r", "text": "Is it polite?"}],
        drafted_by=candidate if role == "draft" else None,
    )
    root = make_repository(tmp_path, [value], [case("note", "Write a note.")])
    with (root / "truth/people.yaml").open("a", encoding="utf-8") as stream:
        stream.write(MODELS)
    verdict = {
        "case_id": "note",
        "criterion": "r",
        "run": "careful",
        "verdict": "yes",
        "judge": judge,
        "judge_kind": "model",
    }
    run = {
        "run": "careful",
        "case_id": "note",
        "model": candidate if role == "run" else "somebody-else",
    }
    for path, line in (
        ("cases/shop/verdicts/v.jsonl", verdict),
        ("runs/shop/careful.jsonl", run),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(json.dumps(line) + "\n", encoding="utf-8")
    finish(root)
    found = [finding.code for finding in findings(root, "VER*")]
    assert found == (["VER003"] if refused else [])


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        ({}, False),
        ({"conversation": "reordered"}, False),
        ({"text": "Move my trip AAA-JJJ to the early flight."}, True),
        ({"state": {"booking": {"to": "JJJ"}}}, True),
    ],
)
def test_h16_the_case_changed_under_the_label(
    tmp_path: Path, change: dict[str, Any], stale: bool
) -> None:
    text, seed = "Change my trip AAA-LLL to AAA-JJJ.", {"booking": {"to": "LLL", "from": "AAA"}}
    value = record("fl", required_tools=[], facts=[{"id": "a", "any_of": ["changed"]}])
    root = finish(make_repository(tmp_path, [value], [case("fl", text, seed)]))
    now = case("fl", change.get("text", text), change.get("state", seed))
    if change.get("conversation"):
        # Another order of keys, other blanks, an example answer: no change.
        now = {key: now[key] for key in reversed(list(now))}
        now["session_input"] = {"state": {"booking": {"from": "AAA", "to": "LLL"}}}
        now["conversation"][0]["final_response"] = {"parts": [{"text": "It is changed."}]}
    path = root / "cases/shop/shop.evalset.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**whole, "eval_cases": [now]}, indent=3), encoding="utf-8")
    found = findings(root)
    assert [f.code for f in found if f.severity == "excludes"] == (["CAS001"] if stale else [])
    world = world_of(Repository.load(root))
    (entry,) = compile_truth(world, check_world(world)).suites["shop"]
    assert bool(entry.exclusions) is stale


RENAMED = "  - {name: kb_search, server: help}\n  - {name: search_kb, server: help, renamed_to: kb_search, reason: catalogue 4}\n"  # noqa: E501
SPLIT = """\
  - name: manage_ticket
    reason: one tool for one thing
    split_into:
      - {tool: ticket_create, when: {action: create}}
      - {tool: ticket_close, when: {action: close}}
      - {tool: ticket_note, when: {action: note}}
  - {name: ticket_create}
  - {name: ticket_close}
  - {name: ticket_note}
"""


def with_tools(tmp_path: Path, tools: str, *records: dict[str, Any]) -> Path:
    ids = dict.fromkeys(value["case_id"] for value in records)
    root = make_repository(tmp_path, list(records), [case(c, "Help me.") for c in ids])
    with (root / "truth/tools.yaml").open("a", encoding="utf-8") as stream:
        stream.write(tools)
    return finish(root)


def test_h17_old_names_are_read_as_the_new_one(tmp_path: Path) -> None:
    root = with_tools(
        tmp_path,
        RENAMED,
        record("n1", required_tools=["search_kb"]),
        record("n2", required_tools=["kb_search"]),
        record("n3", required_tools=[], forbidden_tools=["mcp__help__search_kb"]),
        record("n4", required_tools=["search_kb"]),
        record("n4", 2, status="retired", change="retire", required_tools=["search_kb"]),
        record("n5", required_tools=["search_kb"]),
        record("n5", 2, required_tools=["lookup_order"]),
    )
    world = world_of(Repository.load(root))
    report = check_world(world)
    entries = {e.case_id: e for e in compile_truth(world, report).suites["shop"]}
    required = {c: [t.tool for t in e.record.required] for c, e in entries.items() if e.record}
    assert required == {
        "n1": ["kb_search"],
        "n2": ["kb_search"],
        "n3": [],
        "n4": ["kb_search"],
        "n5": ["lookup_order"],
    }
    assert entries["n3"].record is not None
    assert entries["n3"].record.forbidden_tools == ("kb_search",)
    assert entries["n1"].content_hash == entries["n2"].content_hash
    # What the bulk rename will write anew: n1 and n3, and neither n2, n4 nor n5.
    assert [f.case_id for f in report.findings if f.code == "TOL007"] == ["n1", "n3"]


def test_h18_a_split_is_never_guessed(tmp_path: Path) -> None:
    root = with_tools(
        tmp_path,
        SPLIT,
        record(
            "t1", required_tools=[{"tool": "manage_ticket", "args": {"action": "close", "id": "7"}}]
        ),
        record("t2", required_tools=[{"tool": "manage_ticket", "args": {"id": "7"}}]),
        record("t3", required_tools=[{"tool": "manage_ticket", "args": {"action": "reopen"}}]),
        record("t4", required_tools=[], forbidden_tools=["manage_ticket"]),
    )
    world = world_of(Repository.load(root))
    report = check_world(world)
    entries = {e.case_id: e for e in compile_truth(world, report).suites["shop"]}
    open_cases = [c for c, e in entries.items() if "TOL006" in [x.code for x in e.exclusions]]
    assert open_cases == ["t2", "t3"]
    t1, t4 = entries["t1"].record, entries["t4"].record
    assert t1 is not None
    assert t4 is not None
    assert [(t.tool, t.args) for t in t1.required] == [("ticket_close", {"id": "7"})]
    assert sorted(t4.forbidden_tools) == ["ticket_close", "ticket_create", "ticket_note"]
    hints = [f.hint for f in report.findings if f.code == "TOL006"]
    assert all('action "create"' in hint and "ticket_note" in hint for hint in hints)
