"""Words of a text in any script, as planning texts are compared.

On ASCII these are the tokens of the ``rouge-score`` package without its stemmer: runs of letters
and digits, lower case. That package throws every other script away, so that a text in Chinese
scores 0 against itself. Here letters and digits of every script make words, and scripts that are
written without blanks (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are split into what a reader
takes for one character, with its marks.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

_NO_BLANKS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # iteration mark, zero
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),  # Burmese extensions
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width Katakana
    (0x16FE0, 0x16FFF),
    (0x1AFF0, 0x1B16F),  # Kana supplement and extensions
    (0x20000, 0x3FFFD),
)
_STARTS = [first for first, _ in _NO_BLANKS]
_TAIL = frozenset("\u0e33\u0eb3\uff9e\uff9f")
"""Letters by category that belong to the character before them (Unicode Annex 29)."""
_JOINERS = frozenset("\u200c\u200d")


def words(text: str) -> list[str]:
    """The words of a text, folded in case and in composed form."""
    if text.isascii():
        return "".join(c if c.isalnum() else " " for c in text.lower()).split()
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    found: list[str] = []
    open_word = False
    for character in folded:
        if found and open_word and (_extends(character)):
            found[-1] += character
        elif not _in_word(character):
            open_word = False
        elif open_word and not _alone(character) and not _alone(found[-1][0]):
            found[-1] += character
        else:
            found.append(character)
            open_word = True
    return found


def _extends(character: str) -> bool:
    """Whether it never begins a character of its own."""
    return (
        character in _TAIL
        or character in _JOINERS
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def _in_word(character: str) -> bool:
    return character.isalnum()


def _alone(character: str) -> bool:
    """Whether its script is written without blanks between words."""
    code = ord(character)
    at = bisect_right(_STARTS, code) - 1
    return at >= 0 and code <= _NO_BLANKS[at][1] and not character.isdigit()
