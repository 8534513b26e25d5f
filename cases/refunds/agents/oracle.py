"""The oracle: does what the truth record asks for, in the shop, and answers as the case shows.

It reads the record that counts and knows nothing about scoring: its calls are the required ones
(or those of an accepting witness), its answers the example answers of the case. That its runs
pass shows that label, example and shop agree; it is no agent that anybody could build.
"""

from __future__ import annotations

from typing import Any

from desk import Desk

Record = dict[str, Any]
Call = tuple[int, str, Record]
NEW_NAMES = {"find_policy": "policy_search", "manage_ticket": "ticket_note"}


def is_matcher(value: Any) -> bool:
    """Whether an expectation is a matcher and not a literal."""
    return isinstance(value, dict) and any(key.startswith("$") for key in value)


def concrete(value: Any) -> Any:
    """A value that meets an expectation, where the expectation names one."""
    if isinstance(value, dict):
        for matcher in ("$set", "$multiset", "$number"):
            if matcher in value:
                return value[matcher]
        if "$one_of" in value:
            return concrete(value["$one_of"][0])
        return {key: concrete(item) for key, item in value.items()}
    return value


def calls_of(record: Record, examples: list[Record], turns: int) -> list[Call]:
    """What the oracle calls: turn, tool and arguments, in order."""
    for witness in record.get("witnesses", {}).get("accept", []):
        if "tool_calls" in witness:
            return [(turns - 1, c["tool"], c.get("args", {})) for c in witness["tool_calls"]]
    calls = []
    for entry in record.get("required_tools", []):
        call: Record = {"tool": entry} if isinstance(entry, str) else entry
        tool = NEW_NAMES.get(call["tool"], call["tool"])
        args = arguments(tool, call.get("args", {}), examples)
        calls.append((call.get("turn", turns - 1), tool, args))
    return calls


def arguments(tool: str, wanted: Record, examples: list[Record]) -> Record:
    """All arguments: those of the label, and from the example call what it leaves open."""
    literal = {key: value for key, value in wanted.items() if not is_matcher(value)}
    for example in examples:
        args: Record = example["args"]
        if example["name"] == tool and literal.items() <= args.items():
            return args
    return {key: concrete(value) for key, value in wanted.items()}


def missing_refunds(record: Record, calls: list[Call]) -> list[Record]:
    """Refunds that the state demands and no call brings about."""
    if {tool for _, tool, _ in calls} & {"issue_refund", "cancel_order"}:
        return []
    found = []
    for check in record.get("state", []):
        path = check["path"].split("/")
        if path[1] == "payments" and path[-1] == "refunds" and "equals" in check:
            for entry in concrete(check["equals"]):
                found.append({"order_id": path[2], "amount": entry["amount"]})
    return found


def play(record: Record, case: Record, desk: Desk) -> None:
    """Run the whole conversation."""
    conversation = case["conversation"]
    last = len(conversation) - 1
    examples = [
        use
        for turn in conversation
        for use in turn.get("intermediate_data", {}).get("tool_uses", [])
    ]
    calls = calls_of(record, examples, len(conversation))
    calls += [(last, "issue_refund", args) for args in missing_refunds(record, calls)]
    for index, turn in enumerate(conversation):
        desk.hear(turn["user_content"]["parts"][0]["text"])
        for at, tool, args in calls:
            if at == index:
                desk.call(tool, **args)
        desk.say(turn["final_response"]["parts"][0]["text"])
