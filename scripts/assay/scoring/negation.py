"""Negation words, and whether one stands in the clause of a matched fact.

A clause ends at a full stop, question or exclamation mark, semicolon, line end, adversative
conjunction, comma, bracket or dash. Two cases reach across the last three of these: a clause that
ends in the negation itself (*it is not, as you said, 40*), and an enumeration, where the fact is
all there is between two commas (*we do not refund shipping, taxes, or fees*). Doubt is *not
evaluated*, so the rules prefer to see a negation too many.
"""

from __future__ import annotations

import bisect
import re
from functools import lru_cache
from typing import Final

_ENGLISH: Final = (
    "not no never neither nor none nothing nobody nowhere without cannot hardly unable "
    "dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent "
    "hadnt"
)

_WORDS: Final[dict[str, str]] = {
    "ar": "لا لم لن ليس ليست غير بدون",
    "cs": "ne není nejsou nikdy nic nikdo bez ani žádný žádná žádné nebyl nebyla nebylo nelze",
    "da": "ikke aldrig ingen intet ingenting uden hverken nej",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts niemand "
    "nirgends nein",
    "el": "δεν δε μη μην όχι ποτέ κανένας καμία κανένα τίποτα χωρίς ούτε",
    "es": "no nunca jamás ningún ninguna ninguno ningunos ningunas nada nadie sin ni tampoco",
    "fi": "ei en et emme ette eivät älä ilman mitään koskaan",
    "fr": "ne n' pas jamais rien aucun aucune sans ni non nul nulle",
    "he": "לא אין בלי אינו אינה מעולם",
    "hi": "नहीं न मत बिना कभी",
    "hu": "nem ne nincs nincsenek soha semmi senki nélkül sem",
    "id": "tidak bukan tak tanpa belum jangan tidaklah",
    "it": "non no mai nessun nessuno nessuna niente nulla senza né neanche",
    "nb": "ikke aldri ingen intet ingenting uten verken nei",
    "nl": "niet geen nooit niets niemand zonder noch nee nergens",
    "pl": "nie bez nigdy nic nikt żaden żadna żadne ani brak",
    "pt": "não nunca jamais nenhum nenhuma nenhuns nada ninguém sem nem tampouco",
    "ro": "nu niciodată nimic nimeni niciun nicio fără nici",
    "ru": "не нет ни никогда ничего никто без нельзя",
    "sv": "inte ej icke aldrig ingen inget inga ingenting utan varken nej",
    "tr": "değil değildir yok yoktur hayır asla hiç hiçbir",
    "uk": "не ні немає ніколи нічого ніхто без",
    "vi": "không chưa chẳng đừng",
}

# Scripts without blanks: the character itself negates, wherever it stands.
_CHARACTERS: Final[dict[str, str]] = {
    "zh": "不 没 沒 无 無 非 未 勿 别 別 莫",
    "ja": "ない なかっ なく ません ず 不 非 未 無 いいえ",
    "ko": "않 못 없 아니 안 ",
    "th": "ไม่ มิ ไร้",
}

_ALIASES: Final = {"no": "nb", "nn": "nb"}

_INTERJECTIONS: Final = frozenset(
    ("no", "nein", "non", "nee", "nej", "nei", "não", "нет", "ні", "hayır", "όχι")
)
_BUT: Final[dict[str, str]] = {
    "en": "but however although though whereas",
    "de": "aber sondern jedoch",
    "es": "pero sino mas",
    "fr": "mais cependant",
    "it": "ma però",
    "nb": "men",
    "da": "men",
    "sv": "men",
    "nl": "maar",
    "pl": "ale",
    "cs": "ale",
    "pt": "mas",
    "ru": "но а",
    "uk": "але",
}
# Adverbs, which also stand inside the clause that they oppose: "it is not, however, 40".
_ADVERBS: Final = frozenset(("however", "though", "jedoch", "cependant"))
_FILLERS: Final = (
    "and or nor the a an of und oder noch der die das ein eine et ou ni le la les un une y o "
    "los las el e i och eller en ett og"
)
_ABBREVIATIONS: Final = "approx ca no nr vs e.g i.e etc incl excl max min z.b"

_STOP = re.compile(r"[!?;。！？；\n]|\.(?=[\s\"')\]*]|$)")
_SOFT = re.compile(r",(?![0-9])|[()\[\]{}、，\u2014]|(?<=\s)-(?=\s)")
_WORD = re.compile(r"\w[\w']*")


