"""Every digest of a result: what it is the digest of, and what the files give today."""

from __future__ import annotations

from assay.files.model_text import compact_text, plain
from assay.models.result import Context, Result
from assay.pipeline.direct import Judged, from_repository
from assay.reporting.trace import Part

_OF = {
    "truth": "case, content hash and status of the record that counts on {today}, of every case:"
    " truth/records/{suite}/",
    "cases": "what every case asks, without its examples: cases/{suite}/",
    "policies": "versions in force on {today}: truth/policies.yaml",
    "scorer": "the code that scores: scripts/assay, its rooms models, files and scoring",
    "weights": "weights of the three levels: params.yaml",
    "split": "the side of every case, by the rule in params.yaml and the groups in"
    " cases/{suite}/suite.yaml",
    "verdicts": "recorded verdicts of people and judges: cases/{suite}/verdicts/",
    "rename_map": "old names of tools to new ones: truth/tools.yaml",
    "store": "the telemetry store",
    "cassettes": "recordings of tools",
    "scored_set": "ids of the cases that could be scored on {today}",
    "run_digest": "what the agent did in every case and trial that was scored:"
    " runs/{suite}/{run}.jsonl",
}


def context_parts(result: Result, now: Result | None, judged: Judged | None) -> list[Part]:
    """Context, scored set and run digest of a result against what lies here.

    Args:
        result: what is traced.
        now: the same run, scored again here on the day of the result.
        judged: the repository on that day; enough for the context where the run is gone.
    """
    suite = result.context.suite
    here = now.context if now else _context(judged, suite)
    words = {"today": result.today, "suite": suite, "run": result.subject.run}
    parts: list[Part] = []
    for name in Context.model_fields:
        recorded = getattr(result.context, name)
        given = getattr(here, name) if here else None
        if name == "suite" or (recorded is None and given is None):
            continue
        shown = None if here is None else _text(given)
        parts.append(Part(name, _OF[name].format(**words), _text(recorded), shown))
    for name, says, gives in (
        ("scored_set", result.scored_set, now.scored_set if now else None),
        ("run_digest", result.subject.run_digest, now.subject.run_digest if now else None),
    ):
        parts.append(Part(name, _OF[name].format(**words), says, gives))
    return parts


def _context(judged: Judged | None, suite: str) -> Context | None:
    if judged is None or suite not in judged.world.repository.suites:
        return None
    return from_repository(judged.world.repository, judged.compiled, suite).context


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return ", ".join(f"{key} {_scalar(item)}" for key, item in sorted(value.items())) or "none"
    return "none"


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else compact_text(plain(value))
