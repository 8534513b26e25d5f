"""Values that meet an expectation, and values that do not: material for oracle runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from assay.models.base import JsonValue
from assay.scoring.matcher_forms import is_matcher
from assay.scoring.moments import iso, relative
from assay.scoring.values import exact, is_number, number_of_text


class NoOracleError(Exception):
    """Why no value can be made that meets an expectation."""


def instance(value: JsonValue, reference_date: str | None, ref: JsonValue = None) -> JsonValue:
    """A value that meets an expectation.

    Args:
        value: literal, matcher, or a mixture.
        reference_date: the day that relative dates refer to.
        ref: what a `$ref` comes to.

    Raises:
        NoOracleError: a `$pattern`, or a relative date without a reference date.
    """
    if isinstance(value, Mapping):
        if is_matcher(value):
            return _of_matcher(value, reference_date, ref)
        return {key: instance(item, reference_date, ref) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [instance(item, reference_date, ref) for item in value]
    return value


def _of_matcher(
    value: Mapping[str, JsonValue], reference_date: str | None, ref: JsonValue
) -> JsonValue:
    name = next(key for key in value if key.startswith("$"))
    given = value[name]
    if name == "$any":
        return "anything"
    if name == "$literal":
        return given
    if name == "$one_of" and isinstance(given, Sequence) and given:
        return instance(given[0], reference_date, ref)
    if name in ("$set", "$multiset") and isinstance(given, Sequence):
        return [instance(item, reference_date, ref) for item in given]
    if name == "$number":
        number = number_of_text(given) if isinstance(given, str) else given
        if is_number(number):
            return exact(number)  # type: ignore[arg-type]
    if name in ("$date", "$instant") and isinstance(given, str):
        return given
    if name == "$relative" and isinstance(given, str):
        if reference_date is None:
            raise NoOracleError(f"`$relative: {given}` needs a reference date of the case")
        moment = relative(given, reference_date)
        if moment is not None:
            return iso(moment)
    if name == "$ref":
        return ref
    if name == "$pattern":
        raise NoOracleError("no text can be made up for a `$pattern`")
    raise NoOracleError(f"`{name}` cannot be read")


def other(value: JsonValue) -> JsonValue:
    """Another value of the same kind, far enough away to be outside any tolerance."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return "something"
    if is_number(value):
        return exact(value) * 3 + Decimal(1_000_003)  # type: ignore[arg-type]
    if isinstance(value, str):
        return f"not {value} at all"
    if isinstance(value, Mapping):
        return {**value, "_other": True}
    assert isinstance(value, Sequence)
    return [*value, "_other"]
