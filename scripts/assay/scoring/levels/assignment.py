"""Assigning nodes to nodes one to one with the largest total weight, exactly.

The shortest-augmenting-path form of the Hungarian method (Kuhn 1955, Munkres 1957; the form with
potentials after Jonker and Volgenant 1987), on integers, for each connected part on its own:
O(n³) in the size of the largest part. Which of several best assignments is taken depends on the
order of rows and columns alone; callers give them in an order that their content defines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Weights = Sequence[Mapping[int, int]]
"""For each row, column to weight; a pair that is not named, or weighs 0, is never assigned."""


def heaviest(weights: Weights) -> dict[int, int]:
    """Row to column of an assignment with the largest total weight."""
    found: dict[int, int] = {}
    for rows in _parts(weights):
        columns = sorted({column for row in rows for column in weights[row]})
        if len(rows) == 1:
            row = rows[0]
            best = max(columns, key=lambda column: (weights[row][column], -column))
            found[row] = best
        else:
            found.update(_part(weights, rows, columns))
    return dict(sorted(found.items()))


def _parts(weights: Weights) -> list[list[int]]:
    """Rows that compete for columns, directly or through others."""
    takers: dict[int, list[int]] = {}
    for row, options in enumerate(weights):
        for column in options:
            takers.setdefault(column, []).append(row)
    seen: set[int] = set()
    parts: list[list[int]] = []
    for row in range(len(weights)):
        if row in seen or not weights[row]:
            continue
        part, queue = [], [row]
        seen.add(row)
        while queue:
            here = queue.pop()
            part.append(here)
            for column in weights[here]:
                for other in takers.pop(column, ()):
                    if other not in seen:
                        seen.add(other)
                        queue.append(other)
        parts.append(sorted(part))
    return parts


def _part(weights: Weights, rows: Sequence[int], columns: Sequence[int]) -> dict[int, int]:
    """One connected part. Every row gets a column; pairs of weight 0 are dropped afterwards."""
    turned = len(rows) > len(columns)
    size, wide = (len(columns), len(rows)) if turned else (len(rows), len(columns))
    table = [[0] * wide for _ in range(size)]
    place = {column: at for at, column in enumerate(columns)}
    for i, row in enumerate(rows):
        for column, weight in weights[row].items():
            j = place[column]
            if turned:
                table[j][i] = -weight
            else:
                table[i][j] = -weight
    pairs = _cheapest(table, size, wide)
    chosen = ((rows[j], columns[i]) if turned else (rows[i], columns[j]) for i, j in pairs)
    return {row: column for row, column in chosen if weights[row].get(column)}


def _cheapest(cost: list[list[int]], size: int, wide: int) -> list[tuple[int, int]]:
    """A cheapest assignment of all `size` rows to `wide` ≥ `size` columns."""
    row_price = [min(line) for line in cost]
    column_price = [0] * wide
    owner = [-1] * wide
    free: list[int] = []
    for i, line in enumerate(cost):  # take what is cheapest for the row where nobody has it
        lowest = row_price[i]
        j = next((j for j in range(wide) if line[j] == lowest and owner[j] < 0), -1)
        if j < 0:
            free.append(i)
        else:
            owner[j] = i
    for start in free:
        _augment(cost, start, owner, row_price, column_price)
    return [(i, j) for j, i in enumerate(owner) if i >= 0]


def _augment(
    cost: list[list[int]],
    start: int,
    owner: list[int],
    row_price: list[int],
    column_price: list[int],
) -> None:
    """Bring one more row in, along the cheapest chain of rows that change their column."""
    open_columns = list(range(len(owner)))
    distance: dict[int, int] = {}
    came_from: dict[int, int] = {}
    settled: list[tuple[int, int]] = []
    row, reached, last = start, 0, -1
    while last < 0:
        line, base = cost[row], reached - row_price[row]
        nearest, nearest_distance = -1, 0
        for j in open_columns:
            new = base + line[j] - column_price[j]
            old = distance.get(j)
            if old is None or new < old:
                distance[j] = old = new
                came_from[j] = row
            if nearest < 0 or old < nearest_distance:
                nearest, nearest_distance = j, old
        open_columns.remove(nearest)
        reached = nearest_distance
        if owner[nearest] < 0:
            last = nearest
        else:
            settled.append((nearest, reached))
            row = owner[nearest]
    for j, at in settled:
        column_price[j] -= reached - at
        row_price[owner[j]] += reached - at
    row_price[start] += reached
    j = last
    while True:
        row = came_from[j]
        taken = next((c for c, i in enumerate(owner) if i == row), -1) if row != start else -1
        owner[j] = row
        if row == start:
            return
        j = taken
