"""Drafts without secrets and addresses: a record and its case have the same placeholders."""

from __future__ import annotations

from dataclasses import replace

from assay.intake.cases.cleaning import clean_case
from assay.intake.codes import sorted_findings
from assay.intake.drafts.imported import DraftImport
from assay.intake.replaced import Replaced
from assay.models.base import Model
from assay.models.case import CaseAttributes
from assay.models.truth import TruthRecord
from assay.redaction import Spared


def clean_draft(made: DraftImport, spared: Spared, path: str) -> DraftImport:
    """What was drafted, with placeholders, and a finding that counts them.

    Args:
        made: what was drafted.
        spared: what stays.
        path: the file that was drafted from.
    """
    replaced = Replaced()
    records = {record.case_id: record for record in made.records}
    attributes = dict(made.attributes)
    sets = []
    for given in made.eval_sets:
        cases = []
        for case in given.eval_cases:
            known = (records.get(case.eval_id), attributes.get(case.eval_id))
            others: list[Model] = [item for item in known if item is not None]
            cleaned, more = clean_case(case, others, spared, replaced)
            cases.append(cleaned)
            for item in more:
                if isinstance(item, TruthRecord):
                    records[case.eval_id] = item
                elif isinstance(item, CaseAttributes):
                    attributes[case.eval_id] = item
        sets.append(given.model_copy(update={"eval_cases": tuple(cases)}))
    return replace(
        made,
        records=tuple(records[record.case_id] for record in made.records),
        eval_sets=tuple(sets),
        attributes=attributes,
        findings=sorted_findings([*made.findings, *replaced.findings(path, "ICA042", "ICA043")]),
    )
