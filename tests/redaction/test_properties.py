"""What holds for every value: nothing survives, nothing else moves, the order means nothing."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.redaction import find_secrets, redact

ALNUM = st.text("abcdefghijkmnpqrstuvwxyz23456789", min_size=12, max_size=24)
NAMES = ("password", "access_token", "X-Api-Key", "client_secret", "refreshToken")


@st.composite
def secrets(draw: st.DrawFn) -> str:
    """Something that a program gave out: letters and digits, at least twelve of them."""
    return draw(ALNUM.filter(lambda text: any(c.isdigit() for c in text) and text[0].isalpha()))


@st.composite
def addresses(draw: st.DrawFn) -> str:
    local = draw(st.from_regex(r"[a-z][a-z0-9]{0,8}(\.[a-z0-9]{1,8})?", fullmatch=True))
    return f"{local}@{draw(st.from_regex(r'[a-z]{2,8}', fullmatch=True))}.{draw(TOPS)}"


TOPS = st.sampled_from(["com", "io", "co.uk", "museum"])
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="@:=%"), max_size=30)
SPACED = st.sampled_from([" {} ", "<{}>", '"{}"', "({})", "x, {}; y", "\n{}\n", "a\\n{}\\n"])


def holders(secret: str) -> st.SearchStrategy[Any]:
    """Shapes that hold a secret under a name that gives it away."""
    named = st.sampled_from(NAMES)
    return st.one_of(
        named.map(lambda name: {name: secret}),
        named.map(lambda name: {"headers": {name: [secret]}}),
        named.map(lambda name: json.dumps({name: secret})),
        named.map(lambda name: json.dumps(json.dumps({name: secret}))),
        named.map(lambda name: f"https://h.test/p?{name}={secret}&b=1"),
        named.map(lambda name: f"a=1&{name}={secret}"),
        named.map(lambda name: [{"name": name, "value": secret}]),
        named.map(lambda name: repr({name: secret})),
        st.just(f"https://bo:{secret}@h.test/"),
        st.just({"Authorization": f"Bearer {secret}"}),
        st.just({"set-cookie": f"sid={secret}; Path=/"}),
    )


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[Any, list[str]]:
    """A value with secrets in it, said by name once and standing somewhere else as well."""
    held = draw(st.lists(st.one_of(secrets(), addresses()), min_size=1, max_size=4, unique=True))
    value: list[Any] = [draw(PLAIN)]
    for item in held:
        text = draw(SPACED).format(item)
        value.append(draw(st.sampled_from([text, {"k": text}, {text: 1}, [[text]]])))
        if "@" not in item:
            value.append(draw(holders(item)))
    return draw(st.permutations(value)), held


@given(spoilt())
def test_no_secret_survives_and_a_second_time_changes_nothing(
    given_: tuple[Any, list[str]],
) -> None:
    value, held = given_
    before = json.dumps(value)
    new, found = redact(value)
    text = json.dumps(new)
    assert found
    assert [item for item in held if item in text] == []
    assert not any(item in place.pointer for item in held for place in found)
    assert redact(new) == (new, ())
    assert find_secrets(new) == ()
    assert json.dumps(value) == before


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), PLAIN),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(PLAIN, inner, max_size=4)),
    max_leaves=12,
)


@given(JSON)
def test_what_holds_nothing_stays_as_it_is(value: Any) -> None:
    new, found = redact(value)
    if not found:
        assert new is value
    assert redact(new)[0] == new


@given(st.text(max_size=200))
def test_any_text_comes_to_rest(text: str) -> None:
    new, _ = redact(text)
    assert redact(new)[1] == ()


@given(st.dictionaries(st.text("abc", min_size=1), addresses(), min_size=2, max_size=6))
def test_the_order_of_keys_means_nothing(value: dict[str, str]) -> None:
    reordered = dict(reversed(list(value.items())))
    new, found = redact(value)
    again, same = redact(reordered)
    assert new == again
    assert found == same
    assert list(again) == list(reordered)  # type: ignore[arg-type]


MARKS = ["password", "token", "=", ":", '"', "\\", "@", "%40", ".", "a", "://", "cookie", "; ", "-"]


@given(st.lists(st.sampled_from([*MARKS, "Bearer ", "sk-", "x1y2z3a4b5", "shop.io", "[", "'"])))
def test_marks_in_any_order_come_to_rest(parts: list[str]) -> None:
    new, _ = redact("".join(parts))
    assert redact(new)[1] == ()


UNITS = [
    "a", "@", "a@", "a@b.", "token", "password=", '"password":"', "'password':'x", "a://", "a://b@",
    "-----BEGIN PRIVATE KEY-----", "sk-a1", "eyJ", "eyJaaaaaaaa.", "bearer ", "\\", "a:", "key=",
    "cookie: a=bbbbbbb;", '\\"password\\":\\"', "token: ", "authorization: Bearer ", 'secret="',
    "a%40b.c", "ana1@shop.io ", "cookie: a ", "_",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_text_takes_time_in_proportion(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    # Ten megabytes take some seconds; what grows with the square would take hours.
    assert seconds(1_000_000) < 10
