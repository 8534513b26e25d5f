"""150 real runs of two architectures, their scenarios as plans, and the judge's six answers.

A scenario names its tools in rough order, the asset, and in words what an answer must include. A
plan is made of that: one step a tool, each after the one before it, an answer at the end; the
asset is an argument of every tool that takes one; the planning text of a step is the tool's name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.files.reading import read_json
from assay.intake.runs import read_runs
from assay.ledger.toolnames import ToolNames
from assay.models.catalog import ToolCatalog
from assay.models.compiled import EffectiveTruth
from assay.models.levels import Levels
from assay.models.params import Weights
from assay.models.result import CaseResult
from assay.models.truth import TruthRecord
from assay.scoring.case import Scorer
from assay.statistics.agreement import cohen_kappa, kappa_interval

ARCHITECTURES = ("direct", "plan-execute")
ASSET = "transformer_id"
ASSETLESS = frozenset(
    {"list_assets", "search_failure_modes", "get_sensor_correlation", "get_fault_record",
     "update_work_order"}
)  # fmt: skip
"""Tools without an argument for the asset."""


@dataclass(frozen=True)
class Judged:
    """One run, what it came to here, and what the judge model said."""

    architecture: str
    scenario: str
    trial: int
    result: CaseResult
    judge: dict[str, bool]

    @property
    def levels(self) -> Levels:
        assert self.result.levels is not None
        return self.result.levels

    def value(self, level: str) -> float | None:
        return next(part.value for part in self.levels.levels if part.level == level)

    @property
    def tags(self) -> set[str]:
        return {fault.tag for fault in self.levels.faults}


def _tools(scenarios: Iterable[dict[str, Any]]) -> ToolNames:
    names = sorted({name for each in scenarios for name in each["expected_tools"]})
    return ToolNames.from_catalog(
        ToolCatalog.model_validate(
            {
                "tools": [
                    {
                        "name": name.split(".")[1],
                        "server": name.split(".")[0],
                        "effect": "writes" if re.search("create|update", name) else "reads",
                    }
                    for name in names
                ]
            }
        )
    )


def record(scenario: dict[str, Any]) -> TruthRecord:
    """A scenario as a record with a plan."""
    tools = [name.split(".") for name in scenario["expected_tools"]]
    asset = scenario.get("asset_id")
    steps = [
        {
            "name": f"{at} {tool}",
            "action": tool,
            "agent": server,
            "arguments": {ASSET: asset} if asset and tool not in ASSETLESS else {},
        }
        for at, (server, tool) in enumerate(tools, start=1)
    ]
    steps.append({"name": "answer", "action": "Finish", "agent": tools[-1][0]})
    links = [{"source": a["name"], "target": b["name"]} for a, b in itertools.pairwise(steps)]
    literal = [w for w in scenario["ground_truth"]["must_include"] if w == asset]
    return TruthRecord.model_validate(
        {
            "case_id": scenario["id"].lower(),
            "revision": 1,
            "status": "gold",
            "change": "new",
            "rationale": ["As the scenario has it."],
            "required_tools": [tool for _, tool in tools],
            "score_basis": ["trajectory"],
            "facts": [{"id": "asset", "any_of": literal}] if literal else [],
            "plan": {
                "planning_steps": [
                    {"agent": server, "instruction": tool.replace("_", " ")}
                    for server, tool in tools
                ],
                "execution_steps": steps,
                "execution_links": links,
            },
        }
    )


def judged_runs(folder: Path) -> list[Judged]:
    """Every run with its verdicts, by architecture, scenario and trial."""
    paths = sorted((folder / "data/scenarios").glob("*.json"))
    scenarios = {each["id"]: each for each in map(read_json, paths)}
    names = _tools(scenarios.values())
    scorer = Scorer(names, weights=Weights())
    found: list[Judged] = []
    for architecture in ARCHITECTURES:
        for path in sorted((folder / "raw" / architecture).glob("*.json")):
            if path.name == "meta.json":
                continue
            for run in read_runs(path).runs:
                truth = record(scenarios[run.case_id])
                entry = EffectiveTruth.model_validate(
                    {
                        "suite": "grid",
                        "case_id": truth.case_id,
                        "record": truth,
                        "content_hash": "0" * 64,
                        "gates": True,
                    }
                )
                log = f"{run.case_id}_run{run.trial + 1:02d}_judge_log.json"
                said = read_json(folder / "judge_logs" / architecture / log)
                answers = {k: v for k, v in said["parsed_dims"].items() if isinstance(v, bool)}
                found.append(
                    Judged(
                        architecture,
                        run.case_id,
                        run.trial,
                        scorer.score(entry, None, None, None, run, {}),
                        {**answers, "pass": said["pass"]},
                    )
                )
    return found


Verdict = Callable[[Judged], bool | None]

QUESTIONS: tuple[tuple[str, Verdict, str, Verdict], ...] = (
    (
        "every required tool was called",
        lambda run: {"passed": True, "failed": False}.get(run.result.outcome),
        "task completion",
        lambda run: run.judge["task_completion"],
    ),
    (
        "outcome level is 1",
        lambda run: None if run.value("outcome") is None else run.value("outcome") == 1,
        "data retrieval accuracy",
        lambda run: run.judge["data_retrieval_accuracy"],
    ),
    (
        "process level ≥ 0.6",
        lambda run: None if run.value("process") is None else run.value("process") >= 0.6,  # type: ignore[operator]
        "agent sequence correct",
        lambda run: run.judge["agent_sequence_correct"],
    ),
    (
        "no step missing, wrong or out of order",
        lambda run: (
            None
            if run.value("process") is None
            else not run.tags & {"missing_step", "wrong_tool", "wrong_order", "premature_end"}
        ),
        "agent sequence correct",
        lambda run: run.judge["agent_sequence_correct"],
    ),
    (
        "score ≥ 0.6",
        lambda run: None if run.levels.score is None else run.levels.score >= 0.6,
        "pass (4 of 6)",
        lambda run: run.judge["pass"],
    ),
)
"""Our verdict beside the judge's answer that comes nearest to it."""


