"""Whatever stands in the files, a check ends in findings; no rule crashes."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.checks.compiling import compile_truth, stops
from assay.checks.runner import check_world, world_of
from assay.files.yamls import read_yaml
from assay.ledger.repository import Repository
from tests.rules.harness import BASE

FILES = (
    "truth/records/shop/lamp.r0001.json",
    "truth/records/shop/bearing.r0001.json",
    "truth/records/shop/thanks.r0001.json",
    "truth/tools.yaml",
    "truth/policies.yaml",
    "truth/people.yaml",
    "cases/shop/suite.yaml",
    "cases/shop/shop.evalset.json",
    "params.yaml",
)

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from(["", " ", "a", "$", "/", "~", "lamp", "ana", "2026-11-30", "refunds-v8#3.2"]),
    st.sampled_from(["get_order", "refund_order", "manage_ticket", "search", "docs/search"]),
    st.sampled_from([[], {}, [{}], [None], {"$any": True}, {"$number": "x"}, {"$one_of": [1]}]),
    st.sampled_from([{"$pattern": "("}, {"$set": 3}, {"$ref": "get_order"}, {"$date": "x"}]),
    st.sampled_from([{"$relative": "next monday"}, {"a": {"b": [1, {"$any": True}]}}, "exact"]),
    st.sampled_from(["plan", "in_order", "disputed", "silver", "draft", "retired"]),
    st.text(max_size=4),
)

EXTRA: dict[str, Any] = {
    "order": "in_order",
    "max_calls": {"get_order": 1},
    "acceptable_answers": ["41.90 EUR"],
    "must_not_state": [{"id": "x", "any_of": ["no"]}],
    "final_out": {"a": [1, {"b": "c"}]},
    "score_basis": ["outcome"],
    "plan": {
        "execution_steps": [
            {"name": "a", "action": "get_order", "agent": "x", "arguments": {"order_id": "7"}},
            {"name": "b", "action": "issue_refund", "agent": "x"},
        ],
        "execution_links": [{"source": "a", "target": "b"}],
    },
    "witnesses": {"accept": [{"answer": "x", "tool_calls": [{"tool": "search"}]}], "reject": [{}]},
    "applies_from": "2026-10-01",
}


def values(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in FILES:
        text = (root / name).read_text(encoding="utf-8")
        found[name] = json.loads(text) if name.endswith(".json") else read_yaml(root / name).value
    return found


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*at, index))
    return found


def put(value: Any, at: tuple[Any, ...], new: Any) -> None:
    for step in at[:-1]:
        value = value[step]
    value[at[-1]] = new


BASE_VALUES = values(BASE)


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, Any]:
    """The base with a few fields added and a few values replaced by odd ones."""
    found = json.loads(json.dumps(BASE_VALUES))
    for name in draw(st.lists(st.sampled_from(FILES[:3]), max_size=2)):
        for field in draw(st.lists(st.sampled_from(sorted(EXTRA)), max_size=3)):
            found[name][field] = EXTRA[field]
    found = json.loads(json.dumps(found))
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(FILES))
        spots = places(found[name])
        if spots:
            odd = json.loads(json.dumps(draw(ODD)))  # A copy: it may be changed in its turn.
            put(found[name], draw(st.sampled_from(spots)), odd)
    return found


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
@given(repositories())
def test_no_rule_crashes(files: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(BASE, root, dirs_exist_ok=True)
        for name, value in files.items():
            (root / name).write_text(json.dumps(value), encoding="utf-8")
        world = world_of(Repository.load(root))
        report = check_world(world)
        crashes = [finding for finding in report.findings if finding.code == "FIL000"]
        assert crashes == []
        compiled = compile_truth(world, report)
        entries = {e.case_id: e for e in compiled.suites.get("shop", ())}
        for case_id in world.repository.cases:
            entry = entries[case_id]
            # Every case is there, and none gates or is open without a record that counts.
            assert entry.record is not None or entry.exclusions
            assert not (entry.gates and entry.exclusions)
        for finding in report.findings:
            assert finding.path or finding.code == "FIL000"
            assert finding.message.endswith((".", "!", "?")) or finding.code == "GAT001", finding
        stops(report)


def test_the_order_of_files_means_nothing(tmp_path: Path) -> None:
    """The same repository copied in another order gives the same findings, byte for byte."""
    reports = []
    for n, order in enumerate((sorted, lambda names: sorted(names, reverse=True))):
        root = tmp_path / str(n)
        names = [p.relative_to(BASE) for p in BASE.rglob("*") if p.is_file()]
        for name in order(names):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(BASE / name, root / name)
        (root / "truth/records/shop/lamp.r0001.json").write_text("{", encoding="utf-8")
        (root / "truth/people.yaml").write_text("people: {}\n", encoding="utf-8")
        reports.append(check_world(world_of(Repository.load(root))).model_dump_json())
    assert reports[0] == reports[1]
