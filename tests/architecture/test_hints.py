"""A command that a message names can be typed."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import click
import pytest

from assay.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"(?:^|[\s`(/])assay ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)")
FLAG = re.compile(r"(?<=\s)--[a-z][a-z-]*")


def command(words: str) -> click.Command | None:
    """The command that some words name."""
    first, _, second = words.partition(" ")
    if first not in COMMANDS:
        return None
    module, attribute = COMMANDS[first][0].split(":")
    found: click.Command = getattr(importlib.import_module(f"assay.cli.{module}"), attribute)
    if isinstance(found, click.Group):
        return found.commands.get(second) if second else found
    return found


def literals(path: Path) -> list[tuple[int, str]]:
    """Texts in the code that are no docstrings, f-strings with their holes as X."""
    found: list[tuple[int, str]] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner |= {id(part) for part in node.values}
            parts = [
                str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values
            ]
            found.append((node.lineno, "".join(parts)))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs | inner
        ):
            found.append((node.lineno, node.value))
    return found


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "scripts/assay").rglob("*.py")),
    ids=lambda path: path.relative_to(ROOT / "scripts/assay").as_posix(),
)
def test_commands_in_messages_exist(path: Path) -> None:
    wrong: list[str] = []
    for line, text in literals(path):
        for match in NAMED.finditer(text):
            found = command(match[1]) or command(match[1].partition(" ")[0])
            if found is None or (isinstance(found, click.Group) and " " in match[1]):
                wrong.append(f"{line}: assay {match[1]}")
                continue
            rest = text[match.end() :].split("`")[0]
            known = {name for option in found.params for name in option.opts}
            wrong += [
                f"{line}: assay {match[1]} has no {flag}"
                for flag in FLAG.findall(rest)
                if flag not in known | {"--help"}
            ]
    assert wrong == []
