"""Labels and runs drawn at random for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from assay.models.run import ObservedRun
from tests.scoring.making import call, run

TOOLS = ("find_order", "list_orders", "charge", "send_mail")
NUMBERS = st.integers(1, 3)
ARGS = st.dictionaries(st.sampled_from(["amount", "memo"]), NUMBERS, max_size=2)

ENTRIES = st.one_of(
    st.sampled_from(TOOLS),
    st.fixed_dictionaries(
        {"tool": st.sampled_from(TOOLS), "args": ARGS},
        optional={"min": st.integers(0, 2), "max": st.integers(2, 3), "turn": st.integers(0, 1)},
    ),
)

WORDS = ("12 EUR", "paid", "order 0012", "7.5 kW")
FACTS = st.lists(st.sampled_from(WORDS), max_size=2, unique=True).map(
    lambda texts: [{"id": f"f{i}", "any_of": [text]} for i, text in enumerate(texts)]
)

STATE = st.lists(
    st.one_of(
        st.fixed_dictionaries({"path": st.just("/status"), "equals": st.sampled_from("ab")}),
        st.fixed_dictionaries({"path": st.just("/rows"), "count": st.integers(0, 2)}),
        st.fixed_dictionaries({"path": st.just("/rows"), "contains": st.integers(0, 1)}),
        st.fixed_dictionaries({"path": st.just("/kept"), "unchanged": st.just(True)}),
    ),
    min_size=1,
    max_size=2,
)

LABELS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"required_tools": st.lists(ENTRIES, max_size=3)},
    optional={
        "forbidden_tools": st.lists(st.sampled_from(TOOLS), max_size=1),
        "max_calls": st.dictionaries(st.sampled_from(TOOLS), st.integers(0, 2), max_size=1),
        "order": st.sampled_from(["any", "in_order"]),
        "acceptable_answers": st.lists(st.sampled_from(WORDS), max_size=2),
        "facts": FACTS,
        "must_not_state": FACTS,
        "state": STATE,
        "final_out": st.dictionaries(st.sampled_from("ab"), NUMBERS, max_size=2),
    },
)

CALLS = st.lists(
    st.builds(
        lambda name, args, outcome: call(name, outcome=outcome, **args),
        st.sampled_from([*TOOLS, "bill", "mcp__orders__find_order", "elsewhere"]),
        ARGS,
        st.sampled_from(["ok", "ok", "unknown", "error", "blocked"]),
    ),
    max_size=4,
)


@st.composite
def runs(draw: st.DrawFn) -> ObservedRun:
    """A run of one or two turns."""
    turns = [
        {
            "answer": draw(st.none() | st.lists(st.sampled_from(WORDS)).map(" and ".join)),
            "tool_calls": draw(CALLS),
        }
        for _ in range(draw(st.integers(1, 2)))
    ]
    state = st.fixed_dictionaries(
        {},
        optional={
            "status": st.sampled_from("ab"),
            "rows": st.lists(st.integers(0, 1), max_size=2),
            "kept": st.integers(0, 1),
        },
    )
    unknown = st.lists(
        st.sampled_from(["call_arguments", "call_outcomes", "final_state", "final_answer"]),
        max_size=1,
    )
    return run(
        turns=turns,
        final_answer=turns[-1]["answer"],
        final_state=draw(st.none() | state),
        unknown=draw(unknown),
    )
