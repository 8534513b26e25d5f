"""Findings as JUnit XML, which every CI system shows: one test case for each rule."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from assay.models.finding import Finding, FindingReport
from assay.reporting.findings.explained import Explanations, codes_of, title_of
from assay.reporting.findings.fingerprints import message_and_hint
from assay.reporting.findings.grouping import place_of
from assay.reporting.words import count, safe


def junit(report: FindingReport, explanations: Explanations) -> str:
    """One test suite; a rule with errors fails, one that excludes cases is skipped.

    Warnings and notes stand in ``system-out`` of a rule that passes.

    Args:
        report: what was found.
        explanations: code to title; every rule in it is a test case, found or not.
    """
    by_code: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_code.setdefault(finding.code, []).append(finding)
    codes = codes_of(report, explanations)
    failed = sum(_has(by_code.get(code, ()), "error") for code in codes)
    skipped = sum(
        _has(by_code.get(code, ()), "excludes") and not _has(by_code[code], "error")
        for code in codes
    )
    head = (
        f'name="assay check" tests="{len(codes)}" failures="{failed}" errors="0"'
        f' skipped="{skipped}"'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {head}>",
        f"<testsuite {head}>",
    ]
    for code in codes:
        lines += _case(code, title_of(code, explanations), by_code.get(code, []))
    return "\n".join([*lines, "</testsuite>", "</testsuites>"]) + "\n"


def _has(findings: Sequence[Finding], severity: str) -> bool:
    return any(finding.severity == severity for finding in findings)


def _case(code: str, title: str, findings: Sequence[Finding]) -> list[str]:
    name = code if title == code else f"{code} {safe(title)}"
    opening = f"<testcase classname={quoteattr('assay.check.' + code[:3])} name={quoteattr(name)}"
    if not findings:
        return [f"{opening}/>"]
    number = sum(finding.count for finding in findings)
    body = escape("\n".join(f"{safe(place_of(f))}: {safe(message_and_hint(f))}" for f in findings))
    message = quoteattr(count(number, "finding"))
    if _has(findings, "error"):
        inner = [f'<failure message={message} type="error">{body}</failure>']
    elif _has(findings, "excludes"):
        what = quoteattr(f"{count(number, 'exclusion')}: cannot be scored today")
        inner = [f"<skipped message={what}/>", f"<system-out>{body}</system-out>"]
    else:
        inner = [f"<system-out>{body}</system-out>"]
    return [f"{opening}>", *inner, "</testcase>"]
