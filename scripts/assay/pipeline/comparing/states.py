"""The states between two sides: the first agent under the second scorer and the second truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

from assay.comparing.alike import same_data
from assay.comparing.attribution import Shares, attribute
from assay.comparing.sides import Side
from assay.errors import AssayError, InputError, RefusedError
from assay.models.comparison import Attribution
from assay.models.result import Context
from assay.pipeline.comparing.loading import Loaded, Loader

_CHECKED = ("suite", "truth", "cases", "policies", "weights", "verdicts", "rename_map")
"""Parts of a context that a state must have, to be the state that is meant."""


def attribution_of(a: Loaded, b: Loaded, loader: Loader) -> Attribution | None:
    """What moved the pass rate from one side to the other; states that are not at hand are scored.

    Args:
        a: the first side as it stands, not scored again.
        b: the second side as it stands.
        loader: finds the runs.
    """
    first, second = shares(a.side), shares(b.side)
    if a.side.result is None or b.side.result is None:
        why = "Nobody knows what these verdicts were judged by."
        return attribute(first, None, None, second, (why,))
    before, after = a.side.result.context, b.side.result.context
    same_scorer = before.scorer == after.scorer
    same = same_data(before.model_copy(update={"rename_map": after.rename_map}), after)
    unknown: list[str] = []
    if same_scorer and same:
        return attribute(first, first, first, second)
    ways = _Ways(a, loader, unknown)
    with_truth = ways.score(b, b, after)
    if same_scorer:
        with_scorer: Shares | None = first
    elif same:
        with_scorer = with_truth
    else:
        with_scorer = ways.score(a, b, before.model_copy(update={"scorer": after.scorer}))
    return attribute(first, with_scorer, with_truth, second, tuple(dict.fromkeys(unknown)))


def shares(side: Side) -> dict[str, Fraction]:
    """Case id to share of passed trials, for every case with a verdict."""
    return {name: case.share for name, case in sorted(side.cases.items()) if case.share is not None}


class _Ways:
    """Scores the first agent again, as it was under one side's data and one side's code."""

    def __init__(self, agent: Loaded, loader: Loader, unknown: list[str]) -> None:
        self.agent, self.loader, self.unknown = agent, loader, unknown

    def score(self, data: Loaded, code: Loaded, expected: Context) -> Shares | None:
        """Shares of the first agent; none where they cannot be had, and `unknown` says why."""
        root = self.loader.root
        if root is None:
            self.unknown.append("There is no benchmark repository here to score it in.")
            return None
        try:
            file = self.loader.run_file(self.agent.named).resolve()
            return self._scored(root, file, data, code, expected)
        except AssayError as error:
            self.unknown.append(error.message)
            return None

    def _scored(
        self, root: Path, file: Path, data: Loaded, code: Loaded, expected: Context
    ) -> Shares:
        from tempfile import TemporaryDirectory

        from assay.ledger.past import view_at
        from assay.pipeline.rescoring import Here, elsewhere
        from assay.scoring.code_digest import code_digest
        from assay.scoring.selection import Selection

        place = nullcontext(root) if data.commit is None else view_at(root, data.commit)
        with place as view:
            if expected.scorer == code_digest():
                scored = Here(file, expected.suite).score(view, Selection(allow_empty=True))
            else:
                with TemporaryDirectory(prefix="assay-code-") as folder:
                    scored = elsewhere(
                        self._code(root, code, Path(folder)), view, file, expected.suite
                    )
        self._require(scored.result, expected, data)
        self._require_same_agent(scored.lines)
        return _raw_shares(scored.lines)

    def _code(self, root: Path, code: Loaded, folder: Path) -> Path:
        from assay.ledger.history import object_id
        from assay.ledger.past import take_back
        from assay.pipeline.bisecting.steps import CODE

        if code.commit is None or object_id(root, code.commit, CODE) is None:
            raise RefusedError(f"The scorer of {code.side.name} is not here.")
        take_back(root, code.commit, (CODE,), folder)
        return (folder / CODE).parent

    def _require(self, result: Mapping[str, Any], expected: Context, data: Loaded) -> None:
        """See that the state is the one that is meant: the same truth, the same code."""
        context = result.get("context")
        found = context if isinstance(context, Mapping) else {}
        wanted = expected.model_dump()
        for part in (*_CHECKED, "scorer"):
            if found.get(part) != wanted[part]:
                what = part.replace("_", " ")
                raise InputError(
                    f"What {data.side.name} was scored against cannot be made again here: {what}."
                )

    def _require_same_agent(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """See that the run is the one that was scored."""
        result = self.agent.named
        known = getattr(result, "lines", None) or ()
        was = {(line.case_id, line.trial): line.observed for line in known}
        for line in lines:
            seen = was.get((line["case_id"], line.get("trial", 0)))
            if seen is not None and seen != line.get("observed", seen):
                raise InputError(f"The run of {self.agent.side.name} has changed since.")


def _raw_shares(lines: Sequence[Mapping[str, Any]]) -> dict[str, Fraction]:
    """Shares from lines of any version of the code."""
    counts: dict[str, list[int]] = {}
    for line in lines:
        if line["outcome"] in ("passed", "failed"):
            entry = counts.setdefault(str(line["case_id"]), [0, 0])
            entry[0] += line["outcome"] == "passed"
            entry[1] += 1
    return {name: Fraction(passed, of) for name, (passed, of) in sorted(counts.items())}
