"""Every rule on tiny repositories: the exact findings, failing and passing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.checks.runner import FAMILIES, rules
from assay.checks.waiving import waivable
from tests.rules.harness import HERE, RuleCase, as_data, checked, rule_cases, written

CASES = rule_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_findings(
    case: RuleCase, tmp_path: Path, bless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = case.delta.get("crash")
    if crash:

        def broken(self: object, world: object) -> None:
            raise RuntimeError("out of order")

        monkeypatch.setattr(rules()[crash], "find", broken)
    found = as_data(checked(case, tmp_path / "r"), tmp_path / "r")
    if bless:
        case.expected_file.write_text(written(found), encoding="utf-8", newline="\n")
    assert found == case.expected


def test_base_is_clean(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "delta.json").write_text("{}", encoding="utf-8")
    assert checked(RuleCase("BASE", folder), tmp_path / "r").findings == ()


@pytest.mark.parametrize("code", sorted(rules()))
def test_every_rule_has_a_failing_and_a_passing_case(code: str) -> None:
    cases = [case for case in CASES if case.code == code]
    codes = [{finding["code"] for finding in case.expected} for case in cases]
    assert any(code in found for found in codes), f"no case finds {code}"
    assert any(code not in found for found in codes), f"no case is without {code}"


def test_every_folder_is_a_rule() -> None:
    assert {case.code for case in CASES} == set(rules())
    assert all(case.delta.get("why") for case in CASES)


def test_codes_have_no_gaps() -> None:
    families: dict[str, list[int]] = {}
    for code in rules():
        families.setdefault(code[:3], []).append(int(code[3:]))
    for family, numbers in families.items():
        first = 0 if family == "FIL" else 1
        assert numbers == list(range(first, first + len(numbers))), family


@pytest.mark.parametrize(("code", "rule"), sorted(rules().items()))
def test_docstring_has_what_why_and_how(code: str, rule: type) -> None:
    what, why, how = rule.explanation().split("\n\n")
    assert what.endswith(".")
    assert len(what) < 120
    assert why.endswith(".")
    assert how.endswith(".")
    assert rule.find.__doc__


def test_every_module_of_rules_is_a_family() -> None:
    import assay.checks

    folder = Path(assay.checks.__path__[0])
    with_rules = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"^class [A-Z]{3}[0-9]{3}\(", path.read_text(encoding="utf-8"), re.M)
    }
    assert with_rules - {"runner"} == set(FAMILIES)


def test_what_excludes_cannot_be_waived() -> None:
    for code, rule in rules().items():
        if rule.severity == "excludes":
            assert not waivable(code)


def test_folders_hold_nothing_else() -> None:
    for case in CASES:
        names = sorted(path.name for path in case.folder.iterdir())
        assert names == ["delta.json", "expected.json"], case.name
    assert HERE.is_dir()
