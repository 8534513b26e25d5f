"""``assay compare``: what is asked, and the way to its answer."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from assay.comparing.alike import OF_LABELS, Unlike, unlike
from assay.comparing.sides import Side, know_each_other
from assay.comparing.whole import compare as compare_sides
from assay.errors import AssayError, RefusedError, UsageError
from assay.models.comparison import Attribution, Comparison
from assay.pipeline.comparing.loading import Loaded, Loader
from assay.pipeline.naming import Named, VerdictTable, resolve

_SHOWN = 3


@dataclass(frozen=True)
class Request:
    """What is asked."""

    a: str
    """The first side: a run, the id of a result, or a file."""
    b: str
    """The second side."""
    on: Literal["unchanged", "verdicts"] | None = None
    """Only on cases with unchanged labels; or on verdicts as they are, where nobody knows by what
    they were judged."""
    regrade: bool = False
    """Whether both are scored again."""
    suite: str | None = None
    """Of names that several suites have, that of this suite."""
    slices: tuple[str, ...] = ()
    """Only cases of these slices."""
    root_given: bool = False
    """Whether the repository was named on the command line, and must be in a hint too."""

    def words(self, root: Path | None) -> list[str]:
        """The command line without ``--on`` and ``--regrade``, as words."""
        words = ["assay"]
        if self.root_given and root is not None:
            words += ["-C", root.as_posix()]
        words += ["compare", self.a, self.b]
        words += ["--suite", self.suite] if self.suite else []
        for name in self.slices:
            words += ["--slice", name]
        return words


def compare(root: Path | None, request: Request) -> Comparison:
    """Compare two names.

    Args:
        root: the benchmark repository; without one both are files with verdicts.
        request: what is asked.

    Raises:
        RefusedError: they are not alike, or no case has a verdict on both sides.
        UsageError: a name means nothing or too much, or the options contradict each other.
        InputError: a file cannot be read.
    """
    if request.regrade and request.on:
        raise UsageError(
            f"--regrade and --on {request.on} ask for different things.",
            hint="leave one of them out",
        )
    with Loader(root, request.suite) as loader:
        names = (request.a, request.b)
        named = [resolve(root, name, suite=request.suite) for name in names]
        remarks: list[str] = []
        if request.regrade:
            a, b = (loader.graded(name, what) for name, what in zip(names, named, strict=True))
        else:
            a, b = (loader.stored(name, what) for name, what in zip(names, named, strict=True))
        found = differing(a, b, loader)
        on = _require_alike(found, a, b, loader, request)
        remarks += _policies(a) + _policies(b) + _days(a, b) + _broken(loader)
        first, second = a.side, b.side
        if first.result is None or second.result is None:
            first, second = know_each_other(first, second)
            remarks.append(
                "Nobody knows what these verdicts were judged by; that it was the same is for you"
                " to know."
                if first.result is None and second.result is None
                else "Nobody knows what one of the two was judged by."
            )
        narrow = _narrowing(first, second, request.slices, loader)
        first, second = narrow(first), narrow(second)
        attribution = _attribution(
            replace(a, side=first), replace(b, side=second), request, loader, narrow
        )
        made = compare_sides(
            first,
            second,
            on=on,
            regraded=request.regrade,
            same_revision="cases" in {item.part for item in found},
            slices=request.slices,
            attribution=attribution,
            remarks=remarks,
            alpha=loader.alpha,
        )
    if not any(measure.cases for measure in made.measures):
        raise _nothing(made, root, named, request)
    return made


def differing(a: Loaded, b: Loaded, loader: Loader) -> tuple[Unlike, ...]:
    """The parts in which two sides differ; rename maps by what was called in the two runs."""
    found = unlike(a.side, b.side, mapped_otherwise=())
    first, second = a.side.result, b.side.result
    if first is None or second is None or loader.root is None:
        return found
    if first.context.rename_map == second.context.rename_map:
        return found
    from assay.pipeline.comparing.toolnames import mapped_otherwise

    names = mapped_otherwise(loader.root, a, b, loader)
    return unlike(a.side, b.side, mapped_otherwise=names)


def _require_alike(
    found: Sequence[Unlike], a: Loaded, b: Loaded, loader: Loader, request: Request
) -> Literal["same", "unchanged", "verdicts"]:
    parts = {item.part for item in found}
    if request.on == "unchanged" and parts <= OF_LABELS:
        if a.side.result is None or b.side.result is None:
            raise UsageError(
                "Plain verdicts have no labels that could be unchanged.", hint="leave --on out"
            )
        return "unchanged"
    if request.on == "verdicts" and parts <= {"context"}:
        if a.side.result is not None and b.side.result is not None:
            raise UsageError(
                "What both were judged by is known; --on verdicts is for those of which it is not.",
                hint="leave --on out",
            )
        return "verdicts"
    if not parts:
        return "same"
    from assay.pipeline.comparing.refusing import refuse

    raise refuse(found, a, b, loader, request.words(loader.root))


def _attribution(
    a: Loaded,
    b: Loaded,
    request: Request,
    loader: Loader,
    narrow: Callable[[Side], Side],
) -> Attribution | None:
    from assay.pipeline.comparing.states import attribution_of

    if request.regrade:
        # What is explained is the way between the results as they stand.
        try:
            a, b = (
                replace(side, side=narrow(side.side))
                for side in (
                    loader.stored(request.a, a.named),
                    loader.stored(request.b, b.named),
                )
            )
        except AssayError:
            return None
    if any(side.side.result is not None and side.side.result.exploratory for side in (a, b)):
        return None
    return attribution_of(a, b, loader)


def _policies(side: Loaded) -> list[str]:
    """Whether an agent was given another policy than the one that judges it."""
    result = side.side.result
    if result is None:
        return []
    judged_by = sorted(result.context.policies.values())
    other = [name for name in side.policies if name not in judged_by]
    if not other:
        return []
    return [
        f"{side.side.name} was given {', '.join(other)} and is judged by {', '.join(judged_by)}."
    ]


def _days(a: Loaded, b: Loaded) -> list[str]:
    first, second = a.side.result, b.side.result
    if first is None or second is None or first.today == second.today:
        return []
    return [
        f"Judged for different days, {first.today} and {second.today}: what has expired in between"
        " is in one of them only."
    ]


def _broken(loader: Loader) -> list[str]:
    if "judged" in vars(loader) and loader.judged.broken:
        return ["A file of the repository is wrong; what it spoils is not scored: assay check"]
    return []


def _narrowing(a: Side, b: Side, slices: Sequence[str], loader: Loader) -> Callable[[Side], Side]:
    """What narrows a side to the slices that were asked for."""
    if not slices:
        return lambda side: side
    slice_of: dict[str, str] = {}
    if loader.root is not None and (a.result is not None or b.result is not None):
        for suite in loader.judged.world.repository.suites.values():
            slice_of |= {name: found.slice for name, found in suite.suite.cases.items()}
    for side in (a, b):
        slice_of |= {name: case.slice for name, case in side.cases.items()}
    known = sorted(set(slice_of.values()))
    for name in slices:
        if name not in known:
            raise UsageError(
                f"No case is in a slice `{name}`.", hint=f"slices: {', '.join(known[:8])}"
            )
    return lambda side: side.within(slices, slice_of)


def _nothing(
    made: Comparison, root: Path | None, named: Sequence[Named], request: Request
) -> RefusedError:
    """No pair at all: neither better nor worse nor alike."""
    counts: dict[tuple[str, str], list[str]] = {}
    changed = [item.case_id for item in made.left_out if item.other_label]
    for item in made.left_out:
        if not item.other_label:
            counts.setdefault((item.a, item.b), []).append(item.case_id)
    told = [
        f"{len(names)} {a.replace('_', ' ')} in {made.a.name} and {b.replace('_', ' ')} in"
        f" {made.b.name} ({', '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''})"
        for (a, b), names in sorted(counts.items())
    ]
    if changed:
        told.append(f"{len(changed)} with another label ({', '.join(changed[:_SHOWN])})")
    return RefusedError(
        "No case has a verdict on both sides: " + ("; ".join(told) or "there are no cases") + ".",
        hint=_look(root, named, request),
    )


def _look(root: Path | None, named: Sequence[Named], request: Request) -> str:
    """What shows why there is no pair: the ids of tables, the exclusions of runs."""
    if root is None or any(isinstance(item, VerdictTable) for item in named):
        files = " ".join(shlex.quote(os.path.relpath(item.path)) for item in named)
        return f"head -n 3 {files}  (both must name the same cases)"
    names = [shlex.quote(name) for name in (request.a, request.b)]
    shown = [f"assay score --runs {name}  (shows what is excluded, and why)" for name in names]
    return "\n  or    ".join(shown)
