"""Canonical files of cases: text that reads back, suites that grow, nothing written over."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError, RefusedError, UsageError
from assay.files.reading import parse_json
from assay.files.validation import require
from assay.files.yamls import parse_yaml, read_yaml
from assay.intake.cases import eval_set_text, read_cases
from assay.intake.cases.store import Target, import_cases
from assay.ledger.suite_text import suite_text
from assay.models.case import CaseAttributes, EvalSet, Suite
from tests.intake.support import CASE_SHAPES, adk_set, adk_turn, put

_TEXT = st.text(st.characters(exclude_categories=("Cs",)))
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
    | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("shape", sorted(CASE_SHAPES))
def test_canonical_text_reads_back(tmp_path: Path, shape: str) -> None:
    (made,) = read_cases(put(tmp_path, "a.json", CASE_SHAPES[shape])).eval_sets
    text = eval_set_text(made)
    assert text.endswith("}\n")
    again = read_cases(put(tmp_path, "b.evalset.json", text))
    assert again.eval_sets == (made,)
    assert again.findings == ()
    assert eval_set_text(again.eval_sets[0]) == text


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(_TEXT, _VALUES, max_size=3), _TEXT)
def test_any_value_survives_in_a_case_file(state: dict[str, Any], question: str) -> None:
    made = require(
        EvalSet,
        {
            "eval_set_id": "s",
            "eval_cases": [
                {
                    "eval_id": "a",
                    "conversation": [{"user_content": {"parts": [{"text": question}]}}],
                    "session_input": {"state": state},
                }
            ],
        },
        name="x",
    )
    text = eval_set_text(made)
    assert require(EvalSet, parse_json(text, name="x"), name="x") == made
    assert len(text.splitlines()) == len(text.split("\n")) - 1 or any(
        mark in text for mark in "\x0b\x0c\x1c\x1d\x1e\r"
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(st.characters(exclude_categories=("Cs", "Co")), min_size=1),
    st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), _VALUES, max_size=3),
)
def test_any_value_survives_in_a_suite(text: str, data: dict[str, Any]) -> None:
    suite = Suite(
        suite="s",
        title=text,
        owner="ana",
        canary="c",
        licence=text,
        cases={
            "1e5": CaseAttributes(slice=text, source_id=text, data=data),
            "null": CaseAttributes(slice="no"),
        },
    )
    assert parse_yaml(suite_text(suite), name="x").require(Suite) == suite


def test_import_writes_sets_and_suite(tmp_path: Path) -> None:
    first = put(tmp_path, "in/one.test.json", adk_set())
    second = put(tmp_path, "in/two.json", [{"query": "And 18?"}])
    out = tmp_path / "cases"
    outcome = import_cases([first, second], Target(out, "post", owner="ana", licence="MIT"))
    names = [Path(path).name for path in outcome.written]
    assert names == ["one.evalset.json", "two.evalset.json", "suite.yaml"]
    suite = read_yaml(out / "post/suite.yaml").require(Suite)
    assert sorted(suite.cases) == ["parcel-17", "two"]
    for path in sorted((out / "post").glob("*.evalset.json")):
        assert suite.canary in json.loads(path.read_text("utf-8"))["description"]
    assert not outcome.failed


def test_the_same_case_in_two_files_is_written_once(tmp_path: Path) -> None:
    files = [put(tmp_path, f"{shape}.json", CASE_SHAPES[shape]) for shape in ("adk", "adk-camel")]
    outcome = import_cases(files, Target(tmp_path / "cases", "post", "ana", "MIT"))
    assert [Path(path).name for path in outcome.written] == ["adk.evalset.json", "suite.yaml"]
    assert outcome.dropped == {"exact repetition of a case": 1}


def test_import_again_changes_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, "one.json", adk_set())
    target = Target(tmp_path / "cases", "post", owner="ana", licence="MIT")
    first = import_cases([path], target)
    before = {p: p.read_bytes() for p in (tmp_path / "cases").rglob("*.*") if p.is_file()}
    second = import_cases([path], target)
    assert second.written == first.written
    assert {p: p.read_bytes() for p in before} == before


def test_more_cases_join_a_suite_and_comments_stay(tmp_path: Path) -> None:
    target = Target(tmp_path / "cases", "post", owner="ana", licence="MIT")
    import_cases([put(tmp_path, "one.json", adk_set())], target)
    suite_file = tmp_path / "cases/post/suite.yaml"
    text = suite_file.read_text("utf-8").replace("cases:\n", "cases:  # all of them\n")
    suite_file.write_text(f"# ours\n{text}", encoding="utf-8")
    other = {"eval_id": "parcel-18", "conversation": [{"user_content": "And 18?"}]}
    same_id = {"eval_id": "parcel-17", "conversation": [{"user_content": "Which one?"}]}
    value = {"eval_set_id": "more", "eval_cases": [other, same_id]}
    outcome = import_cases([put(tmp_path, "two.json", value)], target)
    grown = suite_file.read_text("utf-8")
    assert grown.startswith("# ours\n")
    suite = parse_yaml(grown, name="x").require(Suite)
    assert len(suite.cases) == 3
    (derived,) = [case_id for case_id in suite.cases if case_id.startswith("parcel-17-")]
    assert suite.cases[derived].source_id == "parcel-17"
    assert [item.code for item in outcome.findings] == ["ICA004"]
    again = import_cases([put(tmp_path, "two.json", value)], target)
    assert suite_file.read_text("utf-8") == grown
    assert not again.failed


def test_ids_are_unique_over_suites(tmp_path: Path) -> None:
    path = put(tmp_path, "one.json", adk_set())
    out = tmp_path / "cases"
    import_cases([path], Target(out, "post", owner="ana", licence="MIT"))
    outcome = import_cases([path], Target(out, "mail", owner="ana", licence="MIT"))
    assert [item.code for item in outcome.findings] == ["ICA004"]
    suite = read_yaml(out / "mail/suite.yaml").require(Suite)
    (case_id,) = suite.cases
    assert case_id.startswith("parcel-17-")


def test_other_content_is_never_written_over(tmp_path: Path) -> None:
    target = Target(tmp_path / "cases", "post", owner="ana", licence="MIT")
    import_cases([put(tmp_path, "one.json", adk_set())], target)
    kept = tmp_path / "cases/post/one.evalset.json"
    before = kept.read_bytes()
    changed = adk_set({"eval_id": "other", "conversation": [adk_turn()]})
    outcome = import_cases([put(tmp_path, "one.json", changed)], target)
    assert [item.code for item in outcome.findings] == ["ICA040"]
    assert outcome.failed
    assert kept.read_bytes() == before
    suite = read_yaml(tmp_path / "cases/post/suite.yaml").require(Suite)
    assert list(suite.cases) == ["parcel-17"]
    forced = Target(tmp_path / "cases", "post", replace=True)
    assert not import_cases([put(tmp_path, "one.json", changed)], forced).failed
    assert kept.read_bytes() != before


def test_files_of_one_name_get_names_of_their_own(tmp_path: Path) -> None:
    first = put(tmp_path, "a/simple.test.json", adk_set())
    other = {"eval_id": "x", "conversation": [{"user_content": "?"}]}
    second = put(tmp_path, "b/simple.test.json", adk_set(other))
    outcome = import_cases([first, second], Target(tmp_path / "c", "post", "ana", "MIT"))
    names = {Path(path).name for path in outcome.written}
    assert len(names) == 3
    assert "simple.evalset.json" in names


def test_one_broken_file_costs_one_file(tmp_path: Path) -> None:
    good = put(tmp_path, "good.json", adk_set())
    bad = put(tmp_path, "bad.json", "{")
    outcome = import_cases([bad, good], Target(tmp_path / "c", "post", "ana", "MIT"))
    assert outcome.failed
    assert outcome.read == 1
    (error,) = [item for item in outcome.findings if item.severity == "error"]
    assert (error.code, error.path) == ("ICA001", bad.as_posix())
    assert len(outcome.written) == 2


def test_a_suite_without_owner_or_licence_is_named(tmp_path: Path) -> None:
    outcome = import_cases([put(tmp_path, "a.json", adk_set())], Target(tmp_path / "c"))
    assert [item.code for item in outcome.findings] == ["ICA041", "ICA041"]
    assert not outcome.failed


@pytest.mark.parametrize(
    ("suite", "owner"), [("../x", "ana"), ("Post", "ana"), ("post", "Ana B"), ("", "ana")]
)
def test_names_that_cannot_be_are_refused(tmp_path: Path, suite: str, owner: str) -> None:
    with pytest.raises(UsageError):
        import_cases([], Target(tmp_path / "c", suite, owner))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "suite: [",
        "suite: post\n",
        "cases: {a: {slice: x}}\nsuite: post\nowner: a\ncanary: c\nlicence: l\n",
    ],
)
def test_a_wrong_suite_file_is_never_touched(tmp_path: Path, text: str) -> None:
    suite_file = put(tmp_path, "c/post/suite.yaml", text)
    with pytest.raises(InputError) as caught:
        import_cases([put(tmp_path, "a.json", adk_set())], Target(tmp_path / "c", "post"))
    assert caught.value.path.endswith("suite.yaml")
    assert suite_file.read_text("utf-8") == text


def test_numbers_in_a_suite_stay_exact() -> None:
    data = {"n": 9007199254740993, "d": Decimal("0.10"), "t": "1.10"}
    suite = Suite(
        suite="s",
        owner="a",
        canary="c",
        licence="l",
        cases={"a": CaseAttributes(slice="s", data=data)},
    )
    assert parse_yaml(suite_text(suite), name="x").require(Suite).cases["a"].data == data


def test_two_imports_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite changes between reading and writing: refused, and nothing is written."""
    from assay.intake.cases import store

    target = Target(tmp_path / "cases", "post", "ana", "MIT")
    import_cases([put(tmp_path, "one.json", adk_set())], target)
    suite_file = tmp_path / "cases/post/suite.yaml"
    real = store.write_files

    def late(*args: Any, **more: Any) -> None:
        suite_file.write_text(f"# somebody else\n{suite_file.read_text('utf-8')}", "utf-8")
        real(*args, **more)

    monkeypatch.setattr(store, "write_files", late)
    other = adk_set({"eval_id": "x", "conversation": [{"user_content": "?"}]})
    with pytest.raises(RefusedError, match="meanwhile"):
        import_cases([put(tmp_path, "two.json", other)], target)
    assert not (tmp_path / "cases/post/two.evalset.json").exists()
    assert suite_file.read_text("utf-8").startswith("# somebody else\n")
