from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import __version__
from assay.errors import UsageError
from assay.models.finding import SEVERITIES, Finding, FindingReport
from assay.reporting import findings as f
from assay.reporting.findings.grouping import grouped
from tests.reporting import examples as e

Golden = Callable[[str, str], None]
SUFFIX = {"text": "txt", "json": "json", "sarif": "sarif", "github": "txt", "gitlab": "json"}
EMPTY = FindingReport(findings=(), checked={"records": 3, "cases": 1})


def render(report: FindingReport, format: str) -> str:
    return f.render(format, report, today=e.TODAY, explanations=e.EXPLANATIONS)


@pytest.mark.parametrize("format", f.FORMATS)
def test_every_format(format: str, golden: Golden) -> None:
    ending = SUFFIX.get(format, {"junit": "xml", "markdown": "md"}.get(format, ""))
    text = render(e.findings(), format).replace(f'"version": "{__version__}"', '"version": "…"')
    golden(f"findings-{format}.{ending}", text)


@pytest.mark.parametrize("format", f.FORMATS)
def test_nothing_found(format: str) -> None:
    text = render(EMPTY, format)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    if format in ("text", "github"):
        assert text == "Nothing found in 3 records, 1 case.\n"
    if format == "markdown":
        assert text == "**Nothing found** in 3 records, 1 case on 2026-11-30.\n"


def test_unknown_format() -> None:
    with pytest.raises(UsageError, match="no format `yaml`"):
        render(EMPTY, "yaml")


def test_defaults_suffice_and_uncounted_kinds_are_not_invented() -> None:
    report = FindingReport(
        findings=(Finding(code="FIL001", severity="error", message="No."),), checked={}
    )
    assert f.render("text", report) == "the repository\n  error     FIL001  No.\n1 error.\n"


def test_the_printed_examples_of_the_design() -> None:
    chosen = tuple(x for x in e.findings().findings if x.code in ("HIS004", "EXP001"))
    report = FindingReport(findings=chosen, checked={"records": 412, "cases": 118})
    assert f.text(report, today=e.TODAY, width=100).splitlines() == [
        "truth/records/shop/refund-0142.r0002.json:3:15",
        "  error     HIS004  Revision 2 exists on main with other content (li, 2026-11-29).",
        "            next    assay renumber refund-0142     yours becomes r0003;"
        " you both changed: facts",
        "truth/records/shop/refund-0077.r0001.json:41:14  /expires",
        "  excludes  EXP001  Expired on 2026-11-28, today is 2026-11-30. Gold: the gate loses it.",
        "            next    assay renew refund-0077 --until 2027-05-28     must sign: omar",
        "1 error and 1 exclusion in 412 records, 118 cases on 2026-11-30.",
    ]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_text_is_wrapped_and_commands_are_whole(width: int) -> None:
    text = f.text(e.findings(), today=e.TODAY, width=width)
    assert "assay renumber refund-0142     yours becomes" in text
    for line in text.splitlines():
        if "next" not in line and ".json" not in line and "`" not in line:
            assert len(line) <= max(width, 46) or line.startswith("2 errors"), line


def test_colours_only_when_asked() -> None:
    assert "\x1b" not in f.text(e.findings())
    coloured = f.text(e.findings(), color=True)
    assert re.sub(r"\x1b\[[0-9]*m", "", coloured) == f.text(e.findings())
    assert coloured.count("\x1b[31m") == 2


def test_equal_findings_are_one_line_with_a_count() -> None:
    text = f.text(e.findings())
    assert text.count("by its old name") == 1
    assert "(5 like this)" in text
    assert "and 1 more" in text
    assert "2 errors, 1 exclusion, 5 warnings and 1 note" in text


def test_messages_that_differ_in_the_case_alone_are_one() -> None:
    def of(case: str | None, path: str) -> Finding:
        return Finding(
            code="STA002", severity="error", path=path, case_id=case, message=f"{case} is odd."
        )

    cases = FindingReport(findings=(of("a-1", "a"), of("a-2", "b")), checked={})
    assert "a-1 is odd. (2 like this)" in f.text(cases)
    files = FindingReport(findings=(of(None, "a"), of(None, "b")), checked={})
    assert "like this" not in f.text(files)


def test_findings_that_were_counted_together_before() -> None:
    one = Finding(code="TOL003", severity="warning", path="a.json", message="Old name.", count=40)
    text = f.text(FindingReport(findings=(one,), checked={}))
    assert text == "a.json\n  warning   TOL003  Old name. (40 like this)\n40 warnings.\n"


