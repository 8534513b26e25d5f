"""How long our work takes, as ratios to a limit measured in the same run.

    python benchmarks/run.py [--small] [--only NAME]

Each figure is the median over pairs: the limit, then our work, one right after the other.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import orjson

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scripts"))
sys.path.insert(0, str(HERE.parent))

from tests.support import make_repository  # noqa: E402

from benchmarks import history, synthetic  # noqa: E402
from benchmarks.measuring import Row, paired, processor  # noqa: E402


def jsonl(folder: Path, count: int) -> list[Row]:
    """Records of one interchange file: reading and validating them, then all rules."""
    from assay.checks.runner import run_checks
    from assay.ledger.records import read_interchange
    from assay.ledger.repository import Repository

    path = folder / "records.jsonl"
    with path.open("wb") as stream:
        for index in range(count):
            stream.write(synthetic.line(synthetic.record(index)))
    root = make_repository(folder / "jsonl", [])

    def limit() -> None:
        with path.open("rb") as stream:
            for line in stream:
                orjson.loads(line)

    def load() -> None:
        found = read_interchange(path)
        assert len(found.records) == count, found.faults[:1]

    def check() -> None:
        run_checks(Repository.load(root, truth=[path]))

    return [
        paired(f"load and validate {count:,} records from JSONL", limit, load, "≤ 2.5×"),
        paired(f"all rules over {count:,} records from JSONL", limit, check, "–", times=1),
    ]


def files(folder: Path, count: int) -> list[Row]:
    """Revision files, read one by one."""
    from assay.ledger.records import read_records

    root = make_repository(folder / "files", [])
    target = root / "truth/records/shop"
    target.mkdir(parents=True)
    for index in range(count):
        value = synthetic.record(index)
        (target / f"{value['case_id']}.r0001.json").write_bytes(synthetic.line(value))

    def limit() -> None:
        for path in sorted(target.iterdir()):
            with path.open("rb") as stream:
                orjson.loads(stream.read())

    def ours() -> None:
        assert len(read_records(root).records) == count

    return [paired(f"read {count:,} revision files", limit, ours, "≤ 2×")]


def scoring(count: int) -> list[Row]:
    """Pairs of record and run, every component, parsed before."""
    from tests.support import CANARY, TOOLS

    from assay.files.reading import parse_json
    from assay.files.yamls import parse_yaml
    from assay.ledger.hashes import content_hash
    from assay.ledger.toolnames import ToolNames
    from assay.models.case import EvalCase, Suite
    from assay.models.catalog import ToolCatalog
    from assay.models.compiled import EffectiveTruth
    from assay.models.result import Context
    from assay.models.run import ObservedRun
    from assay.models.truth import TruthRecord
    from assay.scoring.case import Scorer
    from assay.scoring.run import SuiteTruth, score_run

    lines = [synthetic.line(synthetic.record(index)) for index in range(count)]
    seen = [synthetic.line(synthetic.observed(index)) for index in range(count)]
    names = ToolNames.from_catalog(parse_yaml(TOOLS, name="tools").require(ToolCatalog))
    records = [TruthRecord.model_validate(parse_json(line, name="r")) for line in lines]
    runs = [ObservedRun.model_validate(parse_json(line, name="o")) for line in seen]
    truths = [
        EffectiveTruth(
            suite="shop",
            case_id=record.case_id,
            record=record,
            content_hash=content_hash(record),
            gates=True,
        )
        for record in records
    ]
    zero = "0" * 64
    context = Context(
        suite="shop",
        truth=zero,
        cases=zero,
        policies={},
        scorer=zero,
        weights={},
        split=zero,
        verdicts=zero,
        rename_map=zero,
    )
    suite = Suite(suite="shop", owner="cleo", canary=CANARY, licence="CC-BY-4.0")
    cases: dict[str, EvalCase] = {}

    def limit() -> None:
        for line in lines:
            orjson.loads(line)
        for line in seen:
            orjson.loads(line)

    def ours() -> None:
        against = SuiteTruth(suite, truths, cases, Scorer(names), context, "2026-11-30")
        results, _ = score_run("bench", runs, against)
        assert len(results) == count

    return [paired(f"score {count:,} pairs", limit, ours, "≤ 6×")]


_IMPORT = """
import resource, sys
from pathlib import Path
from assay.intake.runs import RunOptions
from assay.intake.runs.store import RunTarget, import_runs
outcome = import_runs([Path(sys.argv[1])], RunTarget(Path(sys.argv[2]), "shop"), RunOptions())
assert outcome.read == int(sys.argv[3]) and not outcome.findings, outcome
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def importing(folder: Path, count: int) -> list[Row]:
    """Runs recorded as chat messages, one file of JSON lines, to canonical lines."""
    path = folder / "chats.jsonl"
    with path.open("wb") as stream:
        for index in range(count):
            stream.write(synthetic.line(synthetic.chat(index)))
    size = path.stat().st_size
    memory = ""

    def limit() -> None:
        with path.open("rb") as stream:
            for line in stream:
                orjson.loads(line)

    def ours() -> None:
        nonlocal memory
        out = folder / "imported"
        memory = subprocess.run(
            [sys.executable, "-c", _IMPORT, str(path), str(out), str(count)],
            env={"PYTHONPATH": str(HERE.parent / "scripts"), "PATH": "/usr/bin:/bin"},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        shutil.rmtree(out)

    # Minutes, in which others work as well: what they take is not ours.
    row = paired("", limit, ours, "≤ 25×", times=3, clock=processor)
    row.work = f"import {count:,} chats ({size // 10**6:,} MB) in {memory} MiB"
    path.unlink()
    return [row]


ENVIRONMENT = {"PYTHONPATH": str(HERE.parent / "scripts"), "PATH": "/usr/bin:/bin"}
IMPORT_CLICK = ("-c", "import click")


def python(*arguments: str, cwd: Path | None = None) -> float:
    """Processor seconds of a process: wall time would measure the neighbours as well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starting(
    work: str,
    words: Sequence[str],
    spare: float | None,
    *,
    cwd: Path | None = None,
    times: int = 15,
) -> Row:
    """A command against importing click: at most twice of that, and some seconds."""
    pairs = [(python(*IMPORT_CLICK, cwd=cwd), python(*words, cwd=cwd)) for _ in range(times)]
    beyond = statistics.median(b - 2 * a for a, b in pairs)
    return Row(
        work,
        [b / a for a, b in pairs],
        statistics.median(a for a, _ in pairs),
        "–" if spare is None else f"≤ 2× + {spare} s",
        f"2× {'+' if beyond >= 0 else '-'} {abs(beyond):.2f} s",
    )


def start() -> list[Row]:
    """The command's help against importing click."""
    return [starting("assay --help", ("-m", "assay.cli.main", "--help"), 0.1)]


def compare(folder: Path, count: int) -> list[Row]:
    """Two plain tables compared in a folder without a repository, against importing click."""
    place = folder / "compare"
    place.mkdir(parents=True)
    for name, every in (("before.csv", 3), ("after.csv", 4)):
        rows = (f"c{index},{'false' if index % every == 0 else 'true'}\n" for index in range(count))
        (place / name).write_text("case_id,passed\n" + "".join(rows), encoding="utf-8")
    words = ("-m", "assay.cli.main", "compare", "before.csv", "after.csv")
    small = count <= 100
    work = f"assay compare, two tables of {count:,} rows"
    return [starting(work, words, 0.3 if small else None, cwd=place, times=15 if small else 3)]


def plugin(folder: Path) -> list[Row]:
    """What the pytest plugin costs a session that has no use for it."""
    place = folder / "plugin"
    place.mkdir()
    (place / "test_a.py").write_text("def test_a(): ...\n", encoding="utf-8")
    name = "assay.testing.plugin"
    session = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_a.py")
    works = {
        "import the pytest plugin": (("-c", "import pytest"), ("-c", f"import pytest, {name}")),
        "a session of one test with the plugin": (session, (*session, "-p", name)),
    }
    rows = []
    for work, (without, with_it) in works.items():
        pairs = [(python(*without, cwd=place), python(*with_it, cwd=place)) for _ in range(15)]
        more = statistics.median(b - a for a, b in pairs) * 1000
        ratios = [b / a for a, b in pairs]
        limit = statistics.median(a for a, _ in pairs)
        rows.append(Row(work, ratios, limit, "≤ 30 ms more", f"{more:+.0f} ms"))
    return rows


def plans() -> list[Row]:
    """Two plans of 100 steps over 20 tools, compared: one with one error, and one unlike it."""
    from assay.models.plan import Plan
    from assay.scoring.levels.plan_graph import plan_graph
    from assay.scoring.levels.similarity import similarity

    first = synthetic.plan(100, 1)
    wrong = synthetic.plan(100, 1)
    wrong["execution_steps"][50]["arguments"]["k"] = 77
    rows: list[Row] = []
    for name, second in (("one error", wrong), ("nothing alike", synthetic.plan(100, 2))):
        texts = [orjson.dumps(value) for value in (first, second)]
        one, other = (plan_graph(Plan.model_validate(value)) for value in (first, second))
        row = paired(
            "",
            lambda texts=texts: [orjson.loads(text) for text in texts],  # type: ignore[misc]
            lambda one=one, other=other: similarity(one, other),  # type: ignore[misc]
            "≤ 10 ms",
            times=25,
        )
        milliseconds = 1000 * row.limit * statistics.median(row.ratios)
        row.work = f"two plans of 100 steps, {name}: {milliseconds:.1f} ms"
        rows.append(row)
    return rows


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the data")
    parser.add_argument(
        "--only",
        help="jsonl, files, scoring, importing, start, plans, compare, compare-many, plugin,"
        " rename, relabel, append-only",
    )
    arguments = parser.parse_args()
    part = 10 if arguments.small else 1
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = {
            "jsonl": lambda: jsonl(folder, 100_000 // part),
            "files": lambda: files(folder, 40_000 // part),
            "scoring": lambda: scoring(10_000 // part),
            "importing": lambda: importing(folder, 100_000 // part),
            "start": start,
            "plans": plans,
            "compare": lambda: compare(folder, 100),
            "plugin": lambda: plugin(folder),
            "compare-many": lambda: compare(folder / "many", 10_000 // part),
        }
        for key, measure in wanted.items():
            if arguments.only in (None, key):
                rows += measure()
        for key, of_history in history.MEASURES.items():
            if arguments.only in (None, key):
                rows += of_history(folder, part)
    width = max(len(row.work) for row in rows)
    print(
        f"{'work':<{width}}  {'ratio':>6}  {'min–max':>12}  {'limit s':>8}  {'reached':>12}  goal"
    )
    for row in rows:
        spread = f"{min(row.ratios):.2f}–{max(row.ratios):.2f}"
        print(
            f"{row.work:<{width}}  {statistics.median(row.ratios):>5.2f}×  {spread:>12}"
            f"  {row.limit:>8.3f}  {row.reached:>12}  {row.goal}"
        )


if __name__ == "__main__":
    main()
