"""CODEOWNERS as the forges read it: patterns, the last match, sections, what is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ledger.owners.files import load_owners
from assay.ledger.owners.lookup import doubled, last_lines, owners_of, takeovers
from assay.ledger.owners.patterns import matcher
from assay.ledger.owners.syntax import MOST_BYTES, parse_owners
from assay.ledger.owners.wanted import owners_text, required_team
from assay.ledger.repository import Repository
from assay.models.catalog import People
from assay.models.forge import Forge, ForgeKind
from tests.support import make_repository

FORGE = Forge.model_validate(
    {
        "kind": "github",
        "organisation": "org",
        "teams": {"maintainers": "house", "truth": "labels", "cases": "other/cases"},
    }
)

GITHUB = [
    # pattern, paths that match, paths that do not
    ("*", ["a", "a/b/c.py", ".x"], []),
    ("*.js", ["a.js", "x/y/a.js", "x.js/deep"], ["a.jsx", "js"]),
    ("/build/logs/", ["build/logs/a", "build/logs/x/y"], ["x/build/logs/a", "build/logs"]),
    ("docs/*", ["docs/a.md"], ["docs/x/a.md", "x/docs/a.md"]),
    ("apps/", ["apps/a", "x/apps/y/z"], ["apps", "xapps/a"]),
    ("/docs/", ["docs/x/y"], ["x/docs/y"]),
    ("/docs", ["docs", "docs/x/y"], ["docsx", "x/docs"]),
    ("docs", ["docs", "x/docs/y"], ["docsx"]),
    ("a/b", ["a/b", "a/b/c"], ["x/a/b"]),
    ("**/logs", ["logs/a", "x/logs/b", "x/y/logs"], ["xlogs/a"]),
    ("/a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["a/bz", "b/a/z"]),
    ("/a/**", ["a/b", "a/b/c"], ["ab", "a"]),
    ("/a?.py", ["ab.py"], ["a.py", "a/.py", "abc.py"]),
    ("/truth/*.jsonl", ["truth/a.jsonl"], ["truth/sub/a.jsonl", "truth/a.json"]),
    ("/*", ["a", "b.py"], ["a/b"]),
    ("/a\\ b/", ["a b/c"], ["a\\ b/c"]),
    ("/A", ["A"], ["a"]),
    ("/", [], ["a", "a/b"]),
]
GITLAB = [
    ("*", ["a", "a/b/c"], []),
    ("*.rb", ["a.rb", "x/y/a.rb", ".x.rb"], ["a.rbx"]),
    ("/docs/", ["docs/a", "docs/x/y"], ["x/docs/a"]),
    ("docs/", ["docs/a", "x/docs/y/z"], []),
    ("/docs", ["docs"], ["docs/a"]),
    ("docs/*", ["docs/a", "x/docs/a"], ["docs/x/a"]),
    ("internal/README.md", ["internal/README.md", "docs/internal/README.md"], ["README.md"]),
    ("/docs/**/*.md", ["docs/a.md", "docs/x/y/a.md"], ["a.md"]),
    ("/[ab].py", ["a.py"], ["c.py"]),
    ("/[^ab].py", ["c.py"], ["a.py"]),
    ("\\#x", ["#x", "y/#x"], ["x"]),
]


@pytest.mark.parametrize(
    ("kind", "pattern", "yes", "no"),
    [("github", *row) for row in GITHUB] + [("gitlab", *row) for row in GITLAB],
)
def test_patterns(kind: ForgeKind, pattern: str, yes: list[str], no: list[str]) -> None:
    matches = matcher(pattern, kind)
    assert [path for path in yes if not matches(path)] == []
    assert [path for path in no if matches(path)] == []


def owners(*lines: str, kind: ForgeKind = "github") -> list[tuple[str, ...]]:
    text = parse_owners("\n".join(lines).encode(), kind)
    return [owners_of(text, path) for path in ("truth/a.json", "truth/sub/b.json", "scripts/x.py")]


def test_the_last_line_replaces_the_others() -> None:
    assert owners("* @all", "/truth/ @labels") == [("@labels",), ("@labels",), ("@all",)]
    assert owners("/truth/ @labels", "* @all") == [("@all",)] * 3
    assert owners("* @all", "/truth/") == [(), (), ("@all",)]
    assert owners("* @all", "/truth/ @b", "/truth/ @c @d")[0] == ("@c", "@d")


def test_lines_that_are_skipped_decide_nothing() -> None:
    assert owners("* @all", "@labels @x", "!/truth/ @x", "/truth/ labels")[0] == ("@all",)
    assert owners("@labels @everyone") == [(), (), ()]


def test_forms() -> None:
    text = parse_owners(
        b"\xef\xbb\xbf* @all # why\r\n\r\n  # x\r\n/a\\ b/\t@x\tme@a.example\r\n", "github"
    )
    assert [(line.number, line.pattern, line.owners) for line in text.lines] == [
        (1, "*", ("@all",)),
        (4, "/a\\ b/", ("@x", "me@a.example")),
    ]
    assert text.problems == ()


def test_a_file_that_is_too_large_protects_nothing() -> None:
    data = b"* @all\n" + b"#" * MOST_BYTES
    assert parse_owners(data, "github").lines == ()
    assert parse_owners(data, "github").too_large
    assert parse_owners(data, "gitlab").lines


def test_sections() -> None:
    text = parse_owners(
        b"* @all\n[Truth][2] @labels\n/truth/\n/truth/sub/ @sub\n^[Docs]\n*.json @docs\n"
        b"[TRUTH]\n/truth/z @z\n[Out]\n* @out\n!/truth/\n/truth/a.json @late\n",
        "gitlab",
    )
    assert text.problems == ()
    assert {name: line.owners for name, line in last_lines(text, "truth/a.json").items()} == {
        "": ("@all",),
        "truth": ("@labels",),
        "docs": ("@docs",),
    }
    assert owners_of(text, "truth/sub/b.json") == ("@all", "@sub", "@docs")
    assert owners_of(text, "truth/z") == ("@all", "@z")
    assert owners_of(text, "x.py") == ("@all", "@out")
    assert [name for name, section in text.sections.items() if not section.required] == ["docs"]


def test_a_section_that_need_not_approve_protects_nothing() -> None:
    def lost(text: str) -> int:
        found = parse_owners(text.encode(), "gitlab")
        return len(takeovers(found, ["truth/a"], lambda path: "@labels"))

    assert lost("^[Truth]\n/truth/ @labels\n") == 1
    assert lost("[Truth]\n/truth/ @labels\n[Other]\n* @x\n") == 0
    assert lost("^[Truth]\n/truth/ @labels\n[truth]\n") == 0


@pytest.mark.parametrize("line", ["[]", "[Truth][x]", "[Truth][0]", "[Truth] labels"])
def test_headings_that_are_wrong(line: str) -> None:
    assert parse_owners(line.encode(), "gitlab").problems


FILES = ["truth/one.jsonl", "truth/more/two.jsonl", "holdout/h.jsonl", "scripts/x.py", "README.md"]
SHAPES = [
    # lines, owners of the files above, lines that the check names
    (["/truth/ @l", "/holdout/ @l", "* @e"], ["@e", "@e", "@e", "@e", "@e"], [3]),
    (["* @e", "/truth/ @l", "/holdout/ @l", "/scripts/ @t"], ["@l", "@l", "@l", "@t", "@e"], []),
    (["@l @e"], ["", "", "", "", ""], [None]),
    (["* @e", "/truth/ @l", "/truth/ @d", "/holdout/ @l"], ["@d", "@d", "@l", "@e", "@e"], [3]),
    (["* @e", "truth/*.jsonl @l", "/holdout/ @l"], ["@l", "@e", "@l", "@e", "@e"], [1]),
]


@pytest.mark.parametrize(("lines", "wanted", "named"), SHAPES)
def test_shapes_that_undo_a_protection(
    lines: list[str], wanted: list[str], named: list[int | None]
) -> None:
    text = parse_owners("\n".join(lines).encode(), "github")
    assert [" ".join(owners_of(text, path)) for path in FILES] == wanted
    lost = takeovers(
        text, FILES, lambda path: "@l" if path.startswith(("truth/", "holdout/")) else None
    )
    assert [item.line.number if item.line else None for item in lost] == named


WORDS = st.sampled_from(["*", "**", "a", "b", "truth", "*.py", "a?", "[ab]", "x y", "\\#", "!"])
LINES = st.lists(
    st.tuples(st.lists(WORDS, min_size=1, max_size=4).map("/".join), st.sampled_from(["@a", "@b"])),
    max_size=6,
)


@given(LINES, st.sampled_from(["github", "gitlab"]), st.lists(WORDS, min_size=1, max_size=4))
def test_the_last_match_wins_whatever_stands_there(
    lines: list[tuple[str, str]], kind: ForgeKind, names: list[str]
) -> None:
    text = parse_owners("\n".join(" ".join(line) for line in lines).encode(), kind)
    path = "/".join(names)
    matching = [line for line in text.lines if matcher(line.pattern, kind)(path)]
    if not any(line.excludes for line in text.lines):
        assert owners_of(text, path) == (matching[-1].owners if matching else ())
    assert all(earlier.number < later.number for earlier, later in doubled(text))


@given(st.binary(max_size=200), st.sampled_from(["github", "gitlab"]))
def test_nothing_that_stands_there_breaks_it(data: bytes, kind: ForgeKind) -> None:
    text = parse_owners(data, kind)
    owners_of(text, "truth/a")


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_what_is_written_protects(tmp_path: Path, kind: ForgeKind) -> None:
    found = Repository.load(make_repository(tmp_path))
    forge = FORGE.model_copy(update={"kind": kind, "approvals": 2})
    people = People.model_validate(
        {"people": {"cleo": {"roles": [{"role": "owner", "from": "2026-01-01"}], "team": "leads"}}}
    )
    text, unreachable = owners_text(forge, people, found.suites)
    parsed = parse_owners(text.encode(), kind)
    assert (unreachable, parsed.problems, doubled(parsed)) == ((), (), ())
    paths = ["truth/people.yaml", "truth/records/shop/x.r0001.json", "results/2026/0.json",
             "holdout/h", "scripts/a/b.py", "telemetry.dvc", "cases/big.dvc", "CODEOWNERS",
             ".github/workflows/ci.yml", "params.yaml", "cases/shop/suite.yaml"]  # fmt: skip
    assert takeovers(parsed, paths, lambda path: required_team(forge, path)) == ()
    assert set(owners_of(parsed, "cases/shop/suite.yaml")) == {"@other/cases", "@org/leads"}
    assert ("[Truth][2]" in text) == (kind == "gitlab")


def test_neither_forge_nor_file(tmp_path: Path) -> None:
    assert load_owners(tmp_path, None) is None
    (tmp_path / "CODEOWNERS").write_text("* @a\n")
    found = load_owners(tmp_path, None)
    assert found is not None
    assert found.paths == ()