def test_files_stay_together_in_order() -> None:
    def at(path: str, line: int) -> Finding:
        return Finding(
            code="FIL001", severity="error", path=path, line=line, message=f"{path}{line}"
        )

    report = FindingReport(findings=(at("b", 1), at("a", 1), at("b", 2)), checked={})
    places = [line for line in f.text(report).splitlines() if line[0] in "ab"]
    assert places == ["b:1", "b:2", "a:1"]


def test_json_is_the_report() -> None:
    text = f.json_text(e.findings())
    assert FindingReport.model_validate(json.loads(text), strict=False) == e.findings()
    assert set(json.loads(text)) == {"schema_version", "findings", "checked"}
    for finding in json.loads(text)["findings"]:
        assert list(finding) == list(Finding.model_fields)


def test_json_carries_lone_surrogates_as_escapes() -> None:
    odd = Finding(code="FIL001", severity="error", message="half")
    odd = odd.model_copy(update={"message": "half \ud83d"})
    text = f.json_text(FindingReport(findings=(odd,), checked={}))
    text.encode()
    assert json.loads(text)["findings"][0]["message"] == "half \ud83d"


# SARIF


def sarif(report: FindingReport) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(f.sarif(report, e.EXPLANATIONS))
    return document


def test_sarif_has_the_structure_of_2_1_0() -> None:
    document = sarif(e.findings())
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-2.1.0.json")
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    assert [rule["id"] for rule in rules] == sorted(rule["id"] for rule in rules)
    assert {"EXP001", "HIS004", "ZZZ001", "TOL003"} <= {rule["id"] for rule in rules}
    for rule in rules:
        assert rule["shortDescription"]["text"]
    help_text = next(rule["help"] for rule in rules if rule["id"] == "HIS004")
    assert help_text["text"] == e.EXPLANATIONS["HIS004"][1]
    assert "`renumber`" in help_text["markdown"]
    assert len(run["results"]) == len(e.findings().findings)
    for result, finding in zip(run["results"], e.findings().findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.code
        assert result["level"] in ("error", "warning", "note")
        assert result["properties"]["severity"] == finding.severity
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] in run["originalUriBaseIds"]
        assert re.fullmatch(r"[A-Za-z0-9/_.~%-]+", artifact["uri"])
        region = location["physicalLocation"].get("region")
        if finding.line is None:
            assert region is None
        else:
            assert region["startLine"] == finding.line
            assert region.get("startColumn") == finding.column
        assert re.fullmatch("[0-9a-f]{64}", result["partialFingerprints"]["assayFinding/v1"])


def test_sarif_says_that_a_case_is_excluded() -> None:
    (result,) = (r for r in sarif(e.findings())["runs"][0]["results"] if r["ruleId"] == "EXP001")
    assert (result["level"], result["properties"]["severity"]) == ("warning", "excludes")


def test_sarif_without_findings() -> None:
    (run,) = sarif(EMPTY)["runs"]
    assert run["results"] == []


@pytest.mark.conformance
@pytest.mark.parametrize("report", [EMPTY, e.findings()], ids=["empty", "full"])
def test_sarif_fits_the_published_schema(report: FindingReport) -> None:
    import jsonschema

    given = os.environ.get("ASSAY_SARIF_SCHEMA")
    if not given:
        pytest.skip("ASSAY_SARIF_SCHEMA names no copy of the SARIF 2.1.0 schema")
    schema = json.loads(Path(given).read_text(encoding="utf-8"))
    checker = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in checker.iter_errors(sarif(report))] == []


def prints(report: FindingReport) -> list[str]:
    return [entry["fingerprint"] for entry in json.loads(f.gitlab(report))]


def test_fingerprints_are_distinct_and_survive_moved_lines_and_days() -> None:
    report = e.findings()
    before = prints(report)
    assert len(set(before)) == len(before)
    moved = FindingReport(
        findings=tuple(
            x.model_copy(update={"line": (x.line or 0) + 7, "message": x.message + " Tomorrow."})
            for x in report.findings
        ),
        checked={},
    )
    assert prints(moved) == before
    assert prints(FindingReport(findings=report.findings[1:], checked={})) == before[1:]


def test_two_findings_of_one_place_are_told_apart() -> None:
    same = [Finding(code="FIL002", severity="error", path="a", message=m) for m in ("One.", "Two.")]
    first, second = prints(FindingReport(findings=tuple(same), checked={}))
    assert first != second


# GitHub, GitLab, JUnit, Markdown


