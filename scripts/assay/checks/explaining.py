"""The rules for people: ``docs/rules.md`` is made from their docstrings."""

from __future__ import annotations

import importlib
import inspect
from itertools import groupby

from assay.checks.rule import Rule
from assay.checks.runner import FAMILIES, rules

HEAD = """\
# Rules

Made from the rules themselves; `pytest tests/rules --bless` writes it anew.

`./assay check` looks at the record that counts today for every case, and at every later revision
that is not yet in force; older revisions only have to parse. A finding has one of four severities:

| severity | meaning |
|---|---|
| error | a file is wrong: the command exits with 1, and what is wrong is not scored |
| excludes | the file is right, and the case cannot be scored today: it is listed with its reason |
| warning | somebody should look |
| note | something to know |

A finding about a case can be accepted in `truth/waivers.yaml` for a time (case, code, reason,
until), but for those marked *not to be waived*.
"""


def rules_markdown() -> str:
    """The text of ``docs/rules.md``."""
    known = rules()
    by_module = sorted(known.items(), key=lambda item: (_place(item[1]), item[0]))
    parts = [HEAD]
    for module, group in groupby(by_module, key=lambda item: item[1].__module__):
        title = inspect.getdoc(importlib.import_module(module)) or ""
        parts.append(f"\n## {title.splitlines()[0].rstrip('.').replace('``', '`')}\n")
        for code, rule in group:
            parts.append(_section(code, rule))
    return "".join(parts)


def _place(rule: type[Rule]) -> int:
    name = rule.__module__.rsplit(".", 1)[1]
    return FAMILIES.index(name) if name in FAMILIES else -1


def _section(code: str, rule: type[Rule]) -> str:
    mark = "" if rule.waivable and rule.severity != "excludes" else ", not to be waived"
    text = rule.explanation().replace("``", "`")
    return f"\n### {code}\n\n*{rule.severity}{mark}*\n\n{text}\n"
