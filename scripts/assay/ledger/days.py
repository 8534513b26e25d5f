"""Calendar arithmetic on days, which are plain text: no clock, no time zone."""

from __future__ import annotations

import calendar
import datetime
import re

from assay.errors import UsageError

_SPAN = re.compile(r"([0-9]{1,3})([dwmy])")


def add_months(day: str, months: int) -> str:
    """The same day of the month so many months later, clamped to the month's end."""
    date = datetime.date.fromisoformat(day)
    index = date.year * 12 + date.month - 1 + months
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.date(year, month + 1, min(date.day, last)).isoformat()


def add_days(day: str, days: int) -> str:
    """So many days later."""
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, written YYYY-MM-DD."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def later(day: str, span: str) -> str:
    """A day as it is, or a span such as ``6m`` counted from `day`.

    Raises:
        UsageError: neither a day nor a span.
    """
    match = _SPAN.fullmatch(span)
    if match:
        if not is_day(day):
            raise UsageError(
                f"A span counts from a day, and `{day}` is none.", hint="write it as YYYY-MM-DD"
            )
        count, unit = int(match[1]), match[2]
        try:
            if unit in "my":
                return add_months(day, count * (12 if unit == "y" else 1))
            return add_days(day, count * (7 if unit == "w" else 1))
        except (ValueError, OverflowError):
            raise UsageError(
                f"`{span}` after {day} is beyond the calendar.", hint="write a nearer day"
            ) from None
    if is_day(span):
        return span
    raise UsageError(
        f"`{span}` is neither a day nor a span.", hint="write 2027-03-18, or 90d, 12w, 6m, 1y"
    )


def days_between(first: str, last: str) -> int:
    """Days from one day to another; negative where the second one is earlier."""
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
