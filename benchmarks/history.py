"""Truth under git: bulk writers beside a plain copy, the append-only check beside git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.support import case, make_repository

from benchmarks.measuring import Row, paired, processor, seconds

HERE = Path(__file__).resolve().parent
SUITE = "truth/records/shop"
SAME = "# Refunds\n\n## 3.2 Window\n\nThirty days from delivery.\n"


def git(root: Path, *arguments: str) -> bytes:
    """Run git as a person does."""
    identity = ("-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "gc.auto=0")
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)
    return done.stdout


def labels(root: Path, count: int) -> Path:
    """Gold labels under an old tool name and an old policy; their text is canonical."""
    from assay.files.model_text import model_text
    from assay.ledger.formatting import formatted, write_formatted
    from assay.ledger.repository import Repository
    from assay.models.truth import TruthRecord
    from benchmarks import synthetic

    make_repository(root, [], [case(f"case-{index:06d}", "Refund.") for index in range(count)])
    (root / "truth/policies/refunds-v8.md").write_text(SAME)
    (root / SUITE).mkdir(parents=True)
    write_formatted(root, formatted(Repository.load(root)))
    for index in range(count):
        value = synthetic.record(index)
        value["required_tools"][1]["tool"] = "refund_order"
        text = model_text(TruthRecord.model_validate(value))
        (root / SUITE / f"{value['case_id']}.r0001.json").write_text(text)
    return root


def bulk(folder: Path, count: int, words: tuple[str, ...], name: str, times: int) -> list[Row]:
    """A bulk command, the process whole, beside a copy of the files that it writes."""
    root = labels(folder / "labels", count)
    opened(root)
    began = {path.name for path in (root / SUITE).iterdir()}
    copy = folder / "copy"

    def undo() -> None:
        for path in list((root / SUITE).iterdir()):
            if path.name not in began:
                path.unlink()
        for path in (root / "truth/campaigns").glob("*.change.yaml"):
            path.unlink()

    def limit() -> None:
        copy.mkdir()
        for path in sorted((root / SUITE).iterdir()):
            shutil.copyfile(path, copy / path.name)

    # In processor time: a copy is mostly waiting for the disk, and so for whoever else writes.
    pairs = []
    for _ in range(times):
        first = seconds(limit, processor)
        pairs.append((first, seconds(lambda: assay(root, *words), processor)))
        assert len(list((root / SUITE).iterdir())) == 2 * count
        shutil.rmtree(copy)
        undo()
    shutil.rmtree(root)
    ratios = [ours / base for base, ours in pairs]
    return [Row(f"{name} {count:,} records", ratios, sorted(a for a, _ in pairs)[times // 2], "–")]


def opened(root: Path) -> None:
    """A campaign over all of them, without the forecast of what the gate loses."""
    from assay.ledger.campaigns.affected import affected
    from assay.ledger.campaigns.files import cases_digest, cases_text, open_campaign
    from assay.ledger.repository import Repository
    from assay.models.campaign import Campaign

    cases = affected(Repository.load(root), "refunds-v8", {})
    made = Campaign(
        id="to-refunds-v8",
        policy="refunds-v8",
        opened="2026-11-30",
        due="2027-02-28",
        why="The window moves.",
        minutes=6,
        cases=len(cases),
        digest=cases_digest(cases_text(cases)),
    )
    open_campaign(root, made, cases)


def assay(root: Path, *words: str) -> None:
    """A command of ours, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "scripts")}
    subprocess.run(
        [sys.executable, "-m", "assay.cli.main", "-C", str(root), *words],
        env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def renaming(folder: Path, count: int) -> list[Row]:
    """Renames, written once."""
    return bulk(folder, count, ("truth", "rename"), "rename", 1)


def relabelling(folder: Path, count: int) -> list[Row]:
    """Labels moved to another policy, written once."""
    words = ("campaign", "uphold", "to-refunds-v8", "--adjudicator", "cleo")
    return bulk(folder, count, words, "relabel", 1)


def append_only(folder: Path, old: int, new: int) -> list[Row]:
    """What a pull request with many new revisions may not do, beside git's own list of it."""
    from assay.checks.runner import rules, world_of
    from assay.ledger.changes import branch_history
    from assay.ledger.repository import Repository

    root = labels(folder / "tree", old)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    git(root, "checkout", "-q", "-b", "work")
    target = root / SUITE
    for path in sorted(target.iterdir())[:new]:
        text = path.read_text().replace('"revision": 1', '"revision": 2')
        (target / path.name.replace("r0001", "r0002")).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "head")

    def limit() -> None:
        listed = git(root, "diff", "--no-renames", "--name-status", "main", "work")
        assert listed.count(b"\n") == new

    of_history = [rule() for code, rule in rules().items() if code.startswith("HIS")]
    empty = Repository.load(make_repository(folder / "empty"))

    def ours() -> None:
        world = world_of(empty, history=branch_history(root, "main", committed=True))
        assert [found for rule in of_history for found in rule.find(world)] == []

    row = paired(
        f"append-only check, {new:,} new of {old + new:,} files",
        limit,
        ours,
        "≤ 1.5×",
        times=9,
        clock=processor,
    )
    shutil.rmtree(root)
    return [row]


MEASURES: dict[str, Callable[[Path, int], list[Row]]] = {
    "rename": lambda folder, part: renaming(folder / "rename", 20_000 // part),
    "relabel": lambda folder, part: relabelling(folder / "relabel", 100_000 // part),
    "append-only": lambda folder, part: append_only(
        folder / "append", 80_000 // part, 20_000 // part
    ),
}
