from __future__ import annotations

import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reporting import numbers, words
from assay.reporting.markup import code_span, plain_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – “text” é 猫", "plain – “text” é 猫"),
        ("\x1b[31mred", "\\e[31mred"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("bell\x07 del\x7f c1\x9b", "bell\\x07 del\\x7f c1\\x9b"),
        ("right\u202eleft\u2066", "right\\u202eleft\\u2066"),
        ("line\u2028end \ufeff", "line\\u2028end \\ufeff"),
        ("half \ud83d", "half \\ud83d"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
    ],
)
def test_safe_shows_what_could_act(text: str, shown: str) -> None:
    assert words.safe(text) == shown


@given(st.text())
def test_safe_leaves_nothing_that_acts(text: str) -> None:
    shown = words.safe(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in shown)
    shown.encode()
    assert words.safe(shown) == shown


@given(st.text(alphabet="ab \n-猫", max_size=200), st.integers(24, 100))
def test_wrap_keeps_every_word(text: str, width: int) -> None:
    lines = words.wrap(text, width, indent="  ")
    assert " ".join(lines).split() == text.split()
    for line in lines:
        assert words.width_of(line) <= max(width, 26) or len(line.split()) == 1


def test_width_counts_columns() -> None:
    assert words.width_of("abc") == 3
    assert words.width_of("猫") == 2
    assert words.width_of("e\u0301") == 1
    assert words.left("猫", 4) == "猫  "
    assert words.right("猫", 4) == "  猫"


def test_small_words() -> None:
    assert words.count(1, "case") == "1 case"
    assert words.count(2961, "case") == "2,961 cases"
    assert [words.listed(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert words.shortened("a long sentence", 8) == "a long…"
    assert words.shortened("short", 8) == "short"
    assert words.clipped("x" * 1010, 10) == "xxxxxxxxxx… (1,000 more characters)"
    assert words.safe_lines("a\r\nb\n") == ["a", "b"]
    assert words.safe_lines("") == []
    assert words.Paint(False).bad("x") == "x"
    assert words.Paint(True).bad("x") == "\x1b[31mx\x1b[0m"


@pytest.mark.parametrize(
    ("hint", "parts"),
    [
        ("assay fmt", ("assay fmt", "")),
        ("assay renew a-1     must sign: li", ("assay renew a-1", "must sign: li")),
        ("quote it", ("", "quote it")),
        ("write one     of these", ("", "write one of these")),
        ("", ("", "")),
    ],
)
def test_commands_are_told_from_remarks(hint: str, parts: tuple[str, str]) -> None:
    assert words.command_and_remark(hint) == parts


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        (None, "none"),
        (0.0, "0.0"),
        (1.0, "100.0"),
        (62 / 118, "52.5"),
        (9999 / 10000, "99.9"),
        (1 / 10000, "0.1"),
        (0.565, "56.5"),
        (Decimal("0.894"), "89.4"),
    ],
)
def test_rates_never_round_to_perfect(rate: float | Decimal | None, shown: str) -> None:
    assert numbers.percent(rate) == shown


@given(st.floats(0, 1))
def test_every_rate_is_printed_near_itself(rate: float) -> None:
    shown = Decimal(numbers.percent(rate))
    assert abs(shown - Decimal(rate) * 100) <= Decimal("0.1")
    assert (shown == 100) == (rate == 1)
    assert (shown == 0) == (rate == 0)


def test_intervals() -> None:
    assert numbers.interval(0.4359, 0.6133) == "44–61"
    assert numbers.interval(None, 0.5) == ""
    assert numbers.trimmed(Decimal("85.00")) == "85"
    assert numbers.trimmed(Decimal("89.4")) == "89.4"
    assert numbers.trimmed(Decimal("100")) == "100"


def test_markdown_is_inert() -> None:
    assert plain_markdown("a | b") == "a \\| b"
    assert plain_markdown("<img src=x>") == "&lt;img src=x&gt;"
    assert plain_markdown("[x](http://e)") == "\\[x\\](http:&#8203;//e)"
    assert plain_markdown("@ana sees #12") == "@&#8203;ana sees #&#8203;12"
    assert plain_markdown("*b* _i_ `c` ~~s~~") == "\\*b\\* \\_i\\_ \\`c\\` \\~\\~s\\~\\~"
    assert plain_markdown("a\nb") == "a\\\\nb"
    assert code_span("a`b") == "``a`b``"
    assert code_span("`a`") == "`` `a` ``"
    assert code_span("a|b", in_table=True) == "`a\\|b`"
    assert code_span("") == ""