def test_annotations_are_escaped() -> None:
    text = f.github(e.findings())
    (nasty,) = (line for line in text.splitlines() if "REC005" in line)
    assert nasty.startswith(
        "::error file=truth/records/shop/a%2C b%3Ac%25.json,line=1,title=REC005::Is \\e[31mred"
    )
    assert "\x1b" not in text
    assert [line.split(" ")[0] for line in text.splitlines()[:-1]] == [
        "::error",
        "::error",
        "::warning",
        "::warning",
        "::notice",
    ]


def test_at_most_ten_annotations_the_gravest_first() -> None:
    many = [
        Finding(code="TOL001", severity=SEVERITIES[3 - n % 4], path=f"f{n}", message=f"No {n}.")
        for n in range(23)
    ]
    report = FindingReport(findings=tuple(many), checked={"records": 1})
    lines = f.github(report).splitlines()
    assert len(lines) == 11
    assert sum(line.startswith("::error") for line in lines) == 5
    assert lines[-1].endswith("in 1 record. 13 more in the step summary.")
    summary = f.step_summary(report, today=e.TODAY)
    assert all(f"No {n}." in summary for n in range(23))


def test_the_step_summary_fits_the_page() -> None:
    many = [
        Finding(code="TOL001", severity="note", path=f"f{n}", message=f"{n} " + "x" * 900)
        for n in range(1500)
    ]
    summary = f.step_summary(FindingReport(findings=tuple(many), checked={}))
    assert len(summary.encode()) < 1_000_000
    assert re.search(r"\n[0-9]+ more: `assay check`\n\Z", summary)


def test_gitlab_entries_have_what_gitlab_demands() -> None:
    for entry in json.loads(f.gitlab(e.findings())):
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["path"]
        assert entry["location"]["lines"]["begin"] >= 1
    assert json.loads(f.gitlab(EMPTY)) == []


def test_junit_has_one_case_for_each_rule() -> None:
    root = ET.fromstring(f.junit(e.findings(), e.EXPLANATIONS))
    (suite,) = root
    cases = {case.attrib["name"].split()[0]: case for case in suite}
    assert list(cases) == ["EXP001", "FIL000", "HIS004", "REC005", "TOL003", "ZZZ001"]
    assert suite.attrib["tests"] == "6"
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("2", "1")
    assert cases["HIS004"].find("failure") is not None
    assert cases["EXP001"].find("skipped") is not None
    assert cases["TOL003"].find("failure") is None
    assert list(cases["ZZZ001"]) == []
    text = cases["REC005"].find("failure").text  # type: ignore[union-attr]
    assert text is not None
    assert "<b>calls</b>" in text


@given(st.text(min_size=1))
def test_every_text_survives_every_format(message: str) -> None:
    finding = Finding.model_construct(
        code="FIL001",
        severity="error",
        path=message,
        line=1,
        column=1,
        pointer="/" + message,
        case_id=message,
        suite=message,
        message=message,
        hint=message,
        count=1,
    )
    report = FindingReport.model_construct(findings=(finding,), checked={})
    for name in f.FORMATS:
        text = render(report, name)
        text.encode()
        if name != "json":
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
    ET.fromstring(f.junit(report, {}).encode())
    json.loads(f.sarif(report, {}))
    assert f.github(report).count("\n") == 2
    assert len(f.markdown(report).splitlines()) == 5


def finding(case_id: str | None, message: str, **fields: Any) -> Finding:
    value = {"code": "EXP001", "severity": "excludes", "path": f"{case_id}.json", **fields}
    return Finding(case_id=case_id, message=message, **value)


def test_equal_findings_with_one_cause_become_one() -> None:
    found = [
        finding("a", "Expired on 2027-03-18."),
        finding("b", "Expired on 2027-03-18."),
        finding("c", "Expired on 2027-03-19."),
        finding("d", "d is retired."),
        finding("e", "e is retired.", count=2),
        finding("a-1", "a-1 and b are one."),
        finding("a-2", "a-1 and b are one."),
        finding("a", "Expired on 2027-03-18.", code="EXP002"),
        finding(None, "Cannot be read.", path="x"),
        finding(None, "Cannot be read.", path="y"),
    ]
    shown = grouped(found)
    assert [(g.first.case_id, g.count) for g in shown] == [
        ("a", 2),
        ("c", 1),
        ("d", 3),
        ("a-1", 1),
        ("a-2", 1),
        ("a", 1),
        (None, 1),
        (None, 1),
    ]
    assert sum(g.count for g in shown) == sum(f.count for f in found)
