"""The scoreboard: what every run came to on every suite, and how far the numbers carry.

`board` computes what is shown; `text` and `json_text` print it, and the HTML report draws it.
"""

from __future__ import annotations

from assay.reporting.scoreboard.as_json import json_text
from assay.reporting.scoreboard.as_text import text
from assay.reporting.scoreboard.board import Board, BoardInput, board

__all__ = ["Board", "BoardInput", "board", "json_text", "text"]
