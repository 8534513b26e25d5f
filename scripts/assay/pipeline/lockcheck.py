"""Whether a reproduction kept to its inputs: what moved in ``dvc.lock``, and why.

Every change of a record changes ``dvc.lock``, and two changed locks cannot be merged. So pull
requests need not carry it: their job reproduces, reports with this, and throws the lock away; the
job of the main branch commits it. Wrong is only that data moved behind its pointer, which dvc
rewrites without a word, or that a stage came to something else with inputs that are the same.

Run as ``python -m assay.pipeline.lockcheck [--lock COMMIT] [--json FILE]`` after ``dvc repro``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from assay.errors import AssayError, InputError, RefusedError
from assay.files.model_text import model_text, value_text
from assay.files.writing import write_text
from assay.ledger.git import ask
from assay.ledger.history import commit_id
from assay.ledger.layout import find_root
from assay.models.base import JsonValue
from assay.models.reproduced import MovedStage, Reproduced

LOCK = "dvc.lock"


def compared(before: str, after: str) -> tuple[MovedStage, ...]:
    """What differs between two texts of ``dvc.lock``; a stage that is gone is no difference.

    Raises:
        InputError: one of them is no lock.
    """
    old, new = _stages(before), _stages(after)
    found = []
    for name in sorted(new):
        was, now = old.get(name, {}), new[name]
        inputs = [*_differing(_paths(was, "deps"), _paths(now, "deps"))]
        inputs += _differing(_params(was), _params(now))
        if was.get("cmd") != now.get("cmd"):
            inputs.append("cmd")
        outputs = _differing(_paths(was, "outs"), _paths(now, "outs"))
        if inputs or outputs:
            found.append(
                MovedStage(stage=name, inputs=tuple(sorted(inputs)), outputs=tuple(sorted(outputs)))
            )
    return tuple(found)


def reproduced(root: Path, lock_of: str = "HEAD") -> Reproduced:
    """What the working tree's lock and pointers are, against those of a commit.

    Raises:
        InputError: a lock cannot be read.
        RefusedError: no history, or nothing was reproduced.
    """
    commit_id(root, lock_of)
    file = root / LOCK
    if not file.is_file():
        raise RefusedError("There is no dvc.lock here.", path=LOCK, hint="./scripts/repro")
    before = ask(root, "show", f"{lock_of}:./{LOCK}") or ""
    after = file.read_text(encoding="utf-8")
    moved = compared(before, after) if before else ()
    pointers = [
        f"{path} was rewritten: the data differs from what the last commit points to."
        for path in _moved_pointers(root)
    ]
    stages = [
        f"Stage {item.stage} wrote other {', '.join(item.outputs)} with unchanged inputs."
        for item in moved
        if item.wrong
    ]
    return Reproduced(moved=moved, problems=(*pointers, *stages))


def _moved_pointers(root: Path) -> tuple[str, ...]:
    said = ask(root, "diff", "--name-only", "-z", "--relative", "HEAD", "--", "*.dvc")
    if said is None:
        raise RefusedError("git cannot say what has changed.", hint="git status")
    return tuple(sorted(name for name in said.split("\0") if name))


Entry = Mapping[str, JsonValue]


def _stages(text: str) -> dict[str, Entry]:
    """Name to stage, every value as text: an MD5 may look like a number."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        value = YAML(typ="base").load(text) if text.strip() else None
    except YAMLError:
        raise InputError(
            "This is no lock that dvc wrote; it may be half merged.",
            path=LOCK,
            hint="git checkout --theirs dvc.lock && ./scripts/repro",
        ) from None
    stages = value.get("stages") if isinstance(value, dict) else None
    return {
        name: stage
        for name, stage in (stages.items() if isinstance(stages, dict) else ())
        if isinstance(stage, dict)
    }


def _paths(stage: Entry, kind: str) -> dict[str, str]:
    """Path to digest."""
    entries = stage.get(kind)
    return {
        str(entry.get("path")): str(entry.get("md5") or entry.get("etag"))
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict)
    }


def _params(stage: Entry) -> dict[str, str]:
    files = stage.get("params")
    found: dict[str, str] = {}
    for file, values in files.items() if isinstance(files, dict) else ():
        for key, value in values.items() if isinstance(values, dict) else ():
            found[f"{file}:{key}"] = value_text(value)
    return found


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def as_text(found: Reproduced) -> str:
    """A line for each stage that moved, and each thing that is wrong."""
    lines = [
        f"{item.stage}: {', '.join(item.inputs) or 'nothing'} changed"
        + (f"; wrote other {', '.join(item.outputs)}" if item.outputs else "; same outputs")
        for item in found.moved
    ]
    lines = lines or ["No stage moved."]
    return "\n".join([*lines, *(f"wrong: {problem}" for problem in found.problems)]) + "\n"


@click.command()
@click.option("--lock", "lock_of", default="HEAD", metavar="COMMIT", help="Whose lock it was.")
@click.option("--json", "target", type=click.Path(path_type=Path), help="Write it there as well.")
@click.pass_context
def lockcheck(ctx: click.Context, lock_of: str, target: Path | None) -> None:
    """Say which stages moved, and fail when one moved without a reason."""
    root = find_root(Path.cwd())
    if root is None:
        raise RefusedError("This is no benchmark repository.", hint="cd into one")
    found = reproduced(root, lock_of)
    if target is not None:
        write_text(target, model_text(found))
    click.echo(as_text(found), nl=False)
    if found.problems:
        ctx.exit(1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit codes as everywhere."""
    try:
        code = lockcheck.main(args=arguments, standalone_mode=False)
    except AssayError as error:
        print(f"assay: {error}", file=sys.stderr)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    raise SystemExit(main())