class Negations:
    """The negation words of one language, with those of English, which agents fall back to."""

    def __init__(
        self, words: tuple[str, ...], characters: tuple[str, ...], buts: tuple[str, ...]
    ) -> None:
        """Compile the patterns.

        Args:
            words: negation words, whole ones; one that ends in an apostrophe leads another word.
            characters: negate wherever they stand.
            buts: conjunctions that end a clause.
        """
        self._buts = re.compile(r"\b(?:" + "|".join(buts) + r")\b")
        plain = sorted((w for w in words if not w.endswith("'")), key=lambda w: (-len(w), w))
        elided = sorted(w for w in words if w.endswith("'"))
        parts = [r"\b(?:" + "|".join(map(re.escape, plain)) + r"|[a-z]+n't)(?![\w'])(?!\. ?[0-9])"]
        if elided:
            parts.append(r"(?<!\w)(?:" + "|".join(map(re.escape, elided)) + ")")
        if characters:
            parts.append("|".join(map(re.escape, characters)))
        self._pattern = re.compile("|".join(parts))
        # What every negation word contains: "not", "none" and "cannot" all contain "no".
        every = sorted({*plain, *elided, *characters, "n't"}, key=len)
        self._stems = tuple(
            text for i, text in enumerate(every) if not any(short in text for short in every[:i])
        )

    def _may_negate(self, form: str, left: int, right: int) -> bool:
        """Whether a search is worth its time: most sentences hold nothing like a negation."""
        sentence = form[left:right]
        for stem in self._stems:
            if stem in sentence:
                return self._pattern.search(sentence) is not None
        return False

    def words(self, form: str) -> frozenset[str]:
        """The negation words in a text form."""
        return frozenset(self._pattern.findall(form))

    def beside(
        self,
        cased: str,
        form: str,
        ends: tuple[int, ...],
        start: int,
        end: int,
        own: frozenset[str],
    ) -> str | None:
        """The first negation word in the clause of a span that is neither in it nor in `own`.

        Args:
            cased: the text, see `text_form.fold`.
            form: its form.
            ends: its `sentence_ends`.
            start: first character of the span.
            end: one past its last character.
            own: negation words of the fact itself.
        """
        left, right = _sentence(ends, start, end, len(form))
        if not self._may_negate(form, left, right):
            return None
        left, right = self._without_but(form, left, right, start, end)
        cuts = [left]
        for cut in _SOFT.finditer(cased, left, right):
            if cut.end() <= start or cut.start() >= end:
                cuts += [cut.start(), cut.end()]
        cuts.append(right)
        clauses = [(cuts[i], cuts[i + 1]) for i in range(0, len(cuts), 2)]
        mine = next(i for i, (a, b) in enumerate(clauses) if a <= start and end <= b)
        word = self._in(form, *clauses[mine], start, end, own)
        if word is not None:
            return word
        a, b = clauses[mine]
        beside_it = _WORD.findall(form, a, start) + _WORD.findall(form, end, b)
        fillers = _FILLERS.split()
        enumerated = mine > 0 and all(w in fillers for w in beside_it)
        for a, b in reversed(clauses[:mine]):
            if form[a:b].strip() in _INTERJECTIONS:
                continue
            for found in self._pattern.finditer(form, a, b):
                dangling = not form[found.end() : b].strip()
                if found[0] not in own and (dangling or enumerated):
                    return found[0].strip()
        return None

    def _without_but(
        self, form: str, left: int, right: int, start: int, end: int
    ) -> tuple[int, int]:
        """The part of a sentence around a place that no adversative conjunction cuts off."""
        for but in self._buts.finditer(form, left, right):
            if but.end() <= start:
                if but[0] not in _ADVERBS or not self._dangles(form[left : but.start()]):
                    left = but.end()
            elif but.start() >= end:
                return left, but.start()
        return left, right

    def _dangles(self, text: str) -> bool:
        """Whether a text ends in a negation that waits for what it negates."""
        text = text.rstrip(" ,")
        return text.strip() not in _INTERJECTIONS and any(
            found.end() == len(text) for found in self._pattern.finditer(text)
        )

    def _in(
        self, form: str, left: int, right: int, start: int, end: int, own: frozenset[str]
    ) -> str | None:
        for found in self._pattern.finditer(form, left, right):
            outside = found.end() <= start or found.start() >= end
            if outside and found[0] not in own:
                return found[0].strip()
        return None


def sentence_ends(cased: str) -> tuple[int, ...]:
    """Where the sentences of a text end, in order."""
    return tuple(
        stop.start()
        for stop in _STOP.finditer(cased)
        if stop[0] != "." or not _abbreviates(cased, stop.start())
    )


def _sentence(ends: tuple[int, ...], start: int, end: int, length: int) -> tuple[int, int]:
    """The sentence around a place."""
    first = bisect.bisect_left(ends, start)
    after = bisect.bisect_left(ends, end)
    return ends[first - 1] + 1 if first else 0, ends[after] if after < len(ends) else length


def _abbreviates(cased: str, stop: int) -> bool:
    """Whether the full stop ends an abbreviation and not a sentence."""
    following = cased[stop + 1 : stop + 3].strip()
    if following[:1].islower():
        return True
    before = cased[:stop].rsplit(None, 1)[-1:]
    return (
        bool(before)
        and before[0].lower().lstrip("(") in _ABBREVIATIONS.split()
        and bool(following[:1].isdigit())
    )


@lru_cache(maxsize=64)
def negations(language: str) -> Negations:
    """The negation words of a language tag; of every language where it is not known."""
    base = language.replace("_", "-").lower().split("-")[0]
    base = _ALIASES.get(base, base)
    words = _ENGLISH.split()
    buts = tuple(dict.fromkeys(f"{_BUT['en']} {_BUT.get(base, '')}".split()))
    if base in _WORDS:
        return Negations((*words, *_WORDS[base].split()), (), buts)
    if base in _CHARACTERS:
        return Negations(tuple(words), tuple(_CHARACTERS[base].split(" ")), buts)
    if base != "en":
        for more in _WORDS.values():
            words += more.split()
        return Negations(
            tuple(dict.fromkeys(words)),
            tuple(c for more in _CHARACTERS.values() for c in more.split(" ")),
            tuple(dict.fromkeys(but for more in _BUT.values() for but in more.split())),
        )
    return Negations(tuple(words), (), buts)
