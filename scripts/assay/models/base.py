"""The base of every model, and the scalar types that several of them share."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

if TYPE_CHECKING:
    JsonValue: TypeAlias = (
        "bool | int | Decimal | str | Sequence[JsonValue] | dict[str, JsonValue] | None"
    )
else:
    # Structure is guaranteed by the reader, which parses numbers exactly (int or Decimal,
    # never float); validating it again would cost more than parsing it.
    JsonValue = Any

T = TypeVar("T")

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""An ordered, immutable collection; a JSON array or a Python list is accepted."""

CASE_ID_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,95}$"
DAY_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Model(BaseModel):
    """Immutable, strict, closed: unknown keys and silent conversions are refused.

    A model is built when it is first used, since a command uses few of them. What its fields mean
    stands below each of them; `models.schemas` reads that from the source, so that nobody else
    waits for it.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        validate_default=False,
        ser_json_inf_nan="constants",
        defer_build=True,
    )


@lru_cache(maxsize=4096)
def _check_day(value: str) -> str:
    if not DAY_PATTERN.fullmatch(value):
        raise ValueError("write the day as YYYY-MM-DD")
    try:
        datetime.date.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"no such day: {error}") from None
    return value


Day = Annotated[str, AfterValidator(_check_day)]
"""A calendar day, ``YYYY-MM-DD``. Kept as text: days then compare as text, in every zone."""

CaseId = Annotated[str, StringConstraints(pattern=CASE_ID_PATTERN)]
"""Names a case in the whole repository, for ever; also a safe file name."""

SuiteId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
"""Names a suite; also the name of its folders."""

Handle = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
"""Names a person in ``truth/people.yaml``."""

Name = Annotated[str, StringConstraints(min_length=1)]
"""Text that must not be empty."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest, 64 hexadecimal digits."""
