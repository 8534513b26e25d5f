from __future__ import annotations

import base64
import dataclasses
import hashlib
import posixpath
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from assay.reporting import html, scoreboard
from assay.reporting.html.bars import divided, rate_bar
from assay.reporting.html.environment import TEMPLATES, shown, ticked
from assay.reporting.html.index_view import MOST_ROWS
from assay.reporting.html.links import case_page
from tests.reporting import examples as e
from tests.reporting.many import many, report
from tests.reporting.pages import Page

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}\x1b[31m\u202e"
KEPT = {
    *("outcome", "status", "change", "component", "order", "today", "expires", "as_of"),
    *("schema_version", "role", "effect", "unknown", "kind"),
}


def small() -> html.SuiteInput:
    return html.SuiteInput(
        suite="shop",
        title="A shop's refunds",
        cases=e.CASES,
        truths=e.refund_truth(),
        revisions=e.RECORDS,
        results=e.refund_results(),
        case_results=e.refund_lines(),
        observed=(e.OBSERVED_HASTY, e.OBSERVED_NOTHING),
        floor=Decimal("0.5"),
    )


SMALL = html.render(report(small()))
PARSED = {path: Page(text) for path, text in SMALL.items()}


def test_there_is_a_page_for_every_case() -> None:
    assert sorted(SMALL) == list(SMALL)
    assert set(SMALL) == {
        "index.html",
        *(f"cases/shop/{case.eval_id}.html" for case in e.CASES),
    }


def test_every_link_leads_somewhere() -> None:
    for path, page in PARSED.items():
        assert len(page.ids) == len(set(page.ids)), path
        for link in page.links:
            target, _, anchor = link.partition("#")
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            found = found if target else path
            assert found in SMALL, (path, link)
            if anchor:
                assert anchor in PARSED[found].ids, (path, link)


def test_no_page_asks_the_network() -> None:
    for text in SMALL.values():
        assert "http:" not in text
        assert "https:" not in text
        assert not re.search(r"\bsrc=|url\(|@import|<link|<iframe", text)


def test_every_page_says_what_scores_are_not() -> None:
    for page in PARSED.values():
        assert "Benchmark scores are not evidence of safety in production." in page.text


def test_the_policy_names_the_digests_of_style_and_script() -> None:
    for text in SMALL.values():
        (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
        for tag in ("style", "script"):
            (body,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
            assert f"{tag}-src &#39;sha256-{digest.replace('+', '+')}&#39;" in policy
        assert "unsafe" not in policy
        assert not re.search(r"\sstyle=", text)


def test_the_index_has_every_number() -> None:
    text = " ".join(PARSED["index.html"].text.split())
    assert "3 of 6 cases had no valid truth today" in text
    assert "refunds-v7, shipping-v3" in text
    assert "incomplete 1 error, 1 not in the run; the rate lies between 0.0 and 66.7 %" in text
    assert "reproduces the published one" in text
    for line in e.EXCLUDED:
        assert line.case_id in text
    assert "no (33.3 %, floor 50; not scored: 3)" in text
    assert "2026-12-18" in text  # expires soon


def test_a_case_page_has_the_evidence_of_every_run() -> None:
    text = " ".join(PARSED["cases/shop/refund-0142.html"].text.split())
    assert "The kettle from order A-1017 leaks." in text
    assert 'issue_refund(order_id="A-1017", amount=41.90 EUR), exactly once' in text
    assert "find_order was never called." in text
    assert "issue_voucher is forbidden: attempted, blocked." in text
    assert "Version 7 wants the order looked up before money moves." in text
    assert "A faulty item is refunded in full within thirty days of delivery." in text
    assert "labelled by ana and bo, adjudicated by li" in text
    assert "not recorded by this format" in text
    assert "cost, tokens" in text
    assert "3 of 5 fail here." in text
    for run in e.RUNS:
        assert run in text


def test_an_excluded_case_says_why() -> None:
    text = PARSED["cases/shop/refund-0077.html"].text
    assert "Cannot be scored today." in text
    assert "Expired on 2026-11-28" in text
    assert "No run was scored on this case." in text
    assert "No revision of a truth record counts." in PARSED["cases/shop/refund-0105.html"].text


# Hostile text


def poisoned(value: Any, name: str = "") -> Any:
    """The same with hostile text behind every text that is not one of a closed set."""
    if name in KEPT:
        return value
    if isinstance(value, str):
        return value + EVIL
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return value.model_copy(update={k: poisoned(getattr(value, k), k) for k in fields})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {
            f.name: poisoned(getattr(value, f.name), f.name) for f in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **changed)
    if isinstance(value, Mapping):
        return {poisoned(k): poisoned(v, str(k)) for k, v in value.items()}
    if isinstance(value, Sequence | frozenset):
        return type(value)(poisoned(item) for item in value)  # type: ignore[call-arg]
    return value


def spared(value: Any) -> Any:
    """Hostile text everywhere but in the names of suites and cases, so that pages are made."""
    names = {"suite", "case_id", "eval_id"}
    KEPT.update(names)
    try:
        whole = poisoned(value)
    finally:
        KEPT.difference_update(names)
    suites = [
        dataclasses.replace(
            new, revisions=dict(zip(old.revisions, new.revisions.values(), strict=True))
        )
        for new, old in zip(whole.suites, value.suites, strict=True)
    ]
    return dataclasses.replace(whole, suites=suites)


@pytest.mark.parametrize("poison", [poisoned, spared])
def test_hostile_text_stays_text(poison: Any) -> None:
    pages = html.render(poison(report(small())))
    assert len(pages) == (1 if poison is poisoned else len(SMALL))
    known = set().union(*(page.tags for page in PARSED.values()))
    attributes = set().union(*(page.attributes for page in PARSED.values()))
    for path, text in pages.items():
        page = Page(text)
        assert page.tags <= known, path
        assert page.attributes <= attributes, path
        assert not any(name.startswith("on") for name in page.attributes)
        assert text.count("<script>") == 1
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "alert(1)</script>" in page.text
        assert "{{ 7*7 }}" in page.text
        for link in page.links:
            assert not link.lower().startswith(("javascript:", "data:"))


def test_ids_that_are_no_file_names_get_no_page() -> None:
    assert case_page("shop", "refund-0142") == "cases/shop/refund-0142.html"
    for name in ("../x", "a/b", ".hidden", "A", "", "x" * 97, "a\n"):
        assert case_page("shop", name) is None
    assert case_page("../x", "a") is None


def test_shown_keeps_line_feeds_and_shows_the_rest() -> None:
    assert shown("a\n\tb\x00") == "a\n\tb\\x00"
    assert shown(None) == ""
    assert shown(7) == 7
    assert str(ticked("`a<b` and `c`")) == "<code>a&lt;b</code> and <code>c</code>"
    assert str(ticked("lone ` <i>")) == "lone ` &lt;i&gt;"


# Size, order, edges


def test_five_runs_on_64_cases_are_small_and_equal_every_time() -> None:
    suite = many(64, title="A shop")
    pages = html.render(report(suite))
    assert len(pages["index.html"].encode()) < 200_000
    assert max(len(text.encode()) for text in pages.values()) < 200_000
    turned = dataclasses.replace(
        suite,
        cases=suite.cases[::-1],
        truths=suite.truths[::-1],
        results=suite.results[::-1],
        case_results=suite.case_results[::-1],
        observed=suite.observed[::-1],
    )
    assert html.render(report(turned)) == pages


def test_trials_have_a_place_each() -> None:
    pages = html.render(report(many(6, trials=3)))
    text = next(text for path, text in pages.items() if path.startswith("cases/"))
    page = Page(text)
    assert "trial 3" in page.text
    assert "of 3 passed" in page.text
    assert "3 trials, counts are of trials" in Page(pages["index.html"]).text


def test_a_suite_that_is_too_long_is_cut_and_says_so() -> None:
    suite = dataclasses.replace(many(MOST_ROWS + 120), observed=())
    pages = html.render(report(suite))
    page = Page(pages["index.html"])
    assert "suites/shop.html" in page.links
    everything = Page(pages["suites/shop.html"])
    scored = {line.case_id for line in suite.case_results}
    for case_id in scored:
        assert f"../cases/shop/{case_id}.html" in everything.links
    assert sum(link.startswith("cases/") for link in page.links) < len(everything.links)
    assert "more; those of the next 60 days: assay check --select EXP002" in " ".join(
        page.text.split()
    )


def test_the_holdout_is_counted_and_never_named() -> None:
    whole = report(small())
    names = {"refund-0142", "refund-0077", "refund-0088", "refund-0031"}
    held = dataclasses.replace(whole, withheld=frozenset(names))
    pages = html.render(held)
    assert "cases/shop/refund-0142.html" not in pages
    for text in pages.values():
        assert not any(name in text for name in names)
        assert "A-1017" not in text
    assert "4 held-out cases are counted and not shown." in pages["index.html"]


def test_the_board_names_no_held_out_case_either() -> None:
    names = {"refund-0142", "refund-0077", "refund-0088", "refund-0031"}
    source = dataclasses.replace(report(small()), withheld=frozenset(names)).board_input()
    shown = scoreboard.board(source)
    for text in (scoreboard.text(shown), scoreboard.json_text(shown)):
        assert not any(name in text for name in names)
        assert "refund-0105" in text
    assert shown.cases == 6


def test_nothing_to_report() -> None:
    empty = html.ReportInput(today=e.TODAY, engine="0.3.1", suites=())
    assert "Nothing was scored" in Page(html.render(empty)["index.html"]).text
    bare = html.ReportInput(today=e.TODAY, engine="0.3.1", suites=(html.SuiteInput(suite="shop"),))
    page = Page(html.render(bare)["index.html"])
    assert "No run was scored on this suite." in page.text
    assert "None of 0 cases" in page.text


def test_two_contexts_are_two_tables() -> None:
    results = [
        e.result("a", "shop", e.tally(60, 10)),
        e.result("b", "shop", e.tally(50, 20), about=e.context("shop", truth=e.HASH["9"])),
        e.result("c", "shop", e.tally(50, 20), exploratory=True),
    ]
    suite = html.SuiteInput(suite="shop", results=results)
    page = Page(html.render(report(suite))["index.html"])
    assert "differ in truth" in page.text
    for name in ("Context a, truth", "Context b, truth", "99999999", "88888888"):
        assert name in page.text
    assert "drafts scored" in page.text


def test_bars() -> None:
    bar = rate_bar(e.tally(62, 56))
    assert bar is not None
    assert (bar.rate, bar.interval, bar.at, bar.worst) == ("52.5", "44–61", "52.54%", "")
    open_bar = rate_bar(e.tally(62, 50, not_evaluated=6))
    assert open_bar is not None
    assert (open_bar.worst, open_bar.bounds) == ("52.54%", "5.08%")
    assert rate_bar(e.tally(excluded=3)) is None
    parts = divided({"a": 1, "b": 0, "c": 3}, ("a", "b", "c"))
    assert [(p.name, p.at, p.span) for p in parts] == [
        ("a", "0.00%", "25.00%"),
        ("c", "25.00%", "75.00%"),
    ]
    assert divided({}, ("a",)) == []


# Colours


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def themes() -> list[dict[str, str]]:
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block)) for block in (light, dark)]


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_every_text_has_the_contrast_that_reading_needs(theme: dict[str, str]) -> None:
    pairs = [(text, ground) for text in ("ink", "quiet", "link") for ground in ("paper", "panel")]
    pairs += [("quiet", "track"), ("ink", "track"), ("ink", "warn"), ("gold", "paper")]
    pairs += [("gold", "panel")]
    for verdict in ("passed", "failed", "open", "error"):
        pairs += [(verdict, f"{verdict}-soft"), (verdict, "panel"), ("ink", f"{verdict}-soft")]
    for text, ground in pairs:
        light, dark = sorted((luminance(theme[text]), luminance(theme[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)


# A real browser


@pytest.mark.conformance
def test_a_browser_runs_our_script_and_nothing_else(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium")
    for path, text in html.render(spared(report(small()))).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            f"--user-data-dir={tmp_path / 'profile'}",
            *("--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"),
            (tmp_path / "index.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 'class="find"' in done.stdout
    assert not re.search(r'class="find" hidden', done.stdout), "our script did not run"
    assert "Content Security Policy" not in done.stderr
    assert "CONSOLE" not in done.stderr
