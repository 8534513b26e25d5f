"""The oracle: does what the truth record asks for, in the shop, and answers as the case shows.

It reads the record that counts and nothing about scoring: its calls are the required ones (or
those of an accepting witness), its answers the example answers of the case. That its runs pass
shows that label, example and shop agree; it is no agent that anybody could build.
"""

from __future__ import annotations

from typing import Any

from desk import Desk

Record = dict[str, Any]
NEW_NAMES = {"find_policy": "policy_search"}


def concrete(value: Any) -> Any:
    """A literal that meets an expectation."""
    if isinstance(value, dict):
        for matcher in ("$set", "$multiset"):
            if matcher in value:
                return [concrete(item) for item in value[matcher]]
        if "$one_of" in value:
            return concrete(value["$one_of"][0])
        return {key: concrete(item) for key, item in value.items()}
    return value


def calls_of(record: Record, examples: list[Record], turns: int) -> list[tuple[int, str, Record]]:
    """What the oracle calls: turn, tool and arguments, in order."""
    witnesses = record.get("witnesses", {}).get("accept", [])
    for witness in witnesses:
        if "tool_calls" in witness:
            return [(turns - 1, c["tool"], c.get("args", {})) for c in witness["tool_calls"]]
    calls = []
    for entry in record.get("required_tools", []):
        call = {"tool": entry} if isinstance(entry, str) else entry
        tool = NEW_NAMES.get(call["tool"], call["tool"])
        args = concrete(call.get("args", {}))
        if tool == "manage_ticket":
            tool = "ticket_note"
        # Arguments that the label leaves open are taken from the example call of the case.
        for example in examples:
            if example["name"] == tool and all(
                example["args"].get(key) == value for key, value in args.items()
            ):
                args = {**example["args"], **args}
                break
        calls.append((call.get("turn", turns - 1), tool, args))
    return calls


def missing_refunds(record: Record, called: list[tuple[int, str, Record]]) -> list[Record]:
    """Refunds that the state demands and no required call names."""
    if any(tool == "issue_refund" for _, tool, _ in called):
        return []
    if any(tool == "cancel_order" for _, tool, _ in called):
        return []
    calls = []
    for check in record.get("state", []):
        path = check["path"].split("/")
        if path[1:2] == ["payments"] and path[-1] == "refunds" and "equals" in check:
            for entry in concrete(check["equals"]):
                args = {"order_id": path[2], "amount": entry["amount"]}
                if entry["to"] != "original":
                    args["destination"] = entry["to"]
                calls.append(args)
    return calls


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
