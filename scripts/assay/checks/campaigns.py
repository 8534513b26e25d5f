"""Campaigns and declared bulk changes: readable, frozen, and about what exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from assay.checks.rule import Found, Rule, nearest
from assay.checks.world import World
from assay.errors import AssayError
from assay.files.yamls import read_yaml
from assay.ledger.campaigns.files import load_campaign
from assay.ledger.layout import CAMPAIGNS
from assay.models.campaign import BulkChange, Campaign

_SUFFIXES = (".cases.jsonl", ".change.yaml", ".yaml")


def _files(world: World) -> Iterator[tuple[str, str, str]]:
    """Path, name and suffix of every file of campaigns; the suffix is empty for a stray one."""
    top = world.repository.root / CAMPAIGNS
    for path in sorted(top.rglob("*")) if top.is_dir() else ():
        if path.is_dir() and not path.is_symlink():
            continue
        label = path.relative_to(world.repository.root).as_posix()
        flat = PurePosixPath(label).parent.as_posix() == CAMPAIGNS
        suffix = next((s for s in _SUFFIXES if flat and path.name.endswith(s)), "")
        yield label, path.name.removesuffix(suffix), suffix


def _of(error: AssayError, path: str) -> Found:
    return Found(
        error.message, error.hint, error.path or path, error.line, error.column, error.pointer or ""
    )


class CAM001(Rule):
    """A file under ``truth/campaigns/`` cannot be read, or does not belong there.

    What was declared could no longer be held against what was done.

    Restore it as the command wrote it.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Files with another name, that do not parse, or whose `id` is not their name."""
        root = world.repository.root
        names = {name for _, name, suffix in _files(world) if suffix == ".yaml"}
        for path, name, suffix in _files(world):
            if not suffix or (suffix == ".cases.jsonl" and name not in names):
                yield Found("Nothing of this name belongs here.", f"git mv or git rm {path}", path)
                continue
            if suffix == ".cases.jsonl":
                continue
            try:
                text = read_yaml(root / path, name=path)
                declared = suffix == ".change.yaml"
                found = text.require(BulkChange).id if declared else text.require(Campaign).id
            except AssayError as error:
                yield _of(error, path)
                continue
            if found != name:
                yield Found(
                    f"The file is called `{name}` and its `id` is `{found}`.",
                    f"write id: {name}",
                    path,
                    pointer="/id",
                )


class CAM002(Rule):
    """The cases of a campaign are not those that it was opened with.

    A list that grows or shrinks makes every figure about its progress worthless.

    Restore the list; open a second campaign for further cases.
    """

    severity = "error"
    scope = "nothing"
    needs = ("CAM001",)

    def find(self, world: World) -> Iterable[Found]:
        """Campaigns whose list is missing, does not parse, or has another digest."""
        for path, name, suffix in _files(world):
            if suffix != ".yaml":
                continue
            try:
                load_campaign(world.repository.root, name)
            except AssayError as error:
                if error.path != path:
                    yield _of(error, path)


class CAM003(Rule):
    """A campaign is about a policy version that does not exist.

    Nothing can be moved to it.

    Correct the version, or add it to ``truth/policies.yaml``.
    """

    severity = "error"
    scope = "nothing"
    reads = ("policies",)
    needs = ("CAM001",)

    def find(self, world: World) -> Iterable[Found]:
        """Campaigns whose `policy` no family has."""
        root = world.repository.root
        for path, _, suffix in _files(world):
            if suffix != ".yaml":
                continue
            try:
                campaign = read_yaml(root / path, name=path).require(Campaign)
            except AssayError:
                continue
            if campaign.policy not in world.families:
                message = f"No policy version is called `{campaign.policy}`."
                yield Found(message, nearest(campaign.policy, world.families), path)
