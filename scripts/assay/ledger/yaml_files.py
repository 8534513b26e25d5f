"""The YAML files of a repository, each with the places of its values."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from assay.errors import AssayError
from assay.files.yamls import YamlText, read_yaml
from assay.ledger.faults import LoadFault
from assay.models.base import Model

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class YamlFile(Generic[M]):
    """A file that was read, or the default in its place."""

    path: str
    """File, relative to the root."""
    model: M
    """Its content; the default where it is absent or broken."""
    text: YamlText | None
    """Places of the values; None where it could not be read."""
    faults: tuple[LoadFault, ...] = ()
    """What is wrong with it."""

    def place(self, pointer: str) -> tuple[int, int]:
        """One-based line and column of a value in the file."""
        return self.text.place(pointer) if self.text else (1, 1)


def load_yaml(
    root: Path, path: str, model: type[M], default: M | None, *, suite: str | None = None
) -> YamlFile[M] | tuple[LoadFault, ...]:
    """A YAML file as a model.

    Args:
        root: the repository.
        path: the file, relative to it.
        model: what the file holds.
        default: what stands for a missing or broken file; None where the file must be there
            and right.
        suite: the suite that is concerned, for the faults.

    Returns:
        The file; only its faults where it is broken and there is no default.
    """
    # A link that leads nowhere is broken, not absent: a lost quarantine must not pass unseen.
    if default is not None and not os.path.lexists(root / path):
        return YamlFile(path, default, None)
    try:
        text = read_yaml(root / path, name=path)
    except AssayError as error:
        faults: tuple[LoadFault, ...] = (LoadFault.of(error, suite=suite),)
        return YamlFile(path, default, None, faults) if default is not None else faults
    instance, problems = text.problems(model)
    if instance is not None:
        return YamlFile(path, instance, text)
    faults = tuple(
        LoadFault(
            "schema",
            path,
            problem.message,
            problem.hint,
            *text.place(problem.pointer),
            problem.pointer,
            suite,
        )
        for problem in problems
    )
    return YamlFile(path, default, text, faults) if default is not None else faults
