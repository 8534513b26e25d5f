"""Templates, and the policy that lets a browser run nothing but our own script.

Every value is escaped on its way into a page, and controls, direction overrides and lone
surrogates are shown as escapes. Should an escape ever be forgotten, the content security policy
still refuses every script and style but the two whose digests it names, and every request.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.reporting.words import safe

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
_KEPT = re.compile(r"[\n\t]")


def shown(value: Any) -> Any:
    """What a page shows for a value: text made safe, line feeds and tabs kept, none left out."""
    if value is None:
        return ""
    if type(value) is str:
        kept = _KEPT.findall(value)
        pieces = [safe(piece) for piece in _KEPT.split(value)]
        return "".join(a + b for a, b in zip(pieces, [*kept, ""], strict=True))
    return value


def ticked(text: str) -> Markup:
    """A sentence in which what stands between backticks is shown as code."""
    from markupsafe import Markup, escape

    pieces = shown(text).split("`")
    if len(pieces) % 2 == 0:  # A lone backtick is one.
        return Markup(escape("`".join(pieces)))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(pieces)
    )


def _source(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@functools.cache
def environment() -> Environment:
    """The templates, compiled once."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    style, script = _source("style.css"), _source("script.js")
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["ticked"] = ticked
    templates.globals.update(
        # Our own files, not data: the only two texts that are not escaped.
        style=Markup(style),
        script=Markup(script),
        policy=(
            f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}';"
            " base-uri 'none'; form-action 'none'"
        ),
    )
    return templates


def fill(name: str, **values: Any) -> str:
    """A page from a template."""
    return environment().get_template(name).render(**values)
