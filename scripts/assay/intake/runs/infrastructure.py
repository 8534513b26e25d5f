"""Whether the text of an error that ended a run says that a service failed, not the agent.

Some formats keep one error of a run without saying whose it is. The shapes here are those that
clients of model services write: a status that stands where their messages have it, the name of
an exception of theirs, or the words of the network. What an agent did to itself is none: its
limit of steps, a context that grew too long, a tool that failed, an answer that cannot be read.
"""

from __future__ import annotations

import re

_LOOKED_AT = 2000
"""Characters of a text that are looked at; the last line of a traceback stands at its end."""

_AGENTS_OWN = re.compile(
    r"context.{0,20}(?:length|window)|maximum context|too many tokens in (?:the )?prompt"
    r"|prompt is too long|string too long|max(?:imum)?[ _-]?(?:steps|turns|iterations)"
    r"|recursion[ _-]?limit|step limit|invalid_request|content[ _-](?:policy|filter)",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"\s*(?:error (?:executing|calling|invoking) tool|tool\b|unknown tool|mcp error)", re.IGNORECASE
)

_NAMED = (
    (
        "rate limit",
        r"\b(?:litellm\.|openai\.|anthropic\.)*RateLimitError\b|\brate_limit_(?:error|exceeded)\b"
        r"|\bResourceExhausted\b|\bRESOURCE_EXHAUSTED\b|\bThrottlingException\b",
    ),
    ("quota", r"\binsufficient_quota\b|\bexceeded your current quota\b|\bQuotaExceeded\b"),
    ("overloaded", r"\boverloaded_error\b|\bOverloadedError\b|\bmodel_overloaded\b"),
    ("timeout of the service", r"\bAPITimeoutError\b|\bReadTimeout\b|\bConnectTimeout\b"
     r"|\bDEADLINE_EXCEEDED\b|\bDeadlineExceeded\b|\bGatewayTimeout\b"),
    ("connection", r"\bAPIConnectionError\b|\bECONNRE(?:FUSED|SET)\b|\bConnection(?:Refused|Reset)"
     r"Error\b|\b[Cc]onnection (?:refused|reset by peer)\b|\bRemoteProtocolError\b"
     r"|\bRemoteDisconnected\b|\bServerDisconnectedError\b|\bname resolution\b"),
    ("failure of the service", r"\bInternalServerError\b|\bServiceUnavailable(?:Error)?\b"
     r"|\bBadGatewayError\b|\bserver_error\b|\bapi_error\b|\bUNAVAILABLE\b"
     r"|\bserver had an error (?:while )?processing\b"),
)  # fmt: skip
_SHAPES = tuple((word, re.compile(pattern)) for word, pattern in _NAMED)

_STATUS = re.compile(
    r"(?:\berror code:? ?|\bstatus(?:[ _]code)?[:= ]{1,3}|\bHTTP(?:/[\d.]{1,3})? "
    r"|\bAPIStatusError: |\A(?:api )?error:? ?|\A)(429|5(?:0[0234]|2[0-9]))\b(?!\.\d|,\d)",
    re.IGNORECASE,
)
_STATUS_WORDS = {"429": "rate limit", "529": "overloaded", "504": "timeout of the service"}
_STATUS_ALONE = re.compile(
    r"\A(429|5(?:0[0234]|2[0-9]))\b:?\s*(?:\Z|too many|internal|bad gateway|service|gateway"
    r"|overloaded|\{|resource)",
    re.IGNORECASE,
)


def infrastructure(text: str) -> str | None:
    """What failed outside the agent, in a word; None where the text does not say that.

    Args:
        text: the error that ended a run, a traceback too.
    """
    if len(text) > _LOOKED_AT:
        text = text[: _LOOKED_AT // 2] + "\n" + text[-_LOOKED_AT // 2 :]
    if _TOOLS.match(text) is not None or _AGENTS_OWN.search(text) is not None:
        return None
    for word, pattern in _SHAPES:
        if pattern.search(text) is not None:
            return word
    match = _STATUS.search(text)
    if match is None:
        return None
    if match.start() == match.start(1) and _STATUS_ALONE.match(text) is None:
        return None
    return _STATUS_WORDS.get(match[1], "failure of the service")


def agents_own(text: str) -> bool:
    """Whether the text says that the agent came to a limit of its own: steps, turns, context."""
    return _AGENTS_OWN.search(text[:_LOOKED_AT]) is not None