def agreement_rows(runs: Sequence[Judged]) -> list[str]:
    """The table: counts, agreement, κ and its interval, scenarios resampled."""
    rows: list[str] = []
    for ours, our_verdict, theirs, their_verdict in QUESTIONS:
        for name in (*ARCHITECTURES, "both"):
            pairs = [
                (mine, bool(their_verdict(run)), run.scenario)
                for run in runs
                if name in (run.architecture, "both") and (mine := our_verdict(run)) is not None
            ]
            first, second = [a for a, _, _ in pairs], [b for _, b, _ in pairs]
            kappa = cohen_kappa(first, second)
            interval = kappa_interval(first, second, [c for _, _, c in pairs])
            assert interval is not None
            both = sum(a and b for a, b, _ in pairs)
            neither = sum(not a and not b for a, b, _ in pairs)
            rows.append(
                f"| {ours} / {theirs} | {name} | {len(pairs)} | {both} | {sum(first) - both} "
                f"| {sum(second) - both} | {neither} | {_signed(float(kappa.value))} "
                f"| {_signed(interval[0])} … {_signed(interval[1])} |"
            )
    return rows


def _signed(value: float) -> str:
    text = f"{value:.2f}".replace("-0.00", "0.00")
    return text.replace("-", "−")


def level_rows(runs: Sequence[Judged]) -> list[str]:
    """Mean of each level, by architecture, and over how many runs."""
    rows: list[str] = []
    for name in ARCHITECTURES:
        mine = [run for run in runs if run.architecture == name]
        cells = [f"| {name} | {len(mine)}"]
        for level in ("outcome", "process", "planning"):
            values = [v for run in mine if (v := run.value(level)) is not None]
            mean = sum(values) / len(values) if values else None
            cells.append("–" if mean is None else f"{mean:.2f} ({len(values)})")
        scores = [run.levels.score for run in mine if run.levels.score is not None]
        cells.append(f"{sum(scores) / len(scores):.2f} ({len(scores)}) |")
        rows.append(" | ".join(cells))
    return rows


def tag_rows(runs: Sequence[Judged]) -> list[str]:
    """Failure tag to runs that have it, by architecture."""
    tags = sorted({tag for run in runs for tag in run.tags})
    return [
        f"| `{tag}` | "
        + " | ".join(
            str(sum(tag in run.tags for run in runs if run.architecture == name))
            for name in ARCHITECTURES
        )
        + " |"
        for tag in tags
    ]


def repeats(runs: Sequence[Judged]) -> tuple[int, int]:
    """Scenarios whose trials of plan-execute are one run, and those judged in several ways."""
    same = different = 0
    for scenario in sorted({run.scenario for run in runs}):
        trials = [r for r in runs if r.architecture == "plan-execute" and r.scenario == scenario]
        if len({run.result.observed for run in trials}) == 1:
            same += 1
            different += len({tuple(sorted(run.judge.items())) for run in trials}) > 1
    return same, different
