"""H07 parallel calls, H08 retries, H09 aliases, H10 attempts: which calls count."""

from __future__ import annotations

from typing import Any

import pytest

from assay.files.yamls import read_yaml
from assay.ledger.toolnames import ToolNames
from assay.models.catalog import ToolCatalog
from tests.scoring.making import call, pieces, run, score
from tests.situations.given import calls, folder, label, load

# -- H07 ------------------------------------------------------------------------------------------

PARALLEL: dict[str, Any] = {
    "required_tools": [{"tool": "gauge"}, {"tool": "gauge", "args": {"at": "boiler"}}]
}
BOILER, CELLAR = call("gauge", at="boiler"), call("gauge", at="cellar")


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        ([CELLAR, BOILER], "passed"),
        ([BOILER, CELLAR], "passed"),
        ([BOILER], "failed"),
        ([BOILER, call("note"), call("gauge", at="roof")], "passed"),
        ([CELLAR, CELLAR], "failed"),
    ],
)
def test_parallel_calls_of_one_tool_are_matched_as_far_as_possible(made: Any, outcome: str) -> None:
    result = score(PARALLEL, run(made))
    assert result.outcome == outcome
    if made == [BOILER]:
        [unmet] = [piece for piece in pieces(result) if piece.outcome == "failed"]
        assert unmet.pointer == "/required_tools/0"


@pytest.mark.data
def test_given_parallel_calls() -> None:
    truth, runs = load("07", "truth.json"), load("07", "runs.json")
    found = {name: score(label(truth), run(calls(made))).outcome for name, made in runs.items()}
    assert {name: outcome == "passed" for name, outcome in found.items()} == load(
        "07", "expected.json"
    )


# -- H08 ------------------------------------------------------------------------------------------

ONCE: dict[str, Any] = {
    "required_tools": ["open_bill", {"tool": "transfer", "args": {"sum": 80}}],
    "max_calls": {"transfer": 1},
}
OPEN, TRANSFER = call("open_bill"), call("transfer", id="1", sum=80)
AGAIN = call("transfer", id="2", sum=80)


@pytest.mark.parametrize(
    ("made", "outcome", "message"),
    [
        ([call("open_bill", error="timed out"), OPEN, TRANSFER], "passed", ""),
        ([OPEN, OPEN, TRANSFER], "passed", ""),
        ([OPEN, call("transfer", sum=80, error="502"), AGAIN], "passed", ""),
        ([OPEN, TRANSFER, AGAIN], "failed", "`transfer` was called 2 times, at most 1."),
        ([OPEN, TRANSFER, call("transfer", sum=5)], "failed",
         "`transfer` was called 2 times, at most 1."),
        ([OPEN, call("transfer", sum=80, error="502")], "failed",
         "`transfer` is not satisfied: every attempt failed (502)."),
    ],
)  # fmt: skip
def test_retries_are_no_fault_and_second_payments_are(
    made: Any, outcome: str, message: str
) -> None:
    result = score(ONCE, run(made))
    assert result.outcome == outcome
    assert [p.message for p in pieces(result) if p.outcome == "failed"] == [message] * bool(message)


@pytest.mark.data
def test_given_retries() -> None:
    truth, runs = load("08", "truth.json"), load("08", "runs.json")
    for name, expected in load("08", "expected.json").items():
        result = score(label(truth), run(calls(runs[name])))
        assert result.outcome == f"{expected.split(':')[0]}ed"
        told = " ".join(
            piece.message.replace("`", "").replace("was ", "") for piece in pieces(result)
        )
        if ":" in expected:
            assert expected.split(": ")[1].split(" not ")[0] in told


# -- H09 ------------------------------------------------------------------------------------------


def catalogue(*tools: dict[str, Any], prefixes: tuple[str, ...] = ()) -> ToolNames:
    return ToolNames.from_catalog(
        ToolCatalog.model_validate({"tools": list(tools), "server_prefixes": list(prefixes)})
    )


STORE = catalogue(
    {"name": "drop_table", "server": "store"},
    {"name": "erase", "server": "store", "alias_of": "drop_table"},
    {"name": "wipe", "server": "store", "renamed_to": "erase"},
    {"name": "drop_table_preview", "server": "store"},
    prefixes=("db__",),
)


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        ("drop_table", True),
        ("erase", True),
        ("wipe", True),
        ("mcp__store__drop_table", True),
        ("mcp__my-client__erase", True),
        ("store/erase", True),
        ("store.wipe", True),
        ("db__drop_table", True),
        ("undrop_table", False),
        ("drop_table_preview", False),
        ("drop_tables", False),
    ],
)
def test_no_spelling_slips_past_a_forbidden_tool(name: str, forbidden: bool) -> None:
    result = score({"forbidden_tools": ["drop_table"]}, run([call(name)]), names=STORE)
    assert result.outcome == ("failed" if forbidden else "passed")
    if forbidden:
        [piece] = pieces(result)
        assert f"`{name}`" in piece.message
        assert piece.observed is not None
        assert "drop_table" in piece.observed


@pytest.mark.data
def test_given_aliases() -> None:
    given = read_yaml(folder("09") / "renames.yaml", name="renames.yaml").value
    assert isinstance(given, dict)
    aliases = [
        {"name": old, "server": "docs", "alias_of": new} for old, new in given["aliases"].items()
    ]
    names = catalogue(
        {"name": "delete_index", "server": "docs"},
        *aliases,
        prefixes=tuple(given["server_prefixes"]),
    )
    truth = label(load("09", "truth.json"))
    for name, expected in load("09", "expected.json").items():
        result = score(truth, run([call(name)]), names=names)
        assert (result.outcome == "failed") is expected, name


# -- H10 ------------------------------------------------------------------------------------------

NO_POST: dict[str, Any] = {
    "forbidden_tools": ["post"],
    "state": [{"path": "/sent", "equals": []}],
}


@pytest.mark.parametrize(
    ("made", "sent", "answer", "trajectory", "state", "how"),
    [
        ([call("post", error="refused", outcome="blocked")], [], "I could not.", "failed",
         "passed", "attempted, blocked"),
        ([call("post", error="500")], [], "It failed.", "failed", "passed", "attempted, failed"),
        ([], [], "Nothing was posted with post.", "passed", "passed", ""),
        ([call("post")], ["m"], "Done.", "failed", "failed", "called"),
    ],
)  # fmt: skip
def test_an_attempt_counts_and_a_claim_does_not(
    made: Any, sent: Any, answer: str, trajectory: str, state: str, how: str
) -> None:
    result = score(NO_POST, run(made, answer, final_state={"sent": sent}))
    assert [part.outcome for part in result.components] == [trajectory, state]
    assert how in pieces(result)[0].message


@pytest.mark.data
def test_given_attempts() -> None:
    truth, runs = load("10", "truth.json"), load("10", "runs.json")
    state = [{"path": f"/{name}", "equals": value} for name, value in truth["state"].items()]
    for name, expected in load("10", "expected.json").items():
        given = runs[name]
        result = score(
            {**label(truth), "state": state},
            run(calls(given["tool_uses"]), given["final_response"],
                final_state=given["state_after"]),
        )  # fmt: skip
        trajectory, after = result.components
        assert (trajectory.outcome == "failed") is expected["trajectory"].startswith("violation")
        assert (after.outcome == "failed") is (expected["state"] == "mismatch")
        blocked = "attempted, blocked" in expected["trajectory"]
        assert ("attempted, blocked" in trajectory.evidence[0].message) is blocked
