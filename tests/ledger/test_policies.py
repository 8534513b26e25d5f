"""Which policy version is in force, from when a revision counts, what a text's clauses are."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.files.reading import read_text
from assay.ledger.effective import judged_revisions, record_that_counts
from assay.ledger.policies import applies_from, effective_day, in_force
from assay.ledger.policy_texts import (
    clauses_of,
    load_policy_texts,
    policy_digest,
    unnamed_texts,
)
from assay.ledger.records import StoredRecord
from assay.models.catalog import Policies
from tests.ledger.test_renames import record

POLICIES = Policies.model_validate(
    {
        "families": {
            "refunds": {
                "versions": [
                    {"version": "refunds-v7", "effective": "2026-06-01"},
                    {"version": "refunds-v10", "effective": "2027-03-01"},
                ]
            },
            "mail": {"versions": [{"version": "mail-v1", "effective": "2026-09-01"}]},
        }
    }
)


@pytest.mark.parametrize(
    ("day", "wanted"),
    [
        ("2026-05-31", {}),
        ("2026-06-01", {"refunds": "refunds-v7"}),
        ("2026-09-01", {"mail": "mail-v1", "refunds": "refunds-v7"}),
        ("2027-02-28", {"mail": "mail-v1", "refunds": "refunds-v7"}),
        # By day and never by name: as text, v10 comes before v7.
        ("2027-03-01", {"mail": "mail-v1", "refunds": "refunds-v10"}),
    ],
)
def test_in_force(day: str, wanted: dict[str, str]) -> None:
    assert in_force(POLICIES, day) == wanted


def test_what_if_goes_before_the_day() -> None:
    assert in_force(POLICIES, "2026-06-01", {"refunds": "refunds-v10"}) == {
        "refunds": "refunds-v10"
    }


def test_days_of_versions() -> None:
    assert effective_day(POLICIES, "mail-v1") == "2026-09-01"
    assert effective_day(POLICIES, "mail-v2") is None


def test_a_revision_counts_from_the_day_its_last_policy_takes_effect() -> None:
    both = record(policy_version=["refunds-v7", "mail-v1"])
    assert applies_from(POLICIES, both) == "2026-09-01"
    assert applies_from(POLICIES, record()) is None
    assert applies_from(POLICIES, record(policy_version="gone-v1")) is None
    assert (
        applies_from(POLICIES, record(policy_version="mail-v1", applies_from="2026-01-01"))
        == "2026-01-01"
    )


def stored(revision: int, **fields: object) -> StoredRecord:
    return StoredRecord("s", f"p{revision}", record(revision=revision, **fields), b"")


def test_a_later_label_does_not_hide_the_valid_one() -> None:
    old, new = stored(1, policy_version="refunds-v7"), stored(2, policy_version="refunds-v10")
    assert record_that_counts([new, old], POLICIES, "2027-02-28") is old
    assert record_that_counts([new, old], POLICIES, "2027-03-01") is new
    assert judged_revisions([new, old], POLICIES, "2027-02-28") == (old, new)
    assert judged_revisions([new, old], POLICIES, "2027-03-01") == (new,)


def test_the_latest_revision_first_and_only_then_its_status() -> None:
    gold, disputed = stored(1), stored(2, status="disputed")
    assert record_that_counts([gold, disputed], POLICIES, "2026-06-01") is disputed


def test_nothing_counts_yet() -> None:
    only = stored(1, applies_from="2027-01-01")
    assert record_that_counts([only], POLICIES, "2026-12-31") is None
    assert record_that_counts([only], POLICIES, "2027-01-01") is only
    assert judged_revisions([only], POLICIES, "2026-12-31") == (only,)
    assert record_that_counts([], POLICIES, "2026-12-31") is None


TEXT = """\
# Refunds

<a id="scope"></a> Who may ask.

## 3 Window
### 3.2 Length {#length}
30 days after delivery.

**4.1** Gift cards.
- 4.2. Vouchers.
§ 5.1 Fees
1.5 dollars are kept.
"""


def test_clauses() -> None:
    assert clauses_of(TEXT) == {"scope", "3", "3.2", "length", "4.1", "4.2", "5.1", "1.5"}


def test_digest_knows_neither_line_ends_nor_a_mark(tmp_path: Path) -> None:
    for name, data in [
        ("lf", TEXT.encode()),
        ("crlf", TEXT.replace("\n", "\r\n").encode()),
        ("bom", b"\xef\xbb\xbf" + TEXT.encode()),
    ]:
        (tmp_path / name).write_bytes(data)
        assert policy_digest(read_text(tmp_path / name)) == policy_digest(TEXT)


def test_texts(tmp_path: Path) -> None:
    folder = tmp_path / "truth" / "policies"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text(TEXT, encoding="utf-8")
    (folder / "stray.md").write_text("x", encoding="utf-8")
    (folder / "latin.md").write_bytes(b"\xe9")
    days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"]
    files = ["policies/a.md", "policies/none.md", "../a.md", "policies/latin.md", None]
    policies = Policies.model_validate(
        {
            "families": {
                "p": {
                    "versions": [
                        {"version": f"p-v{n}", "effective": day, "file": file}
                        for n, (day, file) in enumerate(zip(days, files, strict=True))
                    ]
                }
            }
        }
    )
    texts = load_policy_texts(tmp_path, policies)
    assert texts["p-v0"].digest == policy_digest(TEXT)
    assert texts["p-v1"].problem == "There is no such file."
    assert "leaves truth/" in texts["p-v2"].problem
    assert "not UTF-8" in texts["p-v3"].problem
    assert (texts["p-v4"].path, texts["p-v4"].problem) == ("", "")
    assert unnamed_texts(tmp_path, policies) == ("truth/policies/stray.md",)
