"""Writes ``runs/refunds/<agent>.jsonl``: what five scripted agents do on every case.

``python cases/refunds/agents/make_runs.py`` writes the same bytes every time and everywhere: the
only draw is a hash of a written seed. See README.md for what the agents are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "scripts")]

from clerk import Clerk  # noqa: E402
from desk import Desk  # noqa: E402
from oracle import play  # noqa: E402
from pleaser import Pleaser  # noqa: E402
from profiles import BY_THE_BOOK, CAREFUL, HASTY, RULE_BREAKER, Profile  # noqa: E402
from shop import Shop  # noqa: E402

from assay.files.canonical import canonical_json  # noqa: E402
from assay.files.reading import read_json  # noqa: E402
from assay.files.writing import write_text  # noqa: E402

CASES = ROOT / "cases" / "refunds"
RECORDS = ROOT / "truth" / "records" / "refunds"
POLICIES = ROOT / "truth" / "policies"
RUNS = ROOT / "runs" / "refunds"
FUTURE = "refunds-v8"

TRIALS = {"careful": 3}
"""Agent to how often it played every case; once where absent."""

HARNESS_FAILED = {("hasty", "refund-0429"): "the sandbox was stopped: out of memory"}
NOT_PLAYED = {("rule-breaker", "refund-1218")}
PLAYED_TOO = {"hasty": {"refund-0143": "refund-0142"}}
"""Agent to case ids that nobody knows here, and the case that was really played."""

Json = dict[str, Any]


def load(path: Path) -> Any:
    """A JSON file, numbers exact."""
    return read_json(path)


def cases() -> dict[str, Json]:
    """Case id to case, sorted."""
    found: dict[str, Json] = {}
    for path in sorted(CASES.glob("*.evalset.json")):
        for case in load(path)["eval_cases"]:
            found[case["eval_id"]] = case
    return dict(sorted(found.items()))


def records() -> dict[str, Json]:
    """Case id to the latest revision that is in force under version 7."""
    found: dict[str, Json] = {}
    for path in sorted(RECORDS.glob("*.json")):
        record = load(path)
        if record["policy_version"] != FUTURE:
            found[record["case_id"]] = record
    return found


def desk_for(case: Json, profile: Profile) -> Desk:
    """A fresh shop with the case's world, and a desk before it."""
    return Desk(Shop(case["session_input"]["state"], POLICIES), profile.spellings)


def converse(case: Json, profile: Profile, readings: list[Json], trial: int) -> Desk:
    """One conversation of a clerk."""
    desk = desk_for(case, profile)
    kind = Pleaser if profile is RULE_BREAKER else Clerk
    clerk = kind(profile, desk, case["eval_id"], trial)
    for index, turn in enumerate(case["conversation"]):
        desk.hear(turn["user_content"]["parts"][0]["text"])
        answers = [clerk.handle(dict(r)) for r in readings if r.get("turn", 0) == index]
        desk.say(" ".join(answers))
    return desk


def nothing(case: Json) -> Desk:
    """The baseline: no call, no answer."""
    desk = desk_for(case, BY_THE_BOOK)
    for turn in case["conversation"]:
        desk.hear(turn["user_content"]["parts"][0]["text"])
    return desk


def oracle(case: Json, record: Json) -> Desk:
    """One conversation of the oracle."""
    desk = desk_for(case, BY_THE_BOOK)
    play(record, case, desk)
    return desk


def failed(case: Json, head: Json, reason: str) -> Json:
    """A run that the harness did not finish."""
    desk = nothing(case)
    del desk.turns[1:]
    return {**desk.observed(head), "infrastructure_errors": [reason]}


def lines(agent: str) -> Iterator[Json]:
    """The runs of one agent, by case and trial."""
    readings = load(HERE / "readings.json")
    truth = records()
    profiles = {profile.name: profile for profile in (CAREFUL, HASTY, RULE_BREAKER)}
    known = cases()
    played = {**{case_id: case_id for case_id in known}, **PLAYED_TOO.get(agent, {})}
    for shown, case_id in sorted(played.items()):
        if (agent, case_id) in NOT_PLAYED:
            continue
        case = known[case_id]
        for trial in range(TRIALS.get(agent, 1)):
            head: Json = {
                "run": agent,
                "case_id": shown,
                "trial": trial,
                "agent": agent,
                "model": f"scripted/{agent}",
            }
            if agent in profiles:
                profile = profiles[agent]
                head["policy"] = profile.policy
                reason = HARNESS_FAILED.get((agent, shown))
                if reason is not None:
                    yield failed(case, head, reason)
                    continue
                desk = converse(case, profile, readings[case_id], trial)
            elif agent == "oracle":
                desk = oracle(case, truth[case_id])
            else:
                desk = nothing(case)
            yield desk.observed(head)


AGENTS = ("oracle", "careful", "hasty", "rule-breaker", "do-nothing")


def text_of(agent: str) -> str:
    """The whole file of one agent."""
    return "".join(f"{canonical_json(line)}\n" for line in lines(agent))


def main() -> None:
    """Write all files."""
    for agent in AGENTS:
        path = RUNS / f"{agent}.jsonl"
        write_text(path, text_of(agent))
        print(path.relative_to(ROOT).as_posix())


if __name__ == "__main__":
    main()
