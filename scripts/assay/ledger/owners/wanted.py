"""Which team must own what, and the CODEOWNERS that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.ledger import layout
from assay.ledger.cases import StoredSuite
from assay.models.catalog import People
from assay.models.forge import Forge

TRUTH_FOLDERS = ("truth/", "holdout/", "results/")
"""What says what is correct, and what was published."""

PROTECTED = (
    "*.dvc",
    "/.ci/",
    "/.dvc/",
    "/.dvcignore",
    "/.gitattributes",
    "/.github/",
    "/.gitignore",
    "/.gitlab-ci.yml",
    "/.pre-commit-hooks.yaml",
    "/CODEOWNERS",
    "/action.yml",
    "/assay",
    "/ci/",
    "/dvc.yaml",
    "/params.yaml",
    "/pyproject.toml",
    "/scripts/",
    "/tests/",
    f"/{layout.PEOPLE}",
)
"""What decides how truth is judged, and by whom."""

_MATERIAL = ("/cases/", "/corpora/", "/runs/")

_Entry = tuple[str, tuple[str, ...]]

_HEAD = """\
# Who must approve what. Written by `assay fmt owners` from truth/people.yaml and the suites; edit
# those. The last line that matches wins and replaces all lines before it, so the protected paths
# stand last.
"""


@dataclass(frozen=True)
class Unreachable:
    """An owner whom the forge cannot ask."""

    suite: str
    """The suite."""
    handle: str
    """Its owner."""


def required_team(forge: Forge, path: str) -> str | None:
    """The team that must own a path; None where anybody may.

    ``truth/people.yaml`` says who may sign, so those who sign must not be the ones who change it.
    """
    if path.endswith(".dvc") or any(_below(path, entry) for entry in PROTECTED):
        return forge.team(forge.teams.maintainers)
    if path.startswith(TRUTH_FOLDERS):
        return forge.team(forge.teams.truth)
    return None


def _below(path: str, entry: str) -> bool:
    name = entry[1:]
    return path.startswith(name) if name.endswith("/") else path == name


def owners_text(
    forge: Forge, people: People, suites: Mapping[str, StoredSuite]
) -> tuple[str, tuple[Unreachable, ...]]:
    """CODEOWNERS as it must be, and owners of suites whom the forge cannot ask."""
    maintainers, truth = forge.team(forge.teams.maintainers), forge.team(forge.teams.truth)
    cases = forge.team(forge.teams.cases or forge.teams.maintainers)
    material: list[_Entry] = [(pattern, (cases,)) for pattern in _MATERIAL]
    lost: list[Unreachable] = []
    for name, suite in suites.items():
        owner = _owner(forge, people, suite.suite.owner)
        if owner is None:
            lost.append(Unreachable(name, suite.suite.owner))
        elif owner != cases:
            material.append((f"/cases/{name}/", (cases, owner)))
    guarded: list[_Entry] = [(f"/{folder}", (truth,)) for folder in TRUTH_FOLDERS]
    protected: list[_Entry] = [(pattern, (maintainers,)) for pattern in PROTECTED]
    blocks: list[tuple[str, list[_Entry]]] = [
        ("", [("*", (maintainers,))]),
        ("# What is asked, and what was observed", material),
        ("# What is correct, and what was published", guarded),
        ("# Protected: what decides how truth is judged, and by whom", protected),
    ]
    if forge.kind == "gitlab" and forge.sections:
        number = f"[{forge.approvals}]" if forge.approvals > 1 else ""
        blocks += [
            ("# Sections each have to approve, whatever the lines above say\n[Truth]" + number,
             guarded),
            ("[House]", protected),
        ]  # fmt: skip
    width = max(len(pattern) for _, lines in blocks for pattern, _ in lines) + 2
    text = _HEAD
    for title, lines in blocks:
        text += "\n" + (f"{title}\n" if title else "")
        text += "".join(f"{pattern:<{width}}{' '.join(names)}\n" for pattern, names in lines)
    return text, tuple(lost)


def _owner(forge: Forge, people: People, handle: str) -> str | None:
    """How the forge knows an owner: the team, else the login."""
    person = people.people.get(handle)
    if person is None:
        return None
    if person.team:
        return forge.team(person.team)
    login = person.logins.get(forge.kind)
    return f"@{login}" if login else None
