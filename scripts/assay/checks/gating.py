"""What ``params.yaml`` says about the gate: that it exists, and that it can be scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assay.checks.exclusions import exclusions
from assay.checks.rule import Found, Rule, in_yaml, nearest
from assay.checks.world import World
from assay.files.locate import escape
from assay.models.compiled import Exclusion
from assay.models.finding import Finding


class GAT001(Rule):
    """A case that must be scorable is excluded.

    `gate.require` in ``params.yaml`` names it, or its slice; without it the gate would judge less
    than was agreed. Quarantine covers a case.

    Mend what excludes it, put it into quarantine with a reason, or take it from `gate.require`.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Nothing: `required` reports them, once all other findings are known."""
        return ()


class GAT002(Rule):
    """The gate names a case, slice or suite that does not exist.

    A misspelt name requires nothing.

    Correct the name in ``params.yaml``.
    """

    severity = "error"
    scope = "nothing"
    waivable = False

    def find(self, world: World) -> Iterable[Found]:
        """Names in `gate.require` and `gate.floors` that nothing has."""
        repository = world.repository
        params = repository.params
        gate = params.model.gate
        cases = {*repository.cases, *repository.revisions}
        slices = {
            attributes.slice
            for suite in repository.suites.values()
            for attributes in suite.suite.cases.values()
        }
        names = [(f"/gate/require/cases/{i}", n, cases) for i, n in enumerate(gate.require.cases)]
        names += [
            (f"/gate/require/slices/{i}", n, slices) for i, n in enumerate(gate.require.slices)
        ]
        suites = set(repository.suites)
        names += [(f"/gate/floors/{escape(n)}", n, suites) for n in gate.floors]
        for pointer, name, known in names:
            if name not in known:
                message = f"`{name}` does not exist."
                yield in_yaml(params, pointer, message, nearest(name, known))


def required(world: World, findings: Iterable[Finding]) -> Iterator[Found]:
    """Cases and slices that must be scorable and are not.

    Args:
        world: for ``params.yaml``, slices and quarantine.
        findings: what all other rules found, waived ones left out.
    """
    params = world.repository.params
    require = params.model.gate.require
    if not require.cases and not require.slices:
        return
    excluded = exclusions(world, findings)
    for index, case_id in enumerate(require.cases):
        yield from _missing(world, f"/gate/require/cases/{index}", case_id, excluded)
    for index, name in enumerate(require.slices):
        for suite in world.repository.suites.values():
            for case_id in sorted(suite.suite.cases):
                if suite.suite.cases[case_id].slice != name or not _is_gold(world, case_id):
                    continue
                yield from _missing(world, f"/gate/require/slices/{index}", case_id, excluded)


def _is_gold(world: World, case_id: str) -> bool:
    counting = world.counting.get(case_id)
    return counting is not None and counting.record.status == "gold"


def _missing(
    world: World, pointer: str, case_id: str, excluded: Mapping[str, tuple[Exclusion, ...]]
) -> Iterator[Found]:
    reasons = excluded.get(case_id, ())
    if not reasons or case_id in world.quarantined or not world.looks_at(case_id):
        return
    shown = "; ".join(f"{reason.code} {reason.reason}" for reason in reasons)
    yield in_yaml(
        world.repository.params,
        pointer,
        f"{case_id} must be scorable and is excluded: {shown}",
        f"assay truth show {case_id}",
        case_id=case_id,
    )
