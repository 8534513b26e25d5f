"""Findings as SARIF 2.1.0, which code-scanning pages of forges and editors read."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from assay import __version__
from assay.models.finding import Finding, FindingReport, Severity
from assay.reporting.findings.explained import Explanations, codes_of
from assay.reporting.findings.fingerprints import ANCHOR, fingerprints, message_and_hint
from assay.reporting.json_out import json_document
from assay.reporting.words import safe

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""Where the schema of the format is published."""

_LEVELS: dict[Severity, str] = {
    "error": "error",
    "excludes": "warning",
    "warning": "warning",
    "note": "note",
}


def sarif(report: FindingReport, explanations: Explanations) -> str:
    """The report as one SARIF run.

    SARIF has no level for `excludes`: it is a ``warning`` whose property ``severity`` says so.
    Columns count characters (``unicodeCodePoints``). A finding without a file is placed at
    ``params.yaml``, because forges drop results that have none.

    Args:
        report: what was found.
        explanations: code to title and explanation; each becomes a rule with its help text.
    """
    codes = codes_of(report, explanations)
    severities = {finding.code: finding.severity for finding in report.findings}
    index = {code: position for position, code in enumerate(codes)}
    names = fingerprints(report.findings)
    document: dict[str, Any] = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Assay",
                        "version": __version__,
                        "rules": [
                            _rule(code, explanations, severities.get(code)) for code in codes
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    "ROOT": {"description": {"text": "The root of the repository."}}
                },
                "results": [
                    _result(finding, index[finding.code], name)
                    for finding, name in zip(report.findings, names, strict=True)
                ],
                "properties": {"checked": dict(report.checked)},
            }
        ],
    }
    return json_document(document)


def _rule(code: str, explanations: Explanations, severity: Severity | None) -> dict[str, Any]:
    title, explanation = explanations.get(code, (code, ""))
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": safe(title)}}
    if explanation:
        rule["fullDescription"] = {"text": safe(title)}
        rule["help"] = {
            "text": explanation,
            "markdown": explanation.replace("``", "`"),
        }
    if severity:
        rule["defaultConfiguration"] = {"level": _LEVELS[severity]}
    rule["properties"] = {"tags": ["truth", code[:3]]}
    return rule


def _result(finding: Finding, rule: int, name: str) -> dict[str, Any]:
    properties = {
        "severity": finding.severity,
        "pointer": finding.pointer or None,
        "case_id": finding.case_id,
        "suite": finding.suite,
        "hint": finding.hint or None,
        "count": finding.count if finding.count > 1 else None,
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": safe(message_and_hint(finding))},
        "locations": [_location(finding)],
        "partialFingerprints": {"assayFinding/v1": name},
        "properties": {key: value for key, value in properties.items() if value is not None},
    }


def _location(finding: Finding) -> dict[str, Any]:
    physical: dict[str, Any] = {
        "artifactLocation": {"uri": uri_of(finding.path or ANCHOR), "uriBaseId": "ROOT"}
    }
    if finding.line is not None:
        physical["region"] = {"startLine": finding.line}
        if finding.column is not None:
            physical["region"]["startColumn"] = finding.column
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.pointer, "kind": "member"}]
    return location


def uri_of(path: str) -> str:
    """A relative path as a URI reference."""
    return quote(path.encode("utf-8", "surrogatepass"), safe="/-._~")
