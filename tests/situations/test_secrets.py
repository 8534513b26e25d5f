"""H42: a recorded session holds secrets in five places."""

from __future__ import annotations

from typing import Any

import pytest

from assay.files.yamls import read_yaml
from assay.redaction import find_secrets, redact
from tests.situations.given import folder, load

RECORDING: dict[str, Any] = {
    "interactions": [
        {
            "request": {
                "uri": "https://api.shop.test/parcels?access_token=a-token-0001&page=2",
                "headers": {
                    "authorization": ["Basic Ym86aHVudGVyLTIy"],
                    "X-API-key": ["a-key-0002"],
                    "accept": ["application/json"],
                },
            },
            "response": {
                "status": {"code": 200},
                "headers": {"SET-COOKIE": ["sid=a-cookie-0003; HttpOnly; Path=/"]},
                "body": '{"refresh_token": "a-refresh-0004", "parcels": [17], "token_count": 5}',
            },
        }
    ]
}


def places(value: Any) -> list[tuple[str, str]]:
    return [(found.pointer, found.name) for found in find_secrets(value)]


@pytest.mark.parametrize("change", [str, str.upper, str.lower, str.title])
def test_five_places_whatever_the_case(change: Any) -> None:
    (interaction,) = RECORDING["interactions"]
    request = {**interaction["request"]}
    response = {**interaction["response"]}
    for part in (request, response):
        part["headers"] = {change(name): held for name, held in part["headers"].items()}
    value = {"interactions": [{"request": request, "response": response}]}
    found = places(value)
    assert sorted(name.lower() for _, name in found) == [
        "access_token",
        "authorization",
        "refresh_token",
        "set-cookie",
        "x-api-key",
    ]
    clean, _ = redact(value)
    assert places(clean) == []
    assert len(clean["interactions"]) == 1  # type: ignore[index, call-overload, arg-type]
    assert not any(f"-000{number}" in str(clean) for number in (1, 2, 3, 4))


def test_what_is_replaced_keeps_its_form() -> None:
    clean: Any = redact(RECORDING)[0]
    request, response = clean["interactions"][0]["request"], clean["interactions"][0]["response"]
    assert request["uri"] == "https://api.shop.test/parcels?access_token=REDACTED-token-1&page=2"
    assert request["headers"]["authorization"] == ["Basic REDACTED-authorization-1"]
    assert response["headers"]["SET-COOKIE"] == ["sid=REDACTED-cookie-1; HttpOnly; Path=/"]
    assert response["body"] == (
        '{"refresh_token": "REDACTED-token-2", "parcels": [17], "token_count": 5}'
    )


@pytest.mark.data
def test_given_recordings() -> None:
    expected = load("42", "expected.json")
    found = {}
    for name in expected:
        value = read_yaml(folder("42") / name).value
        found[name] = places(value)
        clean, _ = redact(value)
        assert places(clean) == []
        assert len(clean["interactions"]) == len(value["interactions"])  # type: ignore
    assert found["clean.yaml"] == expected["clean.yaml"] == []
    wanted = {place.replace(" ", ".").rsplit(".", 1)[1] for place in expected["cassette.yaml"]}
    assert {name for _, name in found["cassette.yaml"]} == wanted
    assert len(found["cassette.yaml"]) == len(expected["cassette.yaml"])
