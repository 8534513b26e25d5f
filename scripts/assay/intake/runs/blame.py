"""Whose failure an error is that ended a run: the harness's, or the agent's own.

Formats know where an error stands; these rules know what its words mean. Every rule is a name that
a library gives to its exceptions, or a phrase or a status of a service, written where clients of
services write it; what fits none is left to the format. ``docs/formats/failures.md`` shows them as
a table.
"""

from __future__ import annotations

import re

_NAMED: tuple[tuple[str, str], ...] = (
    ("quota", r"insufficient_quota|exceeded your current quota|QuotaExceeded"),
    ("overloaded", r"overloaded_error|OverloadedError|model_overloaded|\bOverloaded\b"),
    (
        "rate limit",
        r"RateLimitError|\bToo Many Requests\b|\brate[- _]limit(?: exceeded| reached|_error|ed\b)"
        r"|\brate_limit_exceeded|RESOURCE_EXHAUSTED|ResourceExhausted|ThrottlingException",
    ),
    (
        "timeout of the service",
        r"APITimeoutError|ReadTimeout|ConnectTimeout|PoolTimeout|DeadlineExceeded"
        r"|DEADLINE_EXCEEDED|asyncio\.(?:exceptions\.)?TimeoutError|\bRequest timed out\b"
        r"|\bGateway ?Time-?out",
    ),
    (
        "connection",
        r"ConnectionError|Connection(?:Refused|Reset|Aborted)Error|RemoteProtocolError"
        r"|RemoteDisconnected|ServerDisconnected|\bServer disconnected\b"
        r"|\bConnection (?:error|reset|refused|aborted|closed)\b|\bSSLError|\bSSL: "
        r"|\bName or service not known\b|\bname resolution\b|\bENOTFOUND\b|\bsocket hang up\b"
        r"|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bfetch failed\b",
    ),
    (
        "access to the service",
        r"AuthenticationError|authentication_error|invalid_api_key|\bIncorrect API key\b"
        r"|PermissionDeniedError",
    ),
    (
        "failure of the service",
        r"InternalServerError|ServiceUnavailable|\bService Unavailable\b|BadGateway"
        r"|\bBad Gateway\b|\bInternal Server Error\b|\bserver_error\b|\bapi_error\b"
        r"|\bserver had an error (?:while )?processing\b"
        r"|(?:\bStatusCode\.|\b50[0-3] |status['\"]?: ?['\"])UNAVAILABLE\b",
    ),
    (
        "the machine",
        r"CUDA out of memory|OutOfMemoryError|\bNo space left on device\b|\bMemoryError\b"
        r"|\bOOMKilled\b",
    ),
)
_RULES = tuple((name, re.compile(words, re.IGNORECASE)) for name, words in _NAMED)

_NUMBER = r"(40[138]|429|5(?:0[0234]|2[0-9]))"
_STATUS = re.compile(
    rf"(?:\berror code:? ?|\bstatus(?:[ _]code)?['\"]?[:= ]{{1,3}}|\bHTTP(?:/[\d.]{{1,3}})? "
    rf"|\bAPIStatusError: |\A(?:api )?error:? ?){_NUMBER}\b(?!\.\d|,\d)",
    re.IGNORECASE,
)
_STATUS_FIRST = re.compile(
    rf"\A{_NUMBER}\b:?\s*(?:\Z|\{{|too many|internal|bad gateway|service|gateway|overloaded"
    r"|resource|unauthori[sz]ed|forbidden|request time-?out)",
    re.IGNORECASE,
)
_STATUS_MEANS = {
    "401": "access to the service",
    "403": "access to the service",
    "408": "timeout of the service",
    "429": "rate limit",
    "504": "timeout of the service",
    "529": "overloaded",
}

_TOOL = re.compile(
    r"\s*(?:error (?:executing|calling|invoking) tool|tool\b|unknown tool|mcp error)", re.IGNORECASE
)
_LIMIT = re.compile(
    r"MaxTurnsExceeded|GraphRecursionError|UsageLimitExceeded|\brecursion[ _-]?limit\b"
    r"|max(?:imum)?[-_ ]?(?:number of )?(?:steps|turns|iterations|rounds|actions)\b"
    r"|(?:step|turn|iteration|message) limit\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"ModelBehaviorError|UnexpectedModelBehavior|ContextWindowExceeded|context_length_exceeded"
    r"|maximum context|context.{0,20}(?:length|window)|prompt is too long|string (?:is )?too long"
    r"|too many tokens in (?:the )?prompt|content[-_ ](?:filter|policy)",
    re.IGNORECASE,
)

_TRACEBACK = "Traceback (most recent call last):"
_FRAMES = re.compile(r'(?m)^ +File "[^\n]*\n(?: [^\n]*\n)*')
_HALF = 2000
"""Characters at the beginning and at the end of an error that are looked at."""


def infrastructure(text: str) -> str | None:
    """What failed outside the agent, in words; None where an error does not tell, or is its own.

    A tool that failed, a limit that the agent ran into, and what ``open_to_both`` names come before
    everything else.
    """
    words = _said(text)
    if _TOOL.match(words) or _LIMIT.search(words) or _OPEN.search(words):
        return None
    for name, rule in _RULES:
        if rule.search(words):
            return name
    status = _STATUS.search(words) or _STATUS_FIRST.match(words)
    return _STATUS_MEANS.get(status[1], "failure of the service") if status else None


def agents_end(text: str) -> bool:
    """Whether an error says that the agent ran into a limit of steps: that is how it ended."""
    return _LIMIT.search(_said(text)) is not None


def open_to_both(text: str) -> bool:
    """Whether an error may be the agent's or the simulated user's, as only the format knows: a
    context that is full, an answer that was filtered or cannot be read.
    """
    return _OPEN.search(_said(text)) is not None


def _said(text: str) -> str:
    """What an exception says, without the lines of code that led to it: these name limits too."""
    if len(text) > 2 * _HALF:
        text = f"{text[:_HALF]}\n{text[-_HALF:]}"
    if _TRACEBACK not in text:
        return text
    frames = list(_FRAMES.finditer(text))
    return (text[frames[-1].end() :] if frames else "") or text
