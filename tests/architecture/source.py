"""The package's source as these tests look at it: parsed, never imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "scripts" / "assay"

TIERS: tuple[tuple[str, ...], ...] = (
    ("errors", "models"),
    ("statistics",),
    ("files",),
    ("ledger", "redaction", "telemetry"),
    ("intake", "forge"),
    ("scoring",),
    ("checks",),
    ("comparing",),
    ("reporting",),
    ("reviewing",),
    ("pipeline",),
    ("cli", "testing"),
    ("__main__",),
)
"""Rooms from left to right: imports point to the left only, and never sideways."""


def modules() -> list[Path]:
    """All modules of the package, sorted."""
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """Path of a module as it is shown: relative to the root."""
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path) -> str:
    """The room that a module lies in; the package itself is the empty room."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a module imports, wherever in it."""
    package = ("assay", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            name = ".".join(part for part in (base, node.module or "") if part)
            yield from ((node.lineno, f"{name}.{alias.name}") for alias in node.names)
