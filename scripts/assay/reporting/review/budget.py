"""Text that fits: parts are taken in order until the room is used up, and what is cut is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LIMIT = 65_536
"""Most characters of a comment on a forge."""


@dataclass
class Part:
    """Some paragraphs that belong together, folded away or not."""

    noun: str
    """What one chunk is, for what is cut: ``case``."""
    chunks: list[str]
    """Blocks, each kept whole or left out."""
    head: str = ""
    """What stands above them."""
    folded: str = ""
    """What the fold is called; not folded where empty."""
    glue: str = "\n\n"
    """What stands between them: a line feed for items of a list."""

    @property
    def size(self) -> int:
        """Bytes of everything but the chunks."""
        return len(self.head.encode()) + 2 * len(self.folded.encode()) + 80


def fitted(parts: Iterable[Part], room: int) -> tuple[list[str], list[tuple[str, int]]]:
    """Parts as Markdown, and what had to be left out.

    Args:
        parts: in order; the first ones go before the later ones.
        room: bytes that there are.

    Returns:
        The blocks, and for each part that was cut its noun and how many are missing.
    """
    blocks: list[str] = []
    cut: list[tuple[str, int]] = []
    for part in parts:
        if not part.chunks and not part.head:
            continue
        kept: list[str] = []
        left = room - part.size
        for chunk in part.chunks:
            size = len(chunk.encode()) + len(part.glue)
            if size > left:
                break
            kept.append(chunk)
            left -= size
        missing = len(part.chunks) - len(kept)
        if missing:
            cut.append((part.noun, missing))
        if not kept and part.chunks:
            continue
        room = left
        body = "\n\n".join(filter(None, [part.head, part.glue.join(kept)]))
        blocks.append(_folded(part.folded, body) if part.folded else body)
    return blocks, cut


def _folded(title: str, body: str) -> str:
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"
