"""Which names two rename maps map differently, of those that were called."""

from __future__ import annotations

from pathlib import Path

from assay.errors import AssayError
from assay.ledger.toolnames import ToolNames
from assay.pipeline.comparing.loading import Loaded, Loader


def mapped_otherwise(root: Path, a: Loaded, b: Loaded, loader: Loader) -> tuple[str, ...] | None:
    """Names called in either run that the two maps of the sides map to other tools, sorted.

    A label whose names map differently has another content hash, so that the truth differs too;
    only what was called is looked at here.

    Returns:
        None where a map or a run is not here: nobody can tell.
    """
    maps = [_map_of(root, side, loader) for side in (a, b)]
    first, second = maps
    if first is None or second is None:
        return None
    called: set[tuple[str, str | None]] = set()
    for side in (a, b):
        try:
            called |= _called(loader.run_file(side.named))
        except AssayError:
            return None
    return tuple(
        sorted(
            {
                name
                for name, server in called
                if first.canonical(name, server) != second.canonical(name, server)
                or _halves(first, name) != _halves(second, name)
            }
        )
    )


def _map_of(root: Path, side: Loaded, loader: Loader) -> ToolNames | None:
    result = side.side.result
    assert result is not None
    wanted = result.context.rename_map
    here = loader.judged.world.repository.names
    if here.digest == wanted:
        return here
    if side.commit is None:
        return None
    from assay.ledger.past import repository_at

    try:
        with repository_at(root, side.commit) as repository:
            names = repository.names
    except AssayError:
        return None
    return names if names.digest == wanted else None


def _called(file: Path) -> set[tuple[str, str | None]]:
    from assay.intake.runs.read import read_runs

    runs = read_runs(file).runs
    return {(call.name, call.server) for run in runs for _, call in run.tool_calls}


def _halves(names: ToolNames, name: str) -> list[object]:
    """What a split tool goes to, and when."""
    found = [names.entries[key] for key in names.canonical(name) if key in names.entries]
    return [half for entry in found for half in entry.split_into]
