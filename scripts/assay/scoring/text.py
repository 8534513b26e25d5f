"""Answers and facts: equality of whole texts, containment of whole tokens, negation.

Section 2.4 of the design, *Answers*. A text is its form with the numbers taken out: what stands
between the numbers is compared as text, the numbers are compared as numbers.
"""

from __future__ import annotations

from typing import NamedTuple

from assay.scoring.lazy import lazy
from assay.scoring.negation import Negations, negations, sentence_ends
from assay.scoring.numbers_in_text import Quantity, quantities
from assay.scoring.text_form import fold, glued

_SEPARATORS = dict.fromkeys(map(ord, ".,' "))


class Span(NamedTuple):
    """A place in the form of a text."""

    start: int
    """First character."""
    end: int
    """One past the last character."""


class Prose:
    """A text that is compared with others; folded once, its numbers read when needed."""

    def __init__(self, text: str, language: str = "en") -> None:
        """Fold `text`; `language` says how it writes numbers and negates."""
        self.text = text
        self.language = language
        self.cased, self.form = fold(text)

    def __bool__(self) -> bool:
        """Whether anything is left of the text; nothing matches the empty text."""
        return bool(self.form)

    @lazy
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers that the text states, in order."""
        return quantities(self.cased, self.language)

    @lazy
    def pieces(self) -> tuple[str, ...]:
        """The texts before, between and after the numbers: one more than there are numbers."""
        edges = [0]
        for quantity in self.quantities:
            edges += [quantity.start, quantity.end]
        edges.append(len(self.form))
        return tuple(self.form[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2))

    @lazy
    def _digits(self) -> str:
        """Digits that any text holds which states the first number, however it writes it."""
        kind, value, *_ = self.quantities[0].key
        if isinstance(value, str):
            return value[:4] if kind == "day" else value
        return "".join(map(str, value.as_tuple().digits)).strip("0") or "0"

    @lazy
    def _without_separators(self) -> str:
        return self.form.translate(_SEPARATORS)

    @lazy
    def negation_words(self) -> frozenset[str]:
        """The negation words that the text holds."""
        return self._negations.words(self.form)

    @lazy
    def _ends(self) -> tuple[int, ...]:
        return sentence_ends(self.cased)

    @lazy
    def _negations(self) -> Negations:
        return negations(self.language)

    def equals(self, other: Prose) -> bool:
        """Whether both say the same: equal text, equal numbers. The empty text equals nothing."""
        if not self.form or not other.form:
            return False
        if self.form == other.form and self.cased == other.cased:
            return True
        mine, theirs = self.quantities, other.quantities
        return (
            len(mine) == len(theirs)
            and self.pieces == other.pieces
            and all(a.same_as(b) for a, b in zip(mine, theirs, strict=True))
        )

    def occurrences(self, fact: Prose) -> list[Span]:
        """Where the text contains the fact as whole tokens, in order."""
        if not fact.form:
            return []
        if fact.quantities:
            return self._with_numbers(fact)
        found: list[Span] = []
        needle, form, cased = fact.form, self.form, self.cased
        start = form.find(needle)
        while start >= 0:
            end = start + len(needle)
            if not (glued(cased, start) or glued(cased, end)):
                found.append(Span(start, end))
            start = form.find(needle, start + 1)
        return found

    def _with_numbers(self, fact: Prose) -> list[Span]:
        if fact._digits not in self._without_separators:
            return []  # spares reading all the numbers of an answer that has none like it
        wanted = fact.quantities
        first, *between, last = fact.pieces
        mine, form, cased = self.quantities, self.form, self.cased
        found: list[Span] = []
        for index in range(len(mine) - len(wanted) + 1):
            here = mine[index : index + len(wanted)]
            if not all(a.same_as(b) for a, b in zip(wanted, here, strict=True)):
                continue
            start, end = here[0].start - len(first), here[-1].end + len(last)
            if (
                start >= 0
                and form.startswith(first, start)
                and form.startswith(last, here[-1].end)
                and all(
                    form[a.end : b.start] == text
                    for a, b, text in zip(here, here[1:], between, strict=False)
                )
                and not (first and glued(cased, start))
                and not (last and glued(cased, end))
            ):
                found.append(Span(start, end))
        return found

    def negated(self, span: Span, fact: Prose) -> str | None:
        """The negation word, absent from the fact, that stands in the clause of a span."""
        return self._negations.beside(
            self.cased, self.form, self._ends, span.start, span.end, fact.negation_words
        )

    def clause(self, span: Span, margin: int = 60) -> str:
        """The words around a span, for evidence: as they stand, cut to a readable length."""
        start = max(0, span.start - margin)
        end = min(len(self.cased), span.end + margin)
        text = self.cased[start:end].replace("\n", " ")
        return f"{'…' if start else ''}{text}{'…' if end < len(self.cased) else ''}"


class Statement(NamedTuple):
    """Whether and where a text states a fact in any of its wordings."""

    stated: bool
    """Stated at least once without a negation in the same clause."""
    span: Span | None
    """The deciding place; none where the wording does not occur."""
    wording: str
    """The wording that was found; empty when none was."""
    negation: str | None
    """The negation word beside it, where every occurrence has one."""


def states(answer: Prose, wordings: tuple[Prose, ...]) -> Statement:
    """Whether an answer states one of the wordings; an occurrence without negation wins."""
    negated: Statement | None = None
    for wording in wordings:
        for span in answer.occurrences(wording):
            word = answer.negated(span, wording)
            if word is None:
                return Statement(True, span, wording.text, None)
            negated = negated or Statement(False, span, wording.text, word)
    return negated or Statement(False, None, "", None)
