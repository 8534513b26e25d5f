"""Words that mean another day on every reading, a list per language."""

from __future__ import annotations

import functools
import re

_WEEKDAYS = {
    "en": "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "de": "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",
    "fr": "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    "es": "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    "it": "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
    "nl": "maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
}

_PHRASES = {
    "en": (
        r"today|tonight|now|right now|currently|current|yesterday|tomorrow|latest|recently"
        r"|nowadays|so far|to date|just (?:now|arrived|bought|got)"
        r"|(?:this|last|next|past|coming) (?:{days}|day|week|weekend|month|quarter|year"
        r"|spring|summer|autumn|fall|winter)"
        r"|(?:\d+|a|an|one|two|three|a few|several) (?:minutes?|hours?|days?|weeks?|months?|years?)"
        r" ago|in (?:\d+|two|three) (?:days|weeks|months)"
    ),
    "de": (
        r"heute|jetzt|derzeit|aktuell(?:e[nrms]?)?|gestern|vorgestern|morgen früh|übermorgen"
        r"|neueste[nrms]?|kürzlich|zurzeit|bisher"
        r"|(?:diese[nrms]?|letzte[nrms]?|nächste[nrms]?|vergangene[nrms]?|kommende[nrms]?)"
        r" (?:{days}|tag|woche|wochenende|monat|quartal|jahr)"
        r"|vor (?:\d+|einem|einer|zwei|drei) (?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?"
        r"|jahr(?:en)?)"
    ),
    "fr": (
        r"aujourd'hui|maintenant|actuellement|actuel(?:le)?s?|hier|demain|récemment|ce soir"
        r"|(?:cette|ce) (?:semaine|mois|année|trimestre)"
        r"|(?:{days}|semaine|mois|année) (?:prochaine?|dernière?|passée?)"
        r"|il y a (?:\d+|une?|deux|trois) (?:minutes?|heures?|jours?|semaines?|mois|ans?)"
    ),
    "es": (
        r"hoy|ahora|actualmente|actual(?:es)?|ayer|anteayer|recientemente"
        r"|(?:esta|este) (?:semana|mes|año|trimestre)"
        r"|(?:el )?(?:próximo|pasado) (?:{days}|mes|año)|(?:la )?(?:próxima|pasada) semana"
        r"|hace (?:\d+|una?|un|dos|tres) (?:minutos?|horas?|días?|semanas?|meses|mes|años?)"
    ),
    "it": (
        r"oggi|adesso|attualmente|attual[ei]|ieri|domani|recentemente"
        r"|(?:questa|questo) (?:settimana|mese|anno|trimestre)"
        r"|(?:{days}|settimana|mese|anno) (?:prossim[oa]|scors[oa])"
        r"|(?:\d+|una?|due|tre) (?:minuti?|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa"
    ),
    "nl": (
        r"vandaag|vanavond|nu|momenteel|huidige|gisteren|eergisteren|morgen|overmorgen|onlangs"
        r"|(?:deze|vorige|volgende|komende) (?:{days}|week|weekend|maand|kwartaal|jaar)"
        r"|(?:\d+|een|twee|drie) (?:minuten|minuut|uur|dagen|dag|weken|week|maanden|maand|jaar)"
        r" geleden"
    ),
}


@functools.cache
def _pattern(language: str) -> re.Pattern[str] | None:
    phrases = _PHRASES.get(language)
    if phrases is None:
        return None
    days = _WEEKDAYS[language]
    return re.compile(rf"(?<!\w)(?:{phrases.format(days=days)})(?!\w)", re.IGNORECASE)


def clock_words(text: str, language: str) -> str:
    """The first words of a text that depend on the day it is read; empty where there are none.

    Args:
        text: any text; typographic apostrophes and runs of blanks are read as plain ones.
        language: an IETF tag such as ``en`` or ``de-AT``; a language without a list has no such
            words.
    """
    pattern = _pattern(re.split(r"[-_]", language.casefold(), maxsplit=1)[0])
    if pattern is None:
        return ""
    match = pattern.search(" ".join(text.replace("\u2019", "'").split()))
    return match[0] if match else ""
