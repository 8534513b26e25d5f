"""Fields that no rule of a format reads: counted, so that nothing disappears in silence."""

from __future__ import annotations

from assay.intake.node import Node, shorten, snake


def left_out(record: Node, read: frozenset[str]) -> None:
    """Count every field of a record that holds something and is none of those that are read.

    Args:
        record: the record; anything but an object has no fields.
        read: names in snake_case of the fields that the format reads, or leaves out by a rule
            of its own.
    """
    if not isinstance(record.value, dict):
        return
    for key, value in record.value.items():
        if key not in read and value is not None and snake(key) not in read:
            record.source.drop(f"field `{shorten(key, 40)}`")
