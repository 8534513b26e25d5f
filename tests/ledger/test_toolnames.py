"""One tool, one name: every spelling, chains, splits, names that fit two servers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ledger.toolfaults import catalog_faults
from assay.ledger.toolnames import ToolNames
from assay.models.catalog import Tool, ToolCatalog

SPLIT = {
    "name": "manage",
    "reason": "r",
    "split_into": [
        {"tool": "create", "when": {"action": "create"}},
        {"tool": "close", "when": {"action": "close"}},
    ],
}
TOOLS: list[dict[str, Any]] = [
    {"name": "find", "server": "help"},
    {"name": "seek", "server": "help", "renamed_to": "find", "reason": "r"},
    {"name": "look", "renamed_to": "seek", "reason": "r"},
    {"name": "wipe", "alias_of": "delete_index", "reason": "r"},
    {"name": "delete_index", "server": "docs"},
    {"name": "undelete_index", "server": "docs"},
    {"name": "read", "server": "docs"},
    {"name": "read", "server": "mail"},
    SPLIT,
    {"name": "create"},
    {"name": "close"},
]


def names_of(*tools: dict[str, Any], prefixes: tuple[str, ...] = ()) -> ToolNames:
    return ToolNames.from_catalog(
        ToolCatalog.model_validate({"tools": list(tools), "server_prefixes": list(prefixes)})
    )


NAMES = names_of(*TOOLS, prefixes=("app__",))


@pytest.mark.parametrize(
    ("spelling", "server", "wanted"),
    [
        ("find", None, ("find",)),
        ("find", "help", ("find",)),
        ("seek", None, ("find",)),
        ("look", None, ("find",)),
        ("help/find", None, ("find",)),
        ("help.seek", None, ("find",)),
        ("mcp__help__find", None, ("find",)),
        ("mcp__help__seek", None, ("find",)),
        ("app__look", None, ("find",)),
        ("wipe", None, ("delete_index",)),
        ("mcp__docs__wipe", None, ("delete_index",)),
        ("docs/delete_index", None, ("delete_index",)),
        # A server that nobody knows is a client's alias; one that is known is another server.
        ("mcp__anything__delete_index", None, ("delete_index",)),
        ("mcp__mail__delete_index", None, ()),
        ("undelete_index", None, ("undelete_index",)),
        ("delete_index_preview", None, ()),
        ("read", None, ("docs/read", "mail/read")),
        ("read", "mail", ("mail/read",)),
        ("mail/read", None, ("mail/read",)),
        ("mcp__docs__read", None, ("docs/read",)),
        ("manage", None, ("manage",)),
        ("", None, ()),
        ("mcp__", None, ()),
        ("app__", None, ()),
    ],
)
def test_canonical(spelling: str, server: str | None, wanted: tuple[str, ...]) -> None:
    assert NAMES.canonical(spelling, server) == wanted
    assert NAMES.canonical(spelling, server) == wanted  # from the cache


def test_label_stands_for_all_halves() -> None:
    assert NAMES.label("manage") == ("create", "close")
    assert NAMES.label("nobody") == ("nobody",)


@pytest.mark.parametrize(
    ("args", "names", "left"),
    [
        ({"action": "close", "id": "7"}, ("close",), {"id": "7"}),
        ({"action": "create"}, ("create",), {}),
        ({"id": "7"}, ("close", "create"), {"id": "7"}),
        ({"action": "reopen"}, ("close", "create"), {"action": "reopen"}),
    ],
)
def test_observed_split(args: dict[str, Any], names: tuple[str, ...], left: dict[str, Any]) -> None:
    resolved = NAMES.call("manage", None, args)
    assert (resolved.names, resolved.args, resolved.known) == (names, left, True)
    assert resolved.note


def test_unknown_call_stands_for_itself_with_its_server() -> None:
    assert NAMES.call("x", "s", {}).names == ("s/x",)
    assert NAMES.call("mcp__s__x", None, {}).names == ("s/x",)
    assert NAMES.call("x", None, {}).names == ("x",)
    assert not NAMES.call("x", None, {}).known


def test_renames_are_derived() -> None:
    assert NAMES.renames == {
        "look": "find",
        "seek": "find",
        "wipe": "delete_index",
        "manage": "close | create",
    }
    assert "manage" not in NAMES.canonical_names()
    assert "look" not in NAMES.canonical_names()


def test_digest_is_that_of_the_map() -> None:
    described = [{**tool, "description": "d"} for tool in TOOLS]
    assert names_of(*described, prefixes=("app__",)).digest == NAMES.digest
    assert names_of(*TOOLS).digest != NAMES.digest
    assert names_of(*TOOLS[:-1], prefixes=("app__",)).digest != NAMES.digest


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ([{"name": "a", "renamed_to": "a", "reason": "r"}], "never ends"),
        (
            [
                {"name": "a", "renamed_to": "b", "reason": "r"},
                {"name": "b", "alias_of": "a", "reason": "r"},
            ],
            "never ends",
        ),
        ([{"name": "a", "renamed_to": "gone", "reason": "r"}], "does not have"),
        ([{"name": "a"}, {"name": "a"}], "twice"),
        ([{"name": "a", "server": "s"}, {"name": "a"}], "with and without a server"),
        ([{"name": "a"}, {"name": "b", "renamed_to": "a"}], "no reason"),
        (
            [{"name": "a"}, {"name": "b", "renamed_to": "a", "alias_of": "a", "reason": "r"}],
            "renamed_to and alias_of",
        ),
        (
            [
                {"name": "a", "server": "s"},
                {"name": "a", "server": "t"},
                {"name": "b", "renamed_to": "a", "reason": "r"},
            ],
            "2 servers",
        ),
    ],
)
def test_faults(tools: list[dict[str, Any]], words: str) -> None:
    faults = catalog_faults(names_of(*tools))
    assert any(words in fault.message for fault in faults)
    assert all(fault.hint for fault in faults)


def test_sound_catalogue_has_no_fault() -> None:
    assert catalog_faults(NAMES) == ()
    assert catalog_faults(names_of()) == ()


WORDS = st.sampled_from(["a", "b", "c", "d", "mcp__s__a", "s/a"])


@given(
    st.lists(
        st.builds(
            lambda name, server, to: {
                "name": name,
                "server": server,
                "renamed_to": to,
                "reason": "r",
            },
            WORDS,
            st.sampled_from([None, "s", "t"]),
            st.sampled_from([None, "a", "b", "c", "gone"]),
        ),
        max_size=6,
    ),
    WORDS,
)
def test_any_catalogue_gives_an_answer_that_is_its_own(
    tools: list[dict[str, Any]], name: str
) -> None:
    """Cycles and all: the map ends, and what it gives is in use or goes round."""
    names = names_of(*tools)
    for key in names.canonical(name):
        assert key in names.entries
    if not catalog_faults(names):
        for key in names.canonical(name):
            assert names.canonical(key) == (key,)
    assert isinstance(names.digest, str)


def test_tool_is_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Tool(name="a").name = "b"  # type: ignore[misc]
