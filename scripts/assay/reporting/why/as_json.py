"""An explanation for programs."""

from __future__ import annotations

from typing import Any

from assay.files.model_text import plain
from assay.reporting.expectations import expectations
from assay.reporting.history import history
from assay.reporting.json_out import all_fields, json_document
from assay.reporting.judging import deciding
from assay.reporting.why.inputs import WhyInput, next_commands


def json_text(why: WhyInput) -> str:
    """The explanation as a JSON document, ``schema_version`` 1.

    ``deciding`` holds the evidence that decided, ``result`` the whole verdict, ``observed`` the
    run, ``history`` the revisions with the latest first. What is not known is null.
    """
    return json_document(
        {
            "schema_version": 1,
            "suite": why.suite,
            "case_id": why.case_id,
            "run": why.run,
            "today": why.today or None,
            "result_id": why.result_id or None,
            "outcome": why.result.outcome if why.result else None,
            "deciding": [all_fields(item) for item in deciding(why.result)] if why.result else [],
            "exclusions": [all_fields(item) for item in why.exclusions],
            "asked": _asked(why),
            "expected": _expected(why),
            "observed": plain(why.observed) if why.observed else None,
            "result": all_fields(why.result) if why.result else None,
            "history": [
                {
                    "revision": step.record.revision,
                    "status": step.record.status,
                    "change": step.record.change,
                    "counts": step.counts,
                    "changed": step.changed,
                    "rationale": step.record.rationale,
                }
                for step in history(why.revisions, why.counting)
            ],
            "runs": [
                {
                    "run": standing.run,
                    "outcomes": [trial.outcome for trial in standing.trials],
                }
                for standing in why.everybody
            ],
            "label_suspected": why.label_suspected,
            "next": [command for command, _ in next_commands(why)],
        }
    )


def _asked(why: WhyInput) -> list[str] | None:
    if why.case is None:
        return None
    return [turn.user_content.text for turn in why.case.conversation or ()]


def _expected(why: WhyInput) -> dict[str, Any] | None:
    record = why.record
    if record is None:
        return None
    return {
        "path": why.path or None,
        "revision": record.revision,
        "status": record.status,
        "policies": record.policies,
        "clauses": record.clauses,
        "rationale": record.rationale,
        "expectations": [
            {
                "pointer": item.pointer,
                "component": item.component,
                "label": item.label,
                "text": item.text,
            }
            for item in expectations(record)
        ],
        "record": plain(record),
    }
