"""H42: five secrets in a recording, whatever the case of their names, and none in a clean one."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.files.yamls import parse_yaml
from assay.redaction import find_secrets, redact
from tests.intake.support import shared_data

RECORDING = """\
interactions:
  - request:
      method: GET
      uri: https://shop.example.com/parcels?access_token=SAMPLE-TOKEN-7001
      headers:
        authorization: ["Basic c2FtcGxlOlNBTVBMRS1QQVNTLTc3"]
        X-Api-Key: ["SAMPLE-KEY-7002"]
    response:
      status: {code: 200}
      headers:
        SET-COOKIE: ["sid=SAMPLE-COOKIE-7003; HttpOnly"]
      body: '{"refresh_token": "SAMPLE-REFRESH-7004", "parcels": [1]}'
"""
CLEAN = """\
interactions:
  - request: {method: GET, uri: "https://shop.example.com/p", headers: {authorization: [REDACTED]}}
    response: {status: {code: 200}, headers: {}, body: '{"parcels": [1], "token_count": 5}'}
"""


def test_h42_all_five_places_are_found_and_the_scrubbed_copy_is_clean() -> None:
    value = parse_yaml(RECORDING, name="cassette.yaml").value
    scrubbed, found = redact(value)
    assert len({hit.pointer for hit in found}) == 5
    assert "SAMPLE" not in str(scrubbed)
    assert "c2FtcGxl" not in str(scrubbed)
    assert find_secrets(scrubbed) == ()
    assert isinstance(scrubbed, dict)
    assert len(scrubbed["interactions"]) == 1  # type: ignore[arg-type]


def test_h42_words_that_only_look_like_it_stay() -> None:
    assert find_secrets(parse_yaml(CLEAN, name="clean.yaml").value) == ()


@pytest.mark.data
def test_h42_on_the_inputs_that_were_given() -> None:
    folder = shared_data("..", "situations")
    (place,) = sorted(Path(folder).glob("42-*"))
    for name, number in (("cassette.yaml", 5), ("clean.yaml", 0)):
        value = parse_yaml((place / name).read_text("utf-8"), name=name).value
        assert len({hit.pointer for hit in find_secrets(value)}) == number
