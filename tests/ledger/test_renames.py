"""The map at load: records read as if written with today's names, and nothing guessed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ledger.renames import map_record
from assay.models.truth import TruthRecord
from tests.ledger.test_toolnames import NAMES


def record(**fields: Any) -> TruthRecord:
    value = {
        "case_id": "c",
        "revision": 1,
        "status": "gold",
        "change": "new",
        "rationale": ["because"],
    }
    return TruthRecord.model_validate({**value, **fields})


def test_old_names_are_read_as_new_ones() -> None:
    mapped = map_record(
        record(
            required_tools=["look", {"tool": "help/seek", "args": {"q": 1}}],
            forbidden_tools=["wipe", "mcp__docs__delete_index"],
            max_calls={"look": 2, "find": 1},
        ),
        NAMES,
    )
    assert mapped.record.required_tools[0] == "find"
    assert mapped.record.required[1].tool == "find"
    assert mapped.record.forbidden_tools == ("delete_index",)
    assert mapped.record.max_calls == {"find": 1}
    assert (mapped.undecided, mapped.ambiguous, mapped.unknown) == ((), (), ())


def test_what_needs_no_map_is_the_same_object() -> None:
    plain = record(required_tools=["find"])
    assert map_record(plain, NAMES).record is plain


def test_split_is_decided_by_arguments_and_never_guessed() -> None:
    mapped = map_record(
        record(
            required_tools=[
                {"tool": "manage", "args": {"action": "close", "id": "7"}},
                {"tool": "manage", "args": {"id": "7"}},
                {"tool": "manage", "args": {"action": "reopen"}},
                "manage",
            ],
            max_calls={"manage": 2},
        ),
        NAMES,
    )
    first = mapped.record.required[0]
    assert (first.tool, first.args) == ("close", {"id": "7"})
    assert [item.pointer for item in mapped.undecided] == [
        "/required_tools/1",
        "/required_tools/2",
        "/required_tools/3",
        "/max_calls/manage",
    ]
    assert mapped.record.required[1].tool == "manage"


def test_forbidden_split_is_forbidden_in_all_its_halves() -> None:
    mapped = map_record(record(forbidden_tools=["manage"], max_calls={"manage": 0}), NAMES)
    assert mapped.record.forbidden_tools == ("create", "close")
    assert mapped.record.max_calls == {"create": 0, "close": 0}
    assert mapped.undecided == ()


def test_ambiguous_and_unknown_names_are_listed_and_kept() -> None:
    mapped = map_record(record(required_tools=["read"], forbidden_tools=["gone"]), NAMES)
    assert [item.pointer for item in mapped.ambiguous] == ["/required_tools/0"]
    assert [item.pointer for item in mapped.unknown] == ["/forbidden_tools/0"]
    assert mapped.record.forbidden_tools == ("gone",)


@pytest.mark.parametrize("server", ["docs", "mail"])
def test_a_name_with_its_server_is_not_ambiguous(server: str) -> None:
    mapped = map_record(record(required_tools=[f"{server}/read"]), NAMES)
    assert mapped.ambiguous == ()
    assert mapped.record.required_tools == (f"{server}/read",)


SPELLINGS = st.sampled_from(["find", "look", "wipe", "manage", "read", "gone", "docs/read"])


@given(
    st.lists(SPELLINGS, max_size=4),
    st.lists(SPELLINGS, max_size=4),
    st.dictionaries(SPELLINGS, st.integers(0, 3), max_size=3),
)
def test_mapping_twice_is_mapping_once(
    required: list[str], forbidden: list[str], limits: dict[str, int]
) -> None:
    once = map_record(
        record(required_tools=required, forbidden_tools=forbidden, max_calls=limits), NAMES
    )
    assert map_record(once.record, NAMES).record == once.record


def test_the_pointer_to_a_limit_escapes_the_server() -> None:
    mapped = map_record(record(max_calls={"nobody/knows": 1}), NAMES)
    assert [item.pointer for item in mapped.unknown] == ["/max_calls/nobody~1knows"]
