"""A decision as JUnit XML: one test for the gate, and one for each case that it names."""

from __future__ import annotations

from xml.etree import ElementTree

from assay.models.gate import GateReport
from assay.reporting.gate import phrases
from assay.reporting.gate.as_text import text
from assay.reporting.words import safe, safe_lines


def junit(report: GateReport) -> str:
    """JUnit XML. A refusal is an error, a failure a failure: builds show them apart."""
    rows: list[tuple[str, str, str, str]] = [_whole(report)]
    rows += [(case.case_id, "failure", phrases.failed(case), case.why) for case in report.failures]
    named = {case.case_id for case in report.failures}
    for refusal in report.refusals:
        rows += [
            (name, "error", refusal.message, "") for name in refusal.cases if name not in named
        ]
    suite = ElementTree.Element(
        "testsuite",
        name=safe(f"assay gate {report.suite}"),
        tests=str(len(rows)),
        failures=str(sum(kind == "failure" for _, kind, _, _ in rows)),
        errors=str(sum(kind == "error" for _, kind, _, _ in rows)),
        skipped="0",
    )
    for name, kind, message, body in rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname=safe(f"assay.{report.suite}"), name=safe(name)
        )
        if kind:
            found = ElementTree.SubElement(case, kind, message=safe(message))
            found.text = "\n".join(safe_lines(body))
    ElementTree.indent(suite)
    root = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'


def _whole(report: GateReport) -> tuple[str, str, str, str]:
    kind = {"passes": "", "fails": "failure", "refuses": "error"}[report.decision]
    return ("the gate", kind, phrases.headline(report), text(report) if kind else "")
