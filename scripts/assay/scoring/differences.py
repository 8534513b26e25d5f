"""Where an observed value differs from the expected one: verdict and difference in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.files.locate import escape
from assay.models.base import JsonValue
from assay.scoring import matchers as m
from assay.scoring.values import MISSING, shown


class Difference(NamedTuple):
    """One place at which two values differ, or at which it cannot be told."""

    pointer: str
    """JSON pointer below the compared value."""
    message: str
    """What differs, in words."""
    certain: bool
    """False where it cannot be told."""


def differences(node: m.Node, observed: object, sight: m.Sight, at: str = "") -> list[Difference]:
    """All differences, in the order of the expectation; none means that the values match.

    Equal to ``node.test``: no difference where that is true, only uncertain ones where it is
    None.
    """
    return list(_walk(node, observed, sight, at))


def _walk(node: m.Node, observed: object, sight: m.Sight, at: str) -> Iterator[Difference]:
    if observed is MISSING:
        yield Difference(at, "is missing", True)
        return
    value: JsonValue = observed  # type: ignore[assignment]
    answer = node.test(value, sight)
    if answer is True:
        return
    if answer is None:
        yield Difference(at, f"cannot be told: {sight.reason}", False)
        # Parts of it may still differ for certain; then the whole would be False and not None.
        return
    if isinstance(node, m.Exact):
        yield from _literal(node.value, value, sight, at)
    elif isinstance(node, m.Fields) and isinstance(value, Mapping):
        for key, child in node.fields.items():
            yield from _walk(child, value.get(key, MISSING), sight, f"{at}/{escape(key)}")
        for key in value:
            if key not in node.fields:
                yield Difference(f"{at}/{escape(key)}", "is not expected", True)
    elif isinstance(node, m.Elements) and _is_list(value):
        yield from _list(node.elements, value, sight, at)
    elif isinstance(node, m.Unordered) and _is_list(value):
        yield from _unordered(node, value, sight, at)
    else:
        yield Difference(at, f"is {shown(value)}", True)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _literal(wanted: JsonValue, value: JsonValue, sight: m.Sight, at: str) -> Iterator[Difference]:
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        node: m.Node = m.Fields({key: m.Exact(item) for key, item in wanted.items()})
        yield from _walk(node, value, sight, at)
    elif _is_list(wanted) and _is_list(value):
        elements = tuple(m.Exact(item) for item in wanted)  # type: ignore[union-attr]
        yield from _list(elements, value, sight, at)
    else:
        yield Difference(at, f"is {shown(value)}, expected {shown(wanted)}", True)


def _list(
    elements: tuple[m.Node, ...], value: JsonValue, sight: m.Sight, at: str
) -> Iterator[Difference]:
    assert isinstance(value, Sequence)
    for i, node in enumerate(elements):
        yield from _walk(node, value[i] if i < len(value) else MISSING, sight, f"{at}/{i}")
    for i in range(len(elements), len(value)):
        yield Difference(f"{at}/{i}", "is not expected", True)


def _unordered(
    node: m.Unordered, value: JsonValue, sight: m.Sight, at: str
) -> Iterator[Difference]:
    assert isinstance(value, Sequence)
    found = False
    matching = node.assign(value, sight)
    for i, partner in enumerate(matching.partner):
        if partner is None:
            found = True
            yield Difference(at, f"element {i} of the expected ones has no equal", True)
    taken = set(matching.partner)
    for i, item in enumerate(value):
        if i not in taken and (node.repeats_count or not node.holds(item, sight)):
            found = True
            yield Difference(f"{at}/{i}", f"{shown(item)} is not expected", True)
    if not found:
        yield Difference(at, "differs", True)
