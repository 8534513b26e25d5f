"""Digests: of what was observed, and of the code that scores."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import assay
from assay.files.canonical import canonical_json
from assay.scoring import code_digest as module
from assay.scoring.canonical_text import canonical_text
from assay.scoring.code_digest import PARTS, code_digest

TEXTS = st.text(max_size=6) | st.sampled_from(["\0", "\x001.5", "\\u0000", "e\u0301", "\ud800"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(VALUES)
@example([Decimal("1.50"), "\x001.5"])
@example([Decimal("-0.00"), Decimal("1E+3"), Decimal("0E-9"), Decimal("100"), Decimal("-0.50")])
@example({"e\u0301": 1, "f": Decimal("2.0")})
@example({"e\u0301": 1, "\u00e9": 2})
def test_the_fast_way_and_the_slow_way_agree(value: Any) -> None:
    try:
        expected = canonical_json(value)
    except ValueError:  # one key in two forms
        assert canonical_text(value)
        return
    assert canonical_text(value) == expected


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError):
        canonical_text({"a": object()})  # type: ignore[dict-item]


def test_the_code_digest_covers_every_module_of_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest() -> str:
        code_digest.cache_clear()
        return code_digest()

    first = digest()
    assert re.fullmatch("[0-9a-f]{64}", first)
    assert digest() == first
    root = Path(assay.__file__).parent
    for part in PARTS:
        source = root / part
        for path in [source] if source.is_file() else source.rglob("*.py"):
            copy = tmp_path / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            # CRLF, as some checkouts have it, changes nothing.
            copy.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(module.assay, "__file__", str(tmp_path / "__init__.py"))
    assert digest() == first
    (tmp_path / "ledger/people.py").parent.mkdir(exist_ok=True)
    (tmp_path / "ledger/people.py").write_text("x = 1\n")
    assert digest() == first
    (tmp_path / "scoring/text.py").write_text("x = 1\n")
    assert digest() != first
    code_digest.cache_clear()
