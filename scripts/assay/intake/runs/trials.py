"""Trials: which repetition of its case a run is."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class _Taken:
    free: int = 0
    """The lowest trial that is free."""
    beyond: set[int] | None = None
    """Trials above it that are taken."""


@dataclass
class Trials:
    """Hands out trials; shared by all files of one run."""

    taken: dict[str, _Taken] = field(default_factory=dict)
    """Case id to the trials that are in use."""

    def take(self, case_id: str, trial: int | None) -> int | None:
        """The trial of a run: its own, else the first free one. None where it is taken."""
        used = self.taken.get(case_id)
        if used is None:
            used = self.taken[case_id] = _Taken()
        beyond = used.beyond
        if trial is not None and trial != used.free:
            if trial < used.free or (beyond is not None and trial in beyond):
                return None
            if beyond is None:
                beyond = used.beyond = set()
            beyond.add(trial)
            return trial
        trial = used.free
        used.free += 1
        while beyond and used.free in beyond:
            beyond.remove(used.free)
            used.free += 1
        return trial
