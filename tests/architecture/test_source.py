"""Rules that the source holds: one-way imports, small modules, no clock, no chance."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import (
    PACKAGE,
    TIERS,
    imports_of,
    modules,
    name_of,
    room_of,
    tree_of,
)

RANK = {room: rank for rank, rooms in enumerate(TIERS) for room in rooms}
MOST_LINES = 400

CLOCK = {
    ("date", "today"),
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("time", "asctime"),
    ("time", "ctime"),
    ("time", "gmtime"),
    ("time", "localtime"),
    ("time", "strftime"),
    ("time", "time"),
    ("time", "time_ns"),
}
CHANCE = {"random", "locale"}


def each_module() -> pytest.MarkDecorator:
    """One test a module, named after it."""
    return pytest.mark.parametrize("path", modules(), ids=name_of)


def sideways(path: Path) -> list[str]:
    """Imports of a module that do not point to the left."""
    room = room_of(path)
    found: list[str] = []
    for line, name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "assay" or len(parts) < 2:
            continue
        other = parts[1]
        if other in RANK and other != room and room and RANK[other] >= RANK[room]:
            found.append(f"line {line}: {room} imports {name}")
    return found


@each_module()
def test_imports_point_to_the_left(path: Path) -> None:
    assert room_of(path) in {"", *RANK}, "add the room to TIERS and to docs/architecture.md"
    assert sideways(path) == []


def test_models_and_errors_import_nothing_of_ours() -> None:
    for path in modules():
        room = room_of(path)
        if room in {"models", "errors"}:
            ours = {name for _, name in imports_of(path) if name.startswith("assay.")}
            assert {n for n in ours if not n.startswith(f"assay.{room}")} == set(), name_of(path)


def test_an_import_to_the_right_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.architecture import source

    monkeypatch.setattr(source, "PACKAGE", tmp_path)
    wrong = tmp_path / "files" / "cheat.py"
    wrong.parent.mkdir()
    wrong.write_text("def f():\n    from ..checks import runner\n    import assay.files.reading\n")
    assert sideways(wrong) == ["line 2: files imports assay.checks.runner"]


@each_module()
def test_modules_are_small(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{lines} lines: ask what it hides, and split it"


def clock_uses(tree: ast.Module) -> list[str]:
    """Uses of the clock in a module, by line."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            base = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if (base, node.attr) in CLOCK:
                found.append(f"line {node.lineno}: {base}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            names = [a.name for a in node.names if ("time", a.name) in CLOCK]
            found += [f"line {node.lineno}: time.{name}" for name in names]
    return found


@each_module()
def test_nothing_reads_the_clock(path: Path) -> None:
    assert clock_uses(tree_of(path)) == []


@each_module()
def test_nothing_draws_lots_or_asks_the_locale(path: Path) -> None:
    used = {name.split(".")[0] for _, name in imports_of(path)}
    assert used & CHANCE == set()


@pytest.mark.parametrize(
    "text",
    [
        "import datetime\ndatetime.date.today()",
        "from datetime import datetime as d, date\ndate.today()",
        "import datetime\nf = datetime.datetime.now",
        "import time\ntime.time()",
        "from time import time",
        "import time\ntime.strftime('%Y')",
    ],
)
def test_a_look_at_the_clock_is_seen(text: str) -> None:
    assert clock_uses(ast.parse(text)) != []


def broken_patterns(tree: ast.Module) -> list[str]:
    """Possessive repeats and atomic groups in patterns: `re` reads them wrongly before 3.11.5."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            for part in (n for arg in node.args[:1] for n in ast.walk(arg)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    plain = re.sub(r"\\.|\[\^?\]?[^\]]*\]", "x", part.value)
                    if re.search(r"[*+?}]\+|\(\?>", plain):
                        found.append(f"line {part.lineno}: {part.value}")
    return found


@each_module()
def test_patterns_mean_the_same_to_every_python(path: Path) -> None:
    assert broken_patterns(tree_of(path)) == []


@pytest.mark.parametrize("pattern", [r"a++", r"(?:a-)*+", r"[+#]++b", r"a{2}+", r"(?>a+)b"])
def test_a_broken_pattern_is_seen(pattern: str) -> None:
    assert broken_patterns(ast.parse(f"import re\nre.compile({pattern!r})")) != []


@pytest.mark.parametrize("pattern", [r"a+", r"[*+]\+", r"a\++", r"[-*+]\s+", r"[]+]+"])
def test_a_sound_pattern_is_not(pattern: str) -> None:
    assert broken_patterns(ast.parse(f"import re\nre.compile({pattern!r})")) == []


def test_every_room_says_what_it_is_for() -> None:
    for folder in sorted(p for p in PACKAGE.iterdir() if p.is_dir() and any(p.glob("*.py"))):
        assert ast.get_docstring(tree_of(folder / "__init__.py")), f"{folder.name}/__init__.py"


def test_only_ledger_talks_to_git() -> None:
    users = {
        name_of(path)
        for path in modules()
        for _, name in imports_of(path)
        if name.split(".")[0] in {"git", "gitdb"}
    }
    assert {user for user in users if "/ledger/" not in user} == set()
