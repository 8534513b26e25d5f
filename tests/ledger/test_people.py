"""People in their roles on a day; models behind their many names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ledger.people import PeopleIndex
from assay.models.catalog import People

WHO = PeopleIndex(
    People.model_validate(
        {
            "people": {
                "ana": {
                    "roles": [
                        {"role": "labeler", "from": "2026-01-01", "until": "2026-06-01"},
                        {"role": "labeler", "from": "2026-09-01"},
                        {"role": "owner", "from": "2026-03-01", "until": "2026-04-01"},
                    ]
                }
            },
            "models": [
                {"name": "vendor-x-4", "spellings": ["vendor-x-4-latest"], "may": ["draft"]},
                {"name": "vendor-y-1"},
            ],
            "route_prefixes": ["gateway/", "cloud/"],
        }
    )
)


@pytest.mark.parametrize(
    ("role", "day", "has"),
    [
        ("labeler", "2025-12-31", False),
        ("labeler", "2026-01-01", True),
        ("labeler", "2026-05-31", True),
        ("labeler", "2026-06-01", False),
        ("labeler", "2026-09-01", True),
        ("labeler", None, True),
        ("owner", "2026-03-31", True),
        ("owner", "2026-04-01", False),
        ("adjudicator", None, False),
    ],
)
def test_roles(role: str, day: str | None, has: bool) -> None:
    assert WHO.has_role("ana", role, day) is has


def test_active_in_any_role() -> None:
    assert WHO.active("ana", "2026-01-01")
    assert not WHO.active("ana", "2026-07-01")
    assert not WHO.active("bo", "2026-01-01")
    assert not WHO.has_role("bo", "labeler", None)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("gateway/cloud/vendor-x-4", "cloud/vendor-x-4", True),
        ("cloud/gateway/vendor-x-4", "vendor-x-4", True),
        ("vendor-x-4", " Vendor-X-4 ", True),
        ("vendor-x-4-latest", "cloud/vendor-x-4", True),
        ("gateway/Vendor-X-4-LATEST", "vendor-x-4", True),
        ("vendor-x-4", "vendor-x-4-mini", False),
        ("vendor-y-1", "vendor-x-4", False),
        ("strange-1", "cloud/strange-1", True),
        ("gateway/", "vendor-x-4", False),
        # One that is not named may be any, so it is not trusted.
        ("", "", True),
        (None, "vendor-x-4", True),
        ("vendor-x-4", "  ", True),
    ],
)
def test_same_model(one: str | None, other: str | None, same: bool) -> None:
    assert WHO.same_model(one, other) is same
    assert WHO.same_model(other, one) is same


def test_the_entry_of_a_model() -> None:
    found = WHO.model("cloud/VENDOR-X-4-latest")
    assert found is not None
    assert found.may == ("draft",)
    assert WHO.model("vendor-x-5") is None
    assert WHO.model("") is None


PARTS = st.lists(st.sampled_from(["gateway/", "cloud/", "GATEWAY/"]), max_size=4)


@given(PARTS, st.sampled_from(["vendor-x-4", "vendor-x-4-latest", "Vendor-Y-1", "z"]))
def test_routes_never_change_who_it_is(routes: list[str], name: str) -> None:
    assert WHO.identity("".join(routes) + name) == WHO.identity(name)
    assert WHO.identity(WHO.identity(name)) == WHO.identity(name)
