"""Train, dev, test and holdout, so that nothing leaks from one to another.

Cases that share a template, a group or near-identical text are one block, and a block is on
one side only. Where a block goes depends on its name and the seed alone: adding a case moves
no other block, unless the case joins two blocks into one, and the order of files means nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.models.case import CaseAttributes, EvalCase
from assay.models.params import SplitParams

SPLITS = ("train", "dev", "test", "holdout")

NEAR_IDENTICAL = Fraction(9, 10)
"""Share of common word triples from which on two texts count as one."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Placed:
    """Where a case went, and why."""

    split: str
    """One of `SPLITS`."""
    block: str
    """Name of its block: the smallest key that holds it together."""
    reason: str
    """Why it is there, in words."""


@dataclass(frozen=True)
class Crossing:
    """Something that stands on two sides of a split."""

    kind: str
    """``template``, or the kind of a group."""
    name: str
    """Its name."""
    splits: tuple[str, ...]
    """Where it stands."""


def group_keys(attributes: CaseAttributes) -> tuple[str, ...]:
    """Keys, ``kind:name``, that a case must not share with the other side; sorted."""
    keys = [f"{kind}:{name}" for kind, name in attributes.groups.items()]
    if attributes.template:
        keys.append(f"template:{attributes.template}")
    return tuple(sorted(keys))


def split(
    cases: Mapping[str, tuple[EvalCase, CaseAttributes]], params: SplitParams
) -> dict[str, Placed]:
    """Split of every case.

    Args:
        cases: case id to the case and its attributes.
        params: seed, shares and held-out groups.

    Returns:
        Case id to its place, sorted by id.
    """
    parent: dict[str, str] = {}

    def find(node: str) -> str:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def union(a: str, b: str) -> None:
        # The smaller name leads, so that the result does not depend on the order of calls.
        first, second = sorted((find(a), find(b)))
        parent[second] = first

    for case_id in sorted(cases):
        _, attributes = cases[case_id]
        for key in group_keys(attributes):
            union(f"case:{case_id}", key)
    for a, b in _near_identical({key: cases[key][0].user_text for key in sorted(cases)}):
        union(f"case:{a}", f"case:{b}")

    members: dict[str, list[str]] = {}
    for node in sorted(parent):
        members.setdefault(find(node), []).append(node)
    result: dict[str, Placed] = {}
    held = set(params.holdout_groups)
    for block, nodes in members.items():
        name = min((n for n in nodes if not n.startswith("case:")), default=block)
        held_by = sorted(held.intersection(nodes))
        if held_by:
            place = Placed("holdout", name, f"{held_by[0]} is held out")
        else:
            place = _draw(name, params)
        for node in nodes:
            if node.startswith("case:"):
                result[node.removeprefix("case:")] = place
    for case_id in sorted(cases.keys() - result.keys()):
        result[case_id] = _draw(f"case:{case_id}", params)
    return {case_id: result[case_id] for case_id in sorted(result)}


def _draw(block: str, params: SplitParams) -> Placed:
    """Place a block by a digest of its name: a number in [0, 1) against the shares."""
    raw = hashlib.sha256(f"{params.seed}\n{block}".encode()).digest()
    share = Fraction(int.from_bytes(raw, "big"), 1 << 256)
    if share < Fraction(params.test):
        name = "test"
    elif share < Fraction(params.test) + Fraction(params.dev):
        name = "dev"
    else:
        name = "train"
    return Placed(name, block, f"drawn with {block}")


def crossings(rows: Iterable[tuple[str, Sequence[str]]]) -> tuple[Crossing, ...]:
    """Groups that stand on more than one side.

    Args:
        rows: for each case its split and its group keys, ``kind:name``.
    """
    seen: dict[str, set[str]] = {}
    for side, keys in rows:
        for key in keys:
            seen.setdefault(key, set()).add(side)
    return tuple(
        Crossing(key.partition(":")[0], key.partition(":")[2], tuple(sorted(seen[key])))
        for key in sorted(seen)
        if len(seen[key]) > 1
    )


def _near_identical(texts: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Pairs of cases whose texts share nearly all their word triples."""
    shingles = {key: _shingles(text) for key, text in texts.items()}
    holders: dict[tuple[str, ...], list[str]] = {}
    for key, found in shingles.items():
        for shingle in found:
            holders.setdefault(shingle, []).append(key)
    counts: dict[tuple[str, str], int] = {}
    for keys in holders.values():
        for i, a in enumerate(keys):
            for b in keys[i + 1 :]:
                counts[a, b] = counts.get((a, b), 0) + 1
    for (a, b), common in sorted(counts.items()):
        if Fraction(common, len(shingles[a] | shingles[b])) >= NEAR_IDENTICAL:
            yield a, b


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(unicodedata.normalize("NFC", text).casefold())
    if len(words) < 3:
        return frozenset({tuple(words)} if words else ())
    return frozenset(tuple(words[i : i + 3]) for i in range(len(words) - 2))
