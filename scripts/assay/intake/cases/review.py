"""What is odd about the content of a case, whatever shape it came in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from assay.intake.node import Node, Source, shorten
from assay.models.base import JsonValue
from assay.models.case import Content, EvalCase

_PLACEHOLDER = re.compile(
    r"\b(?:xx+|XXX+)\b"
    r"|\b(?:TODO|TBD|FIXME)\b"
    r"|\{\{.*?\}\}|\$\{.*?\}"
    r"|<[A-Z][A-Z0-9_ ]*>"
    r"|(?i:\[(?:insert|your|placeholder)\b[^\]]*\]|\b(?:placeholder|lorem ipsum)\b)"
)
_WHOLE = frozenset({"...", "…", "-", "n/a", "none", "null", "string", "todo", "tbd"})


def placeholder(text: str) -> str | None:
    """The words of a text that stand in for something that was never filled in, if any."""
    stripped = text.strip()
    if stripped.lower() in _WHOLE:
        return stripped
    match = _PLACEHOLDER.search(text)
    return match[0] if match else None


def review(case: EvalCase, base: str, line: int | None, source: Source) -> None:
    """Add a finding for everything in the case that a person should look at.

    Args:
        case: the case in canonical form.
        base: JSON pointer to it in the file.
        line: line of the JSONL file that it stands in.
        source: where findings go.
    """
    node = Node(None, source, base, line)

    def note(code: str, message: str, hint: str = "") -> None:
        source.note(code, message, node=node, hint=hint, case_id=case.eval_id)

    both = case.conversation is not None and case.conversation_scenario is not None
    if both:
        note("ICA024", "The case has both a conversation and a scenario.", "keep one of them")
    elif not _asks(case):
        note(
            "ICA023",
            "The case asks nothing: no turn of it has words of a user.",
            "add `conversation` or `conversation_scenario`",
        )
    for index, turn in enumerate(case.conversation or ()):
        place = f"Turn {index}: "
        if turn.final_response is not None:
            _answer(turn.final_response, place, note_of=note)
        uses = turn.intermediate_data.tool_uses if turn.intermediate_data else None
        for use in uses or ():
            for text in _texts(use.args):
                found = placeholder(text)
                if found is not None:
                    note(
                        "ICA020",
                        f'{place}an argument of `{use.name}` is a placeholder: "{shorten(found)}".',
                    )


def _asks(case: EvalCase) -> bool:
    if case.conversation_scenario is not None:
        return True
    parts = [part for turn in case.conversation or () for part in turn.user_content.parts or ()]
    return any(
        part.text or part.inline_data or part.file_data or part.function_response for part in parts
    )


def _answer(content: Content, place: str, *, note_of: Callable[[str, str], None]) -> None:
    texts = [part.text for part in content.parts or () if part.text is not None]
    if not texts:
        note_of("ICA021", f"{place}the example answer is null.")
        return
    text = "".join(texts)
    if not text.strip():
        note_of("ICA022", f"{place}the example answer is empty.")
        return
    found = placeholder(text)
    if found is not None:
        note_of("ICA020", f'{place}the example answer is a placeholder: "{shorten(found)}".')


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
