"""What a format can carry is read back as it was written, for random runs in every format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings

from assay.intake.runs import read_runs
from assay.models.run import ObservedRun
from tests.intake.writers import runs, without, writers

WRITERS = writers()


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_what_was_written_is_read_back(name: str) -> None:
    writer = WRITERS[name]
    if hasattr(writer, "REQUIRES"):
        pytest.importorskip(writer.REQUIRES)

    @settings(deadline=None, max_examples=getattr(writer, "EXAMPLES", 60))
    @given(runs())
    def holds(made: list[ObservedRun]) -> None:
        carried = getattr(writer, "carried", lambda run: run)
        wanted = [carried(run) for run in (made[:1] if hasattr(writer, "ONE") else made)]
        file_name, content = writer.write(wanted)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file_name
            path.write_bytes(content)
            imported = read_runs(path)
        assert imported.format == name
        assert not [item for item in imported.findings if item.severity == "error"]
        unknown = [run.unknown for run in imported.runs]
        assert [without(run, parts) for run, parts in zip(imported.runs, unknown, strict=True)] == [
            without(run, parts) for run, parts in zip(wanted, unknown, strict=True)
        ]

    holds()
