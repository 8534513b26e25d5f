"""The structured result: matchers for each leaf against what the final answer holds."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from assay.errors import InputError
from assay.files.reading import parse_json
from assay.models.base import JsonValue
from assay.models.result import Evidence
from assay.scoring import matchers as m
from assay.scoring.build import evidence
from assay.scoring.compiled import CompiledRecord
from assay.scoring.differences import differences
from assay.scoring.matcher_forms import is_matcher
from assay.scoring.number_matchers import ProseText
from assay.scoring.observed import SeenRun
from assay.scoring.values import MISSING, shown

_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)```", re.DOTALL)
_START = re.compile(r"[\[{]")
_MAX_STARTS = 200
_decode = json.JSONDecoder().raw_decode


def judge(truth: CompiledRecord, seen: SeenRun, sight: m.Sight) -> list[Evidence]:
    """One reason for the whole, and one for each leaf that differs."""
    node = truth.final_out
    assert node is not None
    pointer = "/final_out"
    expected = shown(truth.record.final_out)
    final = seen.final
    if final is None:
        unknown = "final_answer" in seen.unknown
        return [
            evidence(
                "answer_unknown" if unknown else "no_answer",
                "not_evaluated" if unknown else "failed",
                pointer,
                "The run's format does not carry the answer."
                if unknown
                else "The agent gave no answer.",
                expected=expected,
            )
        ]
    value = observed_result(node, final.text)
    if value is None and isinstance(node, m.Fields | m.Elements | m.Unordered):
        return [
            evidence(
                "no_structured_result",
                "failed",
                pointer,
                "The final answer holds no JSON object or list.",
                expected=expected,
                observed=final.text[:200],
            )
        ]
    found = differences(node, value, sight)
    if not found:
        return [
            evidence(
                "result_matches",
                "passed",
                pointer,
                f"All {count_leaves(truth.record.final_out)} values of the result match.",
                expected=expected,
                observed=shown(value),
            )
        ]
    matched, total = share(node, value, sight)
    sure = [d for d in found if d.certain]
    whole = evidence(
        "result_differs" if sure else "result_unknown",
        "failed" if sure else "not_evaluated",
        pointer,
        f"{matched} of {total} values of the result match.",
        expected=expected,
        observed=shown(value),
    )
    return [
        whole,
        *(
            evidence(
                "result_value",
                "failed" if d.certain else "not_evaluated",
                pointer + d.pointer,
                f"`{d.pointer or '/'}` {d.message}.",
            )
            for d in found
        ),
    ]


def observed_result(node: m.Node, text: str) -> JsonValue:
    """What an answer holds where a result like `node` is expected; None for no object or list."""
    if isinstance(node, m.Fields | m.Elements | m.Unordered):
        return structured_result(text)
    return _scalar(node, text)


def _scalar(node: m.Node, text: str) -> JsonValue:
    """A result that is no object or list: the answer itself, as a JSON scalar where it is one."""
    try:
        value = parse_json(text.strip(), name="answer")
    except InputError:
        return text
    is_scalar = not isinstance(value, Mapping | list)
    return value if is_scalar and not isinstance(node, ProseText | m.Pattern) else text


def structured_result(text: str) -> JsonValue:
    """The JSON object or list that an answer holds; None when it holds none.

    The whole answer; else the last fenced block that is JSON; else the longest object or list
    that stands in the text.
    """
    for candidate in (text, *reversed([match[1] for match in _FENCE.finditer(text)])):
        value = _parsed(candidate)
        if value is not None:
            return value
    best: JsonValue = None
    longest = place = tries = 0
    while tries < _MAX_STARTS and (start := _START.search(text, place)) is not None:
        tries += 1
        place = start.end()
        try:
            _, end = _decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        value = _parsed(text[start.start() : end]) if end - start.start() > longest else None
        if value is not None:
            best, longest = value, end - start.start()
        place = end
    return best


def _parsed(text: str) -> JsonValue:
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    try:
        return parse_json(text, name="answer")
    except InputError:
        return None


def count_leaves(value: JsonValue) -> int:
    """Leaves of an expected value: literals and matchers; an empty object or list is one."""
    if isinstance(value, Mapping) and not is_matcher(value):
        return sum(map(count_leaves, value.values())) or 1
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(map(count_leaves, value)) or 1
    return 1


def share(node: m.Node, value: object, sight: m.Sight) -> tuple[int, int]:
    """Matched leaves and (expected + extra) leaves: their ratio is y3 of the design."""
    if isinstance(node, m.Fields):
        here = value if isinstance(value, Mapping) else {}
        pairs = [share(child, here.get(key, MISSING), sight) for key, child in node.fields.items()]
        extra = sum(count_leaves(item) for key, item in here.items() if key not in node.fields)
        return _summed(pairs, extra)
    if isinstance(node, m.Elements | m.Unordered):
        items = list(value) if isinstance(value, list | tuple) else []
        if isinstance(node, m.Elements):
            pairs = [
                share(child, items[i] if i < len(items) else MISSING, sight)
                for i, child in enumerate(node.elements)
            ]
            extra = sum(map(count_leaves, items[len(node.elements) :]))
        else:
            partner = node.assign(items, sight).partner
            pairs = [(int(p is not None), 1) for p in partner]
            extra = len(items) - sum(p is not None for p in partner)
        return _summed(pairs, extra)
    return int(value is not MISSING and node.test(value, sight) is True), 1  # type: ignore[arg-type]


def _summed(pairs: list[tuple[int, int]], extra: int) -> tuple[int, int]:
    if not pairs and not extra:
        return 1, 1
    return sum(a for a, _ in pairs), sum(b for _, b in pairs) + extra
