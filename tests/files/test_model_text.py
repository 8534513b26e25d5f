from __future__ import annotations

from assay.files.model_text import model_text
from assay.files.reading import parse_json
from assay.models.result import TrialRate


def test_a_required_field_is_written_though_it_is_null() -> None:
    rate = TrialRate(k=2, pass_hat_k=None, pass_at_k=None, cases=0)
    assert TrialRate.model_validate(parse_json(model_text(rate), name="rate")) == rate
