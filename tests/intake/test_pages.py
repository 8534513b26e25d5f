"""Pages, codes and formats agree: nothing undocumented, nothing dead."""

from __future__ import annotations

import re

import pytest

from assay.intake.codes import CODES
from assay.intake.runs import FORMATS
from tests.intake.support import ROOT

PAGES = ROOT / "docs" / "formats"
SOURCES = sorted((ROOT / "scripts" / "assay" / "intake").rglob("*.py"))


@pytest.mark.parametrize("name", [known.name for known in FORMATS])
def test_every_format_has_a_page(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    assert "assay runs import" in text or name == "native"
    assert "**Unknown:**" in text or name == "native"
    assert f"({name}.md)" in (PAGES / "README.md").read_text("utf-8")


def test_every_link_leads_somewhere() -> None:
    for page in sorted(PAGES.glob("*.md")):
        for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
            assert (PAGES / target).is_file(), f"{page.name}: {target}"


def test_every_code_is_used_and_every_used_code_is_known() -> None:
    used = {
        code
        for path in SOURCES
        if path.name != "codes.py"
        for code in re.findall(r'"(I(?:CA|RU|DR)[0-9]{3})"', path.read_text("utf-8"))
    }
    assert used == set(CODES)


def test_codes_stand_in_order() -> None:
    for family in ("ICA", "IRU", "IDR"):
        listed = [code for code in CODES if code.startswith(family)]
        assert listed == sorted(listed)
