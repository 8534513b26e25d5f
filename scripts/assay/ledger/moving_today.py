"""Moving ``today`` in ``params.yaml``, and nothing else in it."""

from __future__ import annotations

import re

from assay.errors import InputError, RefusedError
from assay.files.yamls import parse_yaml
from assay.ledger.layout import PARAMS
from assay.models.params import Params

_TODAY = re.compile(r"""^today:[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s#]+)""", re.MULTILINE)


def moved(text: str, day: str) -> str:
    """The text of ``params.yaml`` with another day, quoted; comments and lines stay.

    Args:
        text: the file.
        day: ``YYYY-MM-DD``; never before the day that stands there.

    Raises:
        InputError: the file is wrong, or `today` is not on a line of its own.
        RefusedError: the day is earlier: what has expired would count again.
    """
    before = parse_yaml(text, name=PARAMS).require(Params)
    if day < before.today:
        raise RefusedError(
            f"{day} is before {before.today}: what has expired would count again.",
            path=PARAMS,
            hint=f"assay check --today {day}",
        )
    after, number = _TODAY.subn(f'today: "{day}"', text)
    if day == before.today and number == 1:
        return text
    wanted = before.model_copy(update={"today": day})
    if number != 1 or parse_yaml(after, name=PARAMS).require(Params) != wanted:
        raise InputError(
            "`today` cannot be moved in this file.",
            path=PARAMS,
            hint=f'write it on a line of its own: today: "{day}"',
        )
    return after
