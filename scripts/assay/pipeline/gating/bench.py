"""The benchmark that an agent of another repository is gated by: a folder, or a release of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import UsageError
from assay.ledger.git import clone
from assay.ledger.layout import find_root


def parse_bench(text: str) -> tuple[str, str | None]:
    """``PATH``, ``PATH@TAG`` or ``URL@TAG`` to its source and tag.

    An ``@`` that belongs to an address (``git@host:team/bench``) is no tag.
    """
    if Path(text).exists():
        return text, None
    source, mark, tag = text.rpartition("@")
    if mark and source and tag and not set(tag) & {"/", ":"}:
        return source, tag
    return text, None


@contextmanager
def benchmark(text: str) -> Iterator[Path]:
    """The root of a benchmark, fetched where it is not a folder; gone again afterwards.

    Raises:
        RefusedError: it cannot be fetched.
        UsageError: it is no benchmark.
    """
    source, tag = parse_bench(text)
    if tag is None and Path(source).is_dir():
        yield _root(Path(source), text)
        return
    with TemporaryDirectory(prefix="assay-bench-") as folder:
        target = Path(folder) / "bench"
        clone(source, tag, target)
        yield _root(target, text)


def _root(folder: Path, text: str) -> Path:
    found = find_root(folder.resolve())
    if found is None:
        raise UsageError(
            f"`{text}` is no benchmark repository: it has no truth/ with a params.yaml beside it.",
            hint="--bench ../bench, or --bench https://host/team/bench.git@v1.2",
        )
    return found
