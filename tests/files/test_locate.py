"""Places of values in JSON text: one at a time and all at once give the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.files.locate import locate, locate_all, pointer_of

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=20,
)


def pointers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[str]:
    yield pointer_of(path)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from pointers(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from pointers(item, (*path, index))


@settings(deadline=None)
@given(_JSON, st.sampled_from([None, 1]), st.integers(0, 9))
def test_all_at_once_is_one_at_a_time(value: Any, indent: int | None, seed: int) -> None:
    text = json.dumps(value, indent=indent)
    every = list(pointers(value))
    chosen = random.Random(seed).sample(every, min(len(every), 5))
    chosen += [f"{pointer}/none" for pointer in chosen] + [f"{chosen[0]}/0/0"]
    wanted = {pointer: locate(text, pointer) for pointer in chosen}
    assert locate_all(text, chosen) == wanted


def test_keys_that_must_be_escaped() -> None:
    text = '{"a/b": {"c~d": [1,\n "\\u00e9", {"x\\n": 2}]}}'
    assert locate_all(text, ["/a~1b/c~0d/1", "/a~1b/c~0d/2/x\n"]) == {
        "/a~1b/c~0d/1": (2, 2),
        "/a~1b/c~0d/2/x\n": (2, 20),
    }
