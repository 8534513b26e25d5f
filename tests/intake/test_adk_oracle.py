"""google-adk as oracle: every case that it loads has the same turns, tools and answers here."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from assay.files.canonical import canonical_json
from assay.intake.cases import eval_set_text, read_cases
from assay.intake.cases.imported import CaseImport
from assay.intake.runs import RunImport, read_runs
from assay.models.case import EvalCase
from tests.intake.support import (
    CASE_SHAPES,
    RUN_SHAPES,
    adk_events,
    adk_session,
    event,
    put,
    shared_data,
)

pytestmark = pytest.mark.conformance

pytest.importorskip("google.adk")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from google.adk.evaluation._eval_set_results_manager_utils import parse_eval_set_result_json
    from google.adk.evaluation.eval_case import (
        get_all_tool_calls,
        get_all_tool_calls_with_responses,
        get_all_tool_responses,
    )
    from google.adk.evaluation.evaluation_generator import EvaluationGenerator
    from google.adk.evaluation.local_eval_sets_manager import (
        convert_eval_set_to_pydantic_schema,
        load_eval_set_from_file,
    )
    from google.adk.sessions import Session

NOT_LOADED = 5
"""Files that no loader of the ADK reads: cookbook, and four of tRPC-Agent for Go."""


def theirs(path: Path) -> Any:
    """The eval set as the ADK loads it; None where it cannot."""
    try:
        return load_eval_set_from_file(str(path), "x")
    except Exception:
        pass
    value = json.loads(path.read_text("utf-8"))
    try:
        # What its evaluator does with a flat list: one case, named after the file.
        return convert_eval_set_to_pydantic_schema("x", [{"name": path.name, "data": value}])
    except Exception:
        return None


def plain(value: Any) -> str:
    """Canonical text of what the ADK read; it reads numbers as floats."""
    return canonical_json(json.loads(json.dumps(value)))


def text(content: Any) -> str:
    parts = (content.parts or ()) if content is not None else ()
    return "".join(part.text for part in parts if part.text and not part.thought)


def their_case(case: Any) -> Any:
    return [
        (
            text(turn.user_content),
            text(turn.final_response),
            [(c.name, plain(c.args or {})) for c in get_all_tool_calls(turn.intermediate_data)],
            [
                (r.name, plain(r.response or {}))
                for r in get_all_tool_responses(turn.intermediate_data)
            ],
        )
        for turn in case.conversation or ()
    ]


def our_case(case: EvalCase) -> Any:
    turns = []
    for turn in case.conversation or ():
        data = turn.intermediate_data
        uses = [(u.name, canonical_json(u.args or {})) for u in (data and data.tool_uses) or ()]
        responses = [
            (r["name"], canonical_json(r.get("response") or {}))
            for r in (data and data.tool_responses) or ()
        ]
        for item in (data and data.invocation_events) or ():
            for part in ((item.get("content") or {}).get("parts") or []) if item else []:
                if "function_call" in part:
                    call = part["function_call"]
                    uses.append((call["name"], canonical_json(call.get("args") or {})))
                if "function_response" in part:
                    response = part["function_response"]
                    responses.append(
                        (response["name"], canonical_json(response.get("response") or {}))
                    )
        answer = turn.final_response.text if turn.final_response else ""
        turns.append((turn.user_content.text, answer, uses, responses))
    return turns


def compare(path: Path, imported: CaseImport) -> bool:
    loaded = theirs(path)
    if loaded is None:
        return False
    (made,) = imported.eval_sets
    assert len(made.eval_cases) == len(loaded.eval_cases)
    for ours, adk in zip(made.eval_cases, loaded.eval_cases, strict=True):
        assert our_case(ours) == their_case(adk)
        source_id = imported.attributes[ours.eval_id].source_id
        if adk.eval_id != path.name:
            assert adk.eval_id in (ours.eval_id, source_id)
        state = adk.session_input.state if adk.session_input else {}
        assert canonical_json(ours.initial_state or {}) == plain(state)
    return True


@pytest.mark.data
def test_every_case_that_the_adk_loads() -> None:
    loaded = 0
    for path in sorted(shared_data("evalsets").iterdir()):
        loaded += compare(path, read_cases(path))
    assert loaded == 30 - NOT_LOADED


@pytest.mark.data
def test_what_we_write_the_adk_loads(tmp_path: Path) -> None:
    """Our canonical files, but those without the application's name, which the ADK demands."""
    count = 0
    for path in sorted(shared_data("evalsets").iterdir()):
        for made in read_cases(path).eval_sets:
            target = tmp_path / f"{path.stem}.json"
            target.write_text(eval_set_text(made), encoding="utf-8")
            if (
                any(
                    case.session_input and not case.session_input.app_name
                    for case in made.eval_cases
                )
                and "Cookbook" in path.name
            ):
                continue
            assert compare(target, read_cases(target))
            count += 1
    assert count == 29


