"""What is a secret, what is none, and that placeholders hold what they promise."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.redaction import Placeholders, find_secrets, may_hold_secrets, redact

DIGITS = "0123456789abcdef" * 4
KEY = "Zk3" + "aB7" * 12
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl"
BASIC = "ZGVtbzpvcGVuLXNlc2FtZQ=="
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAQ==\n-----END RSA PRIVATE KEY-----"

SECRETS: list[tuple[Any, str, str]] = [
    # By name, in a value.
    ({"Authorization": f"Bearer {KEY}"}, "/Authorization", "authorization"),
    ({"headers": {"authorization": [f"Basic {BASIC}"]}}, "/headers/authorization/0",
     "authorization"),
    ({"SET-COOKIE": "sid=31; HttpOnly"}, "/SET-COOKIE", "cookie"),
    ({"X-Api-Key": "k"}, "/X-Api-Key", "api-key"),
    ({"openaiApiKey": "abc"}, "/openaiApiKey", "api-key"),
    ({"client_secret": "s"}, "/client_secret", "secret"),
    ({"new_password": "hunter2"}, "/new_password", "password"),
    ({"token": "9f8e7d6c5b4a39281706abc"}, "/token", "token"),
    ([["x-api-key", "abc"]], "/0/1", "api-key"),
    ({"name": "Authorization", "value": "Digest abc1"}, "/value", "authorization"),
    ({"cookies": {"sid": "a1b2c3d4e5f6a7b8"}}, "/cookies/sid", "cookie"),
    # By name, in a text.
    ('{"refresh_token": "abc", "n": 1}', "", "token"),
    ('said {"body": "{\\"password\\": \\"hunter2\\"}"}', "", "password"),
    ("grant_type=x&client_secret=abc&n=1", "", "secret"),
    ("GET https://api.shop.io/a?access_token=abc&n=1", "", "token"),
    ("GET / HTTP/1.1\r\nCookie: sid=31; b=2\r\nAccept: x", "", "cookie"),
    ("the log says password: s3cret-1", "", "password"),
    # By shape.
    (f"use sk-proj-{KEY} now", "", "api-key"),
    ("AKIA" + "ABCDEFGH23456789", "", "api-key"),
    ("ghp_" + KEY, "", "api-key"),
    ("xoxb-" + "123456789012-abc", "", "api-key"),
    (f"it is {JWT}.", "", "token"),
    (f"curl -H 'bearer {KEY}'", "", "authorization"),
    (f"Basic {BASIC}", "", "authorization"),
    (PEM, "", "private-key"),
    ("postgres://ana:pass1@db.shop.io/x", "", "login"),
    ("write to ana.b+c@shop.io, please", "", "address"),
    ({"to ana@shop.io": 1}, "/to redacted-1@mail.invalid", "address"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "pointer", "kind"), SECRETS)
def test_a_secret_is_found(value: Any, pointer: str, kind: str) -> None:
    made, found = redact(value)
    assert [(item.pointer, item.kind) for item in found] == [(pointer, kind)]
    assert redact(made) == (made, ())
    assert may_hold_secrets(json.dumps(value))
    if isinstance(value, str) and value.startswith('{"'):
        json.loads(str(made))


NONE: list[Any] = [
    {"token_count": 5, "max_tokens": 100, "tokens": "many", "password_reset_required": "yes"},
    {"tokens": ["a", "b"], "password": True, "api_key": None, "access_token": 12, "pin": "1"},
    {"authorization": ["REDACTED"], "password": "****", "api_key": "${KEY}", "cookie": ""},
    {"next_page_token": "abcdefgh12345678abcd", "token": "hello", "secret": "a surprise"},
    {"cookies": "chocolate", "authorization": "approved"},
    {"password": {"type": "string", "description": "at least eight characters"}},
    {"order_id": "ORD-0142", "trace": DIGITS, "id": "123e4567-e89b-12d3-a456-426614174000"},
    "the sk-learn-like-module-with-a-very-long-name and sk-8 of task-12345678901234567890123",
    "Basic authentication, bearer of news, basic understanding1234",
    "The password: please choose a new one. Cookies: yes. Authorization: needed",
    "ana@example.com bo@shop.test cleo@mail.example.org root@localhost logo@2x.png a@1.2.3-b.rc",
    "git@github.com:shop/code.git and https://shop.io/a@b/c:d and http://shop.io:80/@x",
    "tokens: 1234567890123456 and max_tokens=4096&token_count=7",
    Decimal("1.10"),
]  # fmt: skip


@pytest.mark.parametrize("value", NONE)
def test_no_secret_stays_as_it_is(value: Any) -> None:
    assert redact(value) == (value, ())


def test_one_secret_has_one_placeholder() -> None:
    names = Placeholders()
    first, _ = redact(["Ana@shop.io and bo@shop.io", {"api_key": "abc-12345"}], names)
    second, found = redact({"x": "ana@shop.io", "y": "key abc-12345", "abc-12345": 1}, names)
    assert first == [
        "redacted-1@mail.invalid and redacted-2@mail.invalid",
        {"api_key": "redacted-api-key-1"},
    ]
    assert second == {
        "x": "redacted-1@mail.invalid",
        "y": "key redacted-api-key-1",
        "redacted-api-key-1": 1,
    }
    assert {item.kind for item in found} == {"address", "api-key"}


def test_a_placeholder_of_before_is_not_given_again() -> None:
    made, _ = redact(["redacted-1@mail.invalid", "ana@shop.io"])
    assert made == ["redacted-1@mail.invalid", "redacted-2@mail.invalid"]


def test_what_is_known_stays() -> None:
    value = {"to": "ana@shop.io", "cc": "bo@shop.io", "password": "blue-door-7"}
    made, _ = redact(value, keep=lambda text: text in ("ana@shop.io", "blue-door-7"))
    assert made == {**value, "cc": "redacted-1@mail.invalid"}
    assert redact(value, keep_addresses=True)[0] == {**value, "password": "redacted-password-1"}


TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from([item for item, _, _ in SECRETS if isinstance(item, str)]),
    st.sampled_from(
        ["ana@shop.io", "redacted-1@mail.invalid", KEY, "=", ": ", '"', "\\", "@", "://"]
    ),
)
JOINED = st.lists(TEXTS, max_size=6).map("".join)
NAMES = st.one_of(JOINED, st.sampled_from(["password", "token", "Cookie", "value", "name", "n"]))
VALUES = st.recursive(
    st.one_of(JOINED, st.integers(), st.none(), st.booleans(), st.decimals(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)  # fmt: skip


@given(VALUES)
def test_twice_is_once(value: Any) -> None:
    made, found = redact(value)
    assert redact(made) == (made, ())
    assert found or made == value
    assert not found or may_hold_secrets(json.dumps(value, ensure_ascii=False, default=str))


@given(VALUES, st.sampled_from(["password", "x-api-key", "refresh_token"]))
def test_a_secret_told_by_name_survives_nowhere(value: Any, name: str) -> None:
    made, _ = redact([value, KEY, {name: KEY}, {f"a{KEY}": f"b{KEY}c"}, f"{name}={KEY}"])
    assert KEY not in json.dumps(made, ensure_ascii=False, default=str)


@pytest.mark.parametrize(
    "part",
    ["a", "@", "a@b.", "eyJ", "-eyJ", "sk-", "://a:", "\\", '\\"', '"password":"', "password: ",
     "token:", "Bearer ", "-----BEGIN PRIVATE KEY-----", "cookie:a ", "a=", "x.x."],
)  # fmt: skip
def test_time_grows_with_the_text(part: str) -> None:
    """A million characters; a pattern that goes back over them would take hours."""
    began = time.process_time()
    find_secrets(part * (1_000_000 // len(part)))
    assert time.process_time() - began < 10
