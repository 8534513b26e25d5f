"""The comment, the text and the JSON: golden files, hostile text, size."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assay.models.review import Review
from assay.models.schemas import schema_text
from assay.pipeline.reviewing.review import review
from assay.reporting.review import render
from assay.reporting.review.as_markdown import markdown, text_of
from assay.reporting.review.budget import LIMIT, Part, fitted
from tests.gitrepo import GitRepo
from tests.reviewing.history import CASES, label, rename_all, revise, shop

HOSTILE = (
    "</details><img src=x onerror=alert(1)> ![x](https://e.example/p.png) [l](javascript:1)"
    " @maintainers please merge #1 GH-2 !3 ~bug http://e.example www.e.example"
    " | cell | `code` <!-- hidden --> &lt;b&gt; ```"
    "\n# title\n- [ ] task\n> q \u202eevil\x1b[31m $x$"
)


def branch(root: Path) -> GitRepo:
    """A correction, a renewal, an unfinished wording, a bulk rename that holds."""
    labels = [label(name) for name in CASES]
    labels[3]["required_tools"][0]["tool"] = "refund_order"
    repo = shop(root, labels)
    rename_all(repo.root)
    repo.commit("rename", who="ana")
    revise(
        repo.root,
        "refund-0142",
        facts=[{"id": "amount", "any_of": ["$35.00"]}],
        max_calls={"issue_refund": 1},
        why="Five are kept for the box.",
    )
    revise(repo.root, "refund-0143", change="renewal", expires="2027-06-01")
    revise(repo.root, "refund-0144", change="wording", why="Said more plainly.", raw=True)
    repo.commit("labels", who="ana")
    return repo


def steady(text: str, found: Review) -> str:
    """Without the names of commits: they depend on every byte of the fixture."""
    for name, commit in (("ORIGIN", found.sides.origin), ("HEAD", found.sides.head or "")):
        text = text.replace(commit, name).replace(commit[:10], name)
    return text


@pytest.mark.parametrize(("fmt", "end"), [("markdown", "md"), ("text", "txt"), ("json", "json")])
def test_golden(tmp_path: Path, golden: Callable[[str, str], None], fmt: str, end: str) -> None:
    repo = branch(tmp_path / "shop")
    found = review(repo.root, "main..work")
    golden(f"branch.{end}", steady(render(fmt, found), found))


def test_golden_of_what_is_wrong(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    repo = branch(tmp_path / "shop")
    place = repo.root / "truth/records/shop/refund-0145.r0002.json"
    place.write_text(place.read_text().replace("$40.00", "$400.00"))
    repo.commit()
    found = review(repo.root, "main..work")
    golden("wrong.md", steady(render("markdown", found), found))


def test_json_is_what_its_schema_says(tmp_path: Path) -> None:
    found = review(branch(tmp_path / "shop").root, "main..work")
    value = json.loads(render("json", found))
    jsonschema.validate(value, json.loads(schema_text("review")))
    assert value["schema_version"] == 1


def test_the_same_text_from_another_folder(tmp_path: Path) -> None:
    repo = branch(tmp_path / "shop")
    first = review(repo.root, "main..work")
    repo.git("clone", "-q", str(repo.root), str(tmp_path / "other"))
    command = first.sides.command.split()[2]
    second = review(tmp_path / "other", command)
    for fmt in ("markdown", "text"):
        assert render(fmt, first) == render(fmt, second)


# -- hostile --------------------------------------------------------------------------------


def hostile(root: Path) -> Review:
    repo = shop(root)
    revise(
        repo.root,
        "refund-0142",
        why=HOSTILE,
        facts=[{"id": "amount", "any_of": [HOSTILE]}],
        evidence=[HOSTILE],
        raw=True,
    )
    repo.commit()
    return review(repo.root, "main..work")


def outside_code(text: str) -> str:
    """The comment without fenced blocks and code spans, where nothing is read as markup."""
    text = re.sub(r"^(`{3,})json\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)", "", text)


def test_hostile_text_is_only_text(tmp_path: Path) -> None:
    found = hostile(tmp_path / "shop")
    text = render("markdown", found)
    rest = outside_code(text)
    ours = {"details", "/details", "summary", "/summary", "sub", "/sub", "br"}
    assert set(re.findall(r"<([^>\s]*)", rest)) <= ours
    assert not re.search(r"(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)\[", rest)
    assert not re.search(r"@\w|\w://|(?<!;)www\.|(?<!&)#\d|GH-\d|![0-9]", rest)
    for bad in ("\u202e", "\x1b"):
        assert bad not in text
    for line in rest.splitlines():
        assert not line.startswith(("# title", "- [ ]", "> q"))
    shown = render("text", found)
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_the_fence_of_a_file_is_longer_than_any_in_it(tmp_path: Path) -> None:
    text = render("markdown", hostile(tmp_path / "shop"))
    fences = [line for line in text.splitlines() if re.match(r"`{3,}", line)]
    assert fences[0].endswith("json")
    assert fences[0].removesuffix("json") == fences[1]
    assert len(fences) == 2
    assert len(fences[1]) == 4


# -- size -----------------------------------------------------------------------------------


def test_it_is_never_too_long(tmp_path: Path) -> None:
    found = review(branch(tmp_path / "shop").root, "main..work")
    case = found.cases[0]
    many: dict[str, Any] = {
        "cases": tuple(
            case.model_copy(update={"case_id": f"case-{n:05d}", "asked": "ä" * 500})
            for n in range(2_000)
        ),
        "flips": found.flips * 5_000,
    }
    text = markdown(found.model_copy(update=many))
    assert len(text.encode()) <= LIMIT
    assert "Cut to fit: " in text
    assert text.count("<details>") == text.count("</details>")
    assert text.rstrip().endswith("</sub>")
    small = markdown(found.model_copy(update=many), limit=4_000)
    assert len(small.encode()) <= 4_000
    assert "### Truth:" in small


def test_one_screen_is_open(tmp_path: Path) -> None:
    found = review(branch(tmp_path / "shop").root, "main..work")
    text = markdown(found)
    still = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    assert len([line for line in still.splitlines() if line.strip()]) <= 50


def test_chunks_are_kept_whole() -> None:
    blocks, cut = fitted([Part("case", ["a" * 50, "b" * 500]), Part("run", ["c"])], 300)
    assert blocks == ["a" * 50, "c"]
    assert cut == [("case", 1)]


ALPHABET = "ab1 \n\t`*_{}[]()<>|~&#$!@:/.-+=\\\"'%^;\u202e\u200b\x1b"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=ALPHABET, max_size=40) | st.text(max_size=20))
def test_a_reader_of_markdown_sees_text_alone(written: str) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    page = f"**Why** {text_of(written)}\n\n| a | b |\n|---|---|\n| x | {text_of(written)} |\n"
    kinds = {token.type for token in reader.parse(page)}
    inner = {child.type for token in reader.parse(page) for child in token.children or ()}
    assert inner <= {"text", "text_special", "strong_open", "strong_close", "softbreak"}
    assert not kinds & {"html_block", "fence", "code_block", "hr", "blockquote_open"}
    assert sum(token.type == "tr_open" for token in reader.parse(page)) == 2
