"""Run a stage and list what it did without having declared it.

    root = copy_repository(ROOT, tmp_path / "copy")
    for stage in stages(root).values():
        assert guard(root, stage) == []

A stage may read the files and folders of its ``deps``, its parameter files, and its own outs.
It may list a folder that is, or lies in, a dep or an out, and any folder of source (the import
system does). It must not read other files of the repository, source modules included; not
write outside its outs; not start programs, use the network, or look at the clock; and its outs
must not change when the parameters that it does not declare are taken away.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.pipeline.stages import Stage

HOOK = Path(__file__).with_name("guard_hook.py")
LEFT_OUT = shutil.ignore_patterns(
    ".git",
    ".venv*",
    ".assay",
    ".dvc",
    "__pycache__",
    "*.partial",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    "build",
    "splits",
    "scores",
    "report",
)


class StageError(AssertionError):
    """The stage did not end well, so nothing can be said of it."""


@dataclass(frozen=True)
class Event:
    """One thing that a stage did."""

    kind: str
    """open, write, list, program, network, clock or param."""
    what: str
    """Path relative to the root, or a name."""
    by: str
    """Our line that did it; empty where only libraries took part."""


def copy_repository(source: Path, target: Path) -> Path:
    """A copy to run stages in, without outputs, caches and history."""
    shutil.copytree(source, target, ignore=LEFT_OUT)
    return target


def guard(root: Path, stage: Stage) -> list[str]:
    """Run the stage in `root` and list its violations, sorted; empty for an honest stage.

    The stages before it must have been run.

    Raises:
        StageError: the stage failed.
    """
    events = run(root, stage)
    found = {violation for event in events if (violation := judge(stage, event))}
    outs = snapshot(root, stage)
    with_only_declared_params(root, stage, lambda: run(root, stage))
    for name, content in snapshot(root, stage).items():
        if outs.get(name) != content:
            found.add(f"{name} changes when undeclared parameters are taken away")
    return sorted(found)


def unused(root: Path, stage: Stage) -> list[str]:
    """Deps of which the stage opened nothing: it would run again for no reason.

    A folder that holds nothing yet but a page about it is used where the stage looked into it.
    """
    events = run(root, stage)
    opened = [event.what for event in events if event.kind == "open"]
    listed = {event.what for event in events if event.kind == "list"}
    idle = [dep for dep in stage.deps if not any(under(what, [dep]) for what in opened)]
    return [dep for dep in idle if dep not in listed or _holds_something(root / dep)]


def _holds_something(folder: Path) -> bool:
    return any(path.is_file() and path.name != "README.md" for path in folder.rglob("*"))


def run(root: Path, stage: Stage) -> list[Event]:
    """Run the stage under the hook; what it did, in order."""
    log = root.parent / f"{root.name}.{stage.name}.log"
    log.unlink(missing_ok=True)
    for out in stage.outs:
        # As dvc does it: outs are removed before the run.
        path = root / out
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "scripts"),
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }
    assert stage.command[:2] == ["python", "-m"]
    done = subprocess.run(
        [sys.executable, str(HOOK), str(log), str(root), *stage.command[2:]],
        cwd=root,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise StageError(f"{stage.name} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    events: list[Event] = []
    for line in log.read_text(encoding="utf-8").splitlines():
        value: dict[str, str] = json.loads(line)
        what = value.get("name", "")
        if "path" in value:
            path = Path(value["path"])
            if not path.is_relative_to(root):
                continue
            what = source_of(path.relative_to(root)).as_posix()
        events.append(Event(value["kind"], what, value["by"].removeprefix(f"{root}/")))
    return events


def source_of(path: Path) -> Path:
    """The module that a file of compiled code belongs to; any other path as it is."""
    if path.parent.name != "__pycache__":
        return path
    return path.parent.parent / f"{path.name.split('.')[0]}.py"


def judge(stage: Stage, event: Event) -> str:
    """What is wrong with an event; empty when nothing is."""
    what, by = event.what, f" ({event.by})" if event.by else ""
    if event.kind == "open":
        allowed = [*stage.deps, *stage.params, *stage.outs]
        return "" if under(what, allowed) or temporary(what, stage) else f"reads {what}{by}"
    if event.kind == "write":
        return "" if under(what, stage.outs) or temporary(what, stage) else f"writes {what}{by}"
    if event.kind == "list":
        source = what == "scripts" or what.startswith("scripts/")
        fine = source or under(what, [*stage.deps, *stage.outs])
        return "" if fine else f"lists {what}{by}"
    if event.kind == "param":
        keys = [key for wanted in stage.params.values() for key in wanted or ()]
        everything = any(wanted is None for wanted in stage.params.values())
        return "" if everything or what in keys else f"uses the parameter {what}{by}"
    return {"clock": "reads the clock", "program": "starts", "network": "connects"}[
        event.kind
    ] + f": {what}{by}"


def under(path: str, allowed: Iterable[str]) -> bool:
    """Whether a path is one of the allowed ones or lies below one."""
    return any(path == entry or path.startswith(f"{entry}/") for entry in allowed)


def temporary(path: str, stage: Stage) -> bool:
    """Whether it is the temporary file through which an out is written."""
    name = path.rsplit("/", 1)[-1]
    folders = {out.rpartition("/")[0] for out in stage.outs}
    return name.startswith(".") and name.endswith(".tmp") and path.rpartition("/")[0] in folders


def snapshot(root: Path, stage: Stage) -> dict[str, bytes]:
    """Path to content of all files of the outs."""
    found: dict[str, bytes] = {}
    for out in stage.outs:
        path = root / out
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        found |= {f.relative_to(root).as_posix(): f.read_bytes() for f in files if f.is_file()}
    return found


def with_only_declared_params(root: Path, stage: Stage, action: Callable[[], Any]) -> None:
    """Do something while the parameter files hold only what the stage declares.

    ``today`` and ``suites`` stay: without them nothing is a parameter file.
    """
    yaml = YAML(typ="safe", pure=True)
    before: dict[Path, bytes] = {}
    for name, keys in stage.params.items():
        file = root / name
        if keys is None or name in stage.outs:
            continue
        before[file] = file.read_bytes()
        value = yaml.load(file)
        kept = {key: value[key] for key in value if key in {*keys, "today", "suites"}}
        file.write_text(json.dumps(kept), encoding="utf-8")
    try:
        action()
    finally:
        for file, content in before.items():
            file.write_bytes(content)