@pytest.mark.parametrize("shape", ["adk", "legacy-named"])
def test_small_shapes(tmp_path: Path, shape: str) -> None:
    path = put(tmp_path, "a.json", CASE_SHAPES[shape])
    assert compare(path, read_cases(path))


# -- runs ---------------------------------------------------------------------------------------


def their_turns(invocations: Any) -> Any:
    return [
        (
            text(turn.user_content),
            text(turn.final_response),
            [
                (
                    call.name,
                    plain(call.args or {}),
                    plain(response.response) if response is not None else "null",
                )
                for call, response in get_all_tool_calls_with_responses(turn.intermediate_data)
            ],
        )
        for turn in invocations
    ]


def our_turns(imported: RunImport) -> Any:
    (run,) = imported.runs
    return [
        (
            turn.user or "",
            turn.answer or "",
            [(c.name, canonical_json(c.args), canonical_json(c.result)) for c in turn.tool_calls],
        )
        for turn in run.turns
    ]


def of_session(value: Any) -> Any:
    session = Session.model_validate(value)
    return their_turns(EvaluationGenerator.convert_events_to_eval_invocations(session.events))


@pytest.mark.parametrize(
    "events",
    [
        adk_events(),
        [*adk_events()[:3]],
        [*adk_events(), event("user", [{"text": "And?"}], invocation_id="i2")],
        [
            *adk_events()[:3],
            event("helper", [{"text": "From the helper."}], id="e8"),
            event("desk", [{"text": "From the desk."}], id="e9"),
        ],
        [
            event("user", [{"text": "?"}]),
            event("desk", [{"text": "Thinking", "thought": True}, {"text": "A"}, {"text": "B"}]),
        ],
    ],
)
def test_sessions(tmp_path: Path, events: Any) -> None:
    value = adk_session(events)
    assert our_turns(read_runs(put(tmp_path, "s.json", value))) == of_session(value)


@pytest.mark.data
@pytest.mark.parametrize("spelling", ["snake", "camel"])
def test_recorded_sessions(spelling: str) -> None:
    folder = shared_data("runs", "one-run-many-formats", "recorded")
    path = folder / f"adk_session_export_{spelling}.json"
    assert our_turns(read_runs(path)) == of_session(json.loads(path.read_text("utf-8")))


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    ["adk_real.evalset_result.json", "adk_double_encoded_pre_1_22.evalset_result.json"],
)
def test_recorded_results(name: str) -> None:
    path = shared_data("runs", "one-run-many-formats", "recorded") / name
    (case,) = parse_eval_set_result_json(path.read_bytes()).eval_case_results
    actual = [item.actual_invocation for item in case.eval_metric_result_per_invocation]
    assert our_turns(read_runs(path)) == their_turns(actual)


def test_a_session_that_we_read_is_one_that_the_adk_reads(tmp_path: Path) -> None:
    name, value = RUN_SHAPES["adk-session-camel"]
    assert our_turns(read_runs(put(tmp_path, name, value))) == of_session(value)
