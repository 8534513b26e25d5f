"""A tiny simulated corpus to test on, written by hand."""

from __future__ import annotations

from pathlib import Path

from assay.telemetry.bringing import accept

MANIFEST = """\
schema_version: 1
corpus: shed
title: One day of a shed
licence: CC0-1.0
simulated: true
telemetry: simulation.yaml
cassettes: recordings.yaml
"""

SIMULATION = """\
schema_version: 1
seed: shed
first_day: "2026-01-31"
days: 2
step_seconds: 1800
buildings:
  - file: shed.csv
    streams:
      - name: outside
        kind: profile
        hours: [-50, -52, -54, -55, -56, -55, -50, -40, -20, 0, 10, 20,
                25, 30, 28, 20, 10, 0, -10, -20, -30, -38, -44, -48]
        noise: 2
      - {name: wanted, kind: schedule, hours: [50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50,
          180, 180, 180, 180, 180, 180, 50, 50, 50, 50, 50, 50]}
      - {name: inside, kind: follow, start: 55, target: wanted, permille: 300,
         pull: outside, pull_permille: 50, noise: 1}
      - {name: heat, kind: counter, decimals: 0, start: 9, of: inside, divide: 2}
"""

RECORDINGS = """\
schema_version: 1
file: means.jsonl
tool: mean
decimals: 2
calls:
  - {stream: shed/outside, day: "2026-01-31"}
  - {stream: shed/heat, day: "2026-02-01"}
"""


def make_corpus(root: Path, *, simulated: bool = True) -> Path:
    """A folder with the corpus, its data and its pointers."""
    folder = root / "corpora" / "shed"
    folder.mkdir(parents=True)
    folder.joinpath("manifest.yaml").write_text(MANIFEST)
    folder.joinpath("simulation.yaml").write_text(SIMULATION)
    folder.joinpath("recordings.yaml").write_text(RECORDINGS)
    accept(root, lambda _: None)
    if not simulated:
        folder.joinpath("manifest.yaml").write_text(MANIFEST.replace("true", "false"))
    return root
