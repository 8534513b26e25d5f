"""H42: a recording that holds secrets, whatever the case of their headers, both ways."""

from __future__ import annotations

import json
from typing import Any

from assay.files.yamls import read_yaml
from assay.redaction import find_secrets, redact
from tests.situations.given import folder, load


def recording(name: str) -> Any:
    return read_yaml(folder("42") / name).value


def test_five_places_are_found_and_none_is_left() -> None:
    value = recording("cassette.yaml")
    made, found = redact(value)
    places = [
        place.replace(" ", "/").split(".") for place in load("42", "expected.json")["cassette.yaml"]
    ]
    assert len(found) == len(places)
    for place in places:
        pointer = "/".join(("", "interactions", "0", *place)).split("/access_token")[0]
        pointer = pointer.removesuffix("/refresh_token")
        assert any(item.pointer.startswith(pointer) for item in found), place
    text = json.dumps(made)
    assert "EXAMPLE-" not in text
    assert "ZGVt" not in text
    assert len(made["interactions"]) == len(value["interactions"])
    assert find_secrets(made) == ()


def test_words_about_tokens_are_none() -> None:
    value = recording("clean.yaml")
    assert redact(value) == (value, ())
