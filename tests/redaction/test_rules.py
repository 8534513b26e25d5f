"""What is found and what stays, rule by rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assay.redaction import Redaction, Spared, find_secrets, redact
from assay.redaction.names import kind_of
from assay.redaction.sparing import listed

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl-_1"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/==\n-----END RSA PRIVATE KEY-----"
SK = "sk-proj-" + "a1B2c3D4e5F6g7H8"
TAIL = "a1B2c3D4" * 8


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("authorization", "authorization"),
        ("AUTHORIZATION", "authorization"),
        ("Proxy-Authorization", "authorization"),
        ("Set-Cookie", "cookie"),
        ("x-api-key", "API key"),
        ("apiKey", "API key"),
        ("APIKey", "API key"),
        ("OPENAI_API_KEY", "API key"),
        ("Ocp-Apim-Subscription-Key", "API key"),
        ("access_token", "token"),
        ("refreshToken", "token"),
        ("X-Amz-Security-Token", "token"),
        ("client_secret", "secret"),
        ("aws_secret_access_key", "secret"),
        ("DB_PASSWORD", "password"),
        ("password2", "password"),
        ("newPassword", "password"),
        ("private_key", "private key"),
        ("token_count", None),
        ("max_tokens", None),
        ("tokens", None),
        ("tokensIn", None),
        ("next_page_token", None),
        ("progressToken", None),
        ("password_policy", None),
        ("prior_authorization", None),
        ("secret_santa", None),
        ("key", None),
        ("monkey", None),
        ("cookie_recipe", None),
        ("author", None),
        ("", None),
        ("x" * 70 + "_token", None),
    ],
)
def test_names(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


FOUND: list[tuple[Any, Any]] = [
    ("mail ana@shop.io.", "mail person-1@redacted.invalid."),
    ("Ana@Shop.io, ana@shop.io, bo@shop.io", None),
    ("<ana.b+news@mail.shop.co.uk>", "<person-1@redacted.invalid>"),
    ("?email=ana%40shop.io&x=1", "?email=person-1@redacted.invalid&x=1"),
    ("%3Dana%40shop.io", "%3Dperson-1@redacted.invalid"),
    ('{"t": "hello\\nana@shop.io"}', '{"t": "hello\\nperson-1@redacted.invalid"}'),
    ("bo@163.com bo@4.shop.io bo@v2.shop.io", None),
    ("jürgen@müller.de", "person-1@redacted.invalid"),
    (SK, "REDACTED-api-key-1"),
    (f"key\\n{SK}", "key\\nREDACTED-api-key-1"),
    ("AKIAIOSFODNN7EXAMPLE", "REDACTED-api-key-1"),
    ("ghp_" + TAIL[:36], "REDACTED-token-1"),
    ("github_pat_" + TAIL, "REDACTED-token-1"),
    ("glpat-" + TAIL[:20], "REDACTED-token-1"),
    ("xoxb-123456789012-abcdef", "REDACTED-token-1"),
    ("AIza" + TAIL[:35], "REDACTED-api-key-1"),
    (f"Bearer {JWT}", "Bearer REDACTED-token-1"),
    ("bearer abcdef0123456789", "bearer REDACTED-authorization-1"),
    ("Basic Ym86aHVudGVyMg==", "Basic REDACTED-authorization-1"),
    (PEM, "REDACTED-private-key-1"),
    (PEM.replace("\n", "\\n"), "REDACTED-private-key-1"),
    (PEM[:42], "REDACTED-private-key-1"),
    (f"{PEM} and {PEM}", "REDACTED-private-key-1 and REDACTED-private-key-1"),
    ("password=hunter2&user=bo", "password=REDACTED-password-1&user=bo"),
    ("Password: hunter2", "Password: REDACTED-password-1"),
    ("export OPENAI_API_KEY='abcdef1234'", "export OPENAI_API_KEY='REDACTED-api-key-1'"),
    ("{'client_secret': 'x1y2z3'}", "{'client_secret': 'REDACTED-secret-1'}"),
    ('{"a": "{\\"token\\": \\"abcd1234\\"}"}', '{"a": "{\\"token\\": \\"REDACTED-token-1\\"}"}'),
    ("curl -H 'X-Api-Key: abcd1234' u", "curl -H 'X-Api-Key: REDACTED-api-key-1' u"),
    ("https://bo:pw1@db.shop.io/x", "https://bo:REDACTED-password-1@db.shop.io/x"),
    ("https://h/x?access_token=abcd1234#f", "https://h/x?access_token=REDACTED-token-1#f"),
    ("https://h/x?sv=1&sig=abcd1234%3D", "https://h/x?sv=1&sig=REDACTED-token-1"),
    ("Server=h;Password=Pa5;X=1", "Server=h;Password=REDACTED-password-1;X=1"),
    ("Cookie: sid=abc123; theme=dark", "Cookie: sid=REDACTED-cookie-1; theme=dark"),
    ({"Authorization": "Bearer abcd1234"}, {"Authorization": "Bearer REDACTED-authorization-1"}),
    ({"headers": {"authorization": ["x"]}}, {"headers": {"authorization": "?"}}),
    ({"SET-COOKIE": ["sid=abc123; HttpOnly"]}, {"SET-COOKIE": ["sid=REDACTED-cookie-1; HttpOnly"]}),
    ({"cookies": {"sid": "abc12=="}}, {"cookies": {"sid": "REDACTED-cookie-1"}}),
    (
        [{"name": "X-Api-Key", "value": "zz1"}],
        [{"name": "X-Api-Key", "value": "REDACTED-api-key-1"}],
    ),
    ([["X-Api-Key", "zz1"]], [["X-Api-Key", "REDACTED-api-key-1"]]),
    ({"password": "hunter2"}, {"password": "REDACTED-password-1"}),
]


@pytest.mark.parametrize(("value", "clean"), FOUND, ids=lambda item: str(item)[:30])
def test_found(value: Any, clean: Any) -> None:
    new, found = redact(value)
    assert found
    assert find_secrets(new) == ()
    if clean is not None and "?" not in json.dumps(clean):
        assert new == clean


FINE: list[Any] = [
    "ana@example.com, b@x.example, c@shop.test, d@localhost, e@mail.invalid, f@sub.example.org",
    "logo@2x.png react@18.2.0 @ana a@b git@github.com:org/repo.git image@sha256:abc",
    "a@1.2.3-b.rc widgets@2.0.0-beta.rc x@v1.2-next.rc y@1.0.0.alpha z@2.beta",
    "order 0142, sha256 " + "9f86d081884c7d65" * 4,
    "550e8400-e29b-41d4-a716-446655440000",
    "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "chatcmpl-tool-9334771f4e2d5755 call_x8Yq2Lm4Nn7Pp0Rr toolu_01A09q90qw90lq917835lq9",
    "risk-1234567890abcdefghij disk-a1b2c3d4e5f6g7h8i9 sk-learn-contrib-tools-2024",
    "the Basic understanding of a bearer certificate-of-deposit",
    "token_count: 5, max_tokens=4096, tokens: 12",
    "Password: must have eight characters",
    "password=get_password(user), token = request.headers, api_key=os.environ['X']",
    "authorization: required; cookie: chocolate chip",
    "-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----",
    "https://shop.io/a:b@c https://mia@shop.io/x http://[::1]:80/",
    "Authorization: Bearer <token>, X-Api-Key: ${API_KEY}, password: ********",
    {"token": "dog", "pos": "NN"},
    {"next_page_token": "a1b2c3d4e5f6"},
    {"password": None, "token": 5, "api_key": True, "secret": ["", {}]},
    {"password": {"type": "string", "description": "The password of the account"}},
    {"errors": {"password": "must not be empty"}},
    {"headers": {"authorization": ["REDACTED"]}},
    {"token_count": 5},
    {"amount": 40, "pin": 1234},
    {"authorization": "granted"},
    {"secret": "chocolate"},
    "",
    None,
    7,
]


@pytest.mark.parametrize("value", FINE, ids=lambda item: str(item)[:30])
def test_fine(value: Any) -> None:
    new, found = redact(value)
    assert (new, found) == (value, ())
    assert new is value


def test_one_address_is_one_placeholder() -> None:
    new, found = redact(["Ana@Shop.io", "ana@shop.io", "bo@shop.io", {"ana@shop.io": 1}])
    one, two = "person-1@redacted.invalid", "person-2@redacted.invalid"
    assert new == [one, one, two, {one: 1}]
    assert [item.pointer for item in found] == ["/0", "/1", "/2", f"/3/{one}"]


def test_a_secret_is_chased_everywhere() -> None:
    value = {
        "args": {"password": 'hun"ter2'},
        "text": 'it is hun"ter2, hun%22ter2',
        "json": json.dumps({"x": 'hun"ter2'}),
        'hun"ter2': [1],
    }
    new, _ = redact(value)
    assert "ter2" not in json.dumps(new)
    assert new["json"] == '{"x": "REDACTED-password-1"}'  # type: ignore[index, call-overload]


def test_a_word_that_is_a_secret_is_chased_as_a_word() -> None:
    new, _ = redact([{"password": "orders"}, "list_orders of all orders"])
    assert new == [{"password": "REDACTED-password-1"}, "list_orders of all REDACTED-password-1"]


def test_a_short_secret_goes_only_where_it_was_named() -> None:
    new, _ = redact([{"password": "abc"}, "abc"])
    assert new == [{"password": "REDACTED-password-1"}, "abc"]


def test_keys_that_become_one_are_kept_apart() -> None:
    value = {"Ana@shop.io": 1, "ana@shop.io": 2}
    new, _ = redact(value)
    assert new == {"person-1@redacted.invalid": 1, "person-1@redacted.invalid (2)": 2}


def test_placeholders_that_stood_there_are_not_used_again() -> None:
    new, _ = redact(["person-1@redacted.invalid", "ana@shop.io"])
    assert new == ["person-1@redacted.invalid", "person-2@redacted.invalid"]


def test_what_is_spared_stays() -> None:
    value = {"a": "ana@shop.io bo@other.io", "token": "PARK-12345"}
    assert redact(value, Spared(addresses=True, fields=frozenset({"token"})))[1] == ()
    spared = Spared(listed=listed(["@Shop.io", "BO@other.io"]), known_value="PARK-12345".__eq__)
    assert redact(value, spared)[1] == ()
    (only,) = redact(value, Spared(listed=listed(["@shop.io"]), known_value="PARK-12345".__eq__))[1]
    assert only.kind == "e-mail address"
    assert redact(value, Spared(known_address=lambda text: True))[1] != ()


def test_what_is_looked_at_first_is_numbered_first() -> None:
    redaction = Redaction()
    redaction.look("bo@shop.io")
    redaction.look(["ana@shop.io", "bo@shop.io"])
    assert redaction.rewrite(["ana@shop.io", "bo@shop.io"], []) == [
        "person-2@redacted.invalid",
        "person-1@redacted.invalid",
    ]


def test_many_secrets_are_chased_as_words() -> None:
    secrets = [f"hunter-{number:04d}" for number in range(400)]
    value = [{"password": secret} for secret in secrets] + [f"so {' '.join(secrets)}."]
    text = json.dumps(redact(value)[0])
    assert sum(secret in text for secret in secrets) <= 1
