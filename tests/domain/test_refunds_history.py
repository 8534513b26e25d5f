"""What the shipped truth shows of its own history: campaigns, tools, disputes, corrections."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.ledger.campaigns.files import campaign_names, load_campaign
from assay.ledger.campaigns.pace import pace
from assay.ledger.campaigns.progress import progress
from assay.ledger.policies import effective_day
from tests.domain.shipped import ROOT, TODAY, repository

pytestmark = pytest.mark.domain


def test_a_finished_campaign_and_an_open_one() -> None:
    assert campaign_names(ROOT) == ("to-refunds-v7", "to-refunds-v8")
    over, going_on = (load_campaign(ROOT, name) for name in campaign_names(ROOT))
    assert {item.state for item in progress(repository(), over)} == {"done"}
    assert pace(repository(), over, TODAY).open == ()
    left = Counter(item.state for item in progress(repository(), going_on))
    assert left["open"] > 100
    assert left["done"] >= 10
    assert left["silver"]
    day = effective_day(repository().policies.model, going_on.campaign.policy)
    assert day is not None
    assert going_on.campaign.due < day


def test_a_finished_campaign_turned_a_verdict() -> None:
    (item,) = progress(repository(), load_campaign(ROOT, "to-refunds-v7"))
    first, last = (stored.record for stored in repository().revisions[item.case.case_id])
    assert (first.policies, last.policies) == (("refunds-v6",), ("refunds-v7",))
    assert (first.change, last.change, last.status) == ("new", "policy", "gold")
    assert "issue_refund" in {entry.tool for entry in first.required}
    assert "issue_refund" in last.forbidden_tools


def test_a_label_that_the_campaign_passed_by() -> None:
    """It cites another clause than the one that the campaign asked for, and is left out today."""
    cases = load_campaign(ROOT, "to-refunds-v7").by_case
    stale = [
        name
        for name, revisions in repository().revisions.items()
        if revisions[-1].record.policies == ("refunds-v6",)
    ]
    assert stale
    assert not cases.keys() & set(stale)


def test_a_renamed_tool_and_a_split_one() -> None:
    tools = repository().catalog.model.tools
    (renamed,) = [tool for tool in tools if tool.renamed_to]
    (split,) = [tool for tool in tools if tool.split_into]
    assert len(split.split_into) == 3
    names = repository().names
    assert renamed.name in names.forward
    of_rename = [
        revisions
        for revisions in repository().revisions.values()
        if revisions[-1].record.change == "rename"
    ]
    # One label names the half that it means; the other does not say which one it is.
    assert sorted(revisions[-1].record.status for revisions in of_rename) == ["disputed", "gold"]
    halves = {half.tool for half in split.split_into}
    for revisions in of_rename:
        before, after = (
            {*(entry.tool for entry in stored.record.required), *stored.record.forbidden_tools}
            for stored in revisions[-2:]
        )
        if revisions[-1].record.status == "gold":
            assert split.name in before - after
            assert after & halves
        else:
            assert split.name in before & after


def test_disputed_and_corrected_records() -> None:
    changes = Counter(stored.record.change for stored in repository().records)
    assert changes["dispute"] >= 3
    assert changes["correction"] >= 3
    # A dispute that ended in a correction, and one that was upheld.
    ends = {
        tuple(stored.record.change for stored in revisions[1:])
        for revisions in repository().revisions.values()
        if len(revisions) > 2
    }
    assert any(row[-1] == "correction" for row in ends)
    assert any(row[-1] == "upheld" for row in ends)
