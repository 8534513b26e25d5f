"""Whose failure an error is that ended a run: the harness's, or the agent's own.

Formats know where an error stands; these rules know what its words mean. Every rule is a name that
a library gives to its exceptions, or a phrase of a service; what fits none is left to the format.
``docs/formats/failures.md`` shows them as a table.
"""

from __future__ import annotations

import re

_HARNESS: tuple[tuple[str, str], ...] = (
    (
        "rate limit",
        r"RateLimitError|Too Many Requests|rate[- _]limit (?:exceeded|reached)|rate_limit_error"
        r"|rate[- ]limited|RESOURCE_EXHAUSTED|ResourceExhausted|ThrottlingException"
        r"|insufficient_quota|exceeded your current quota|overloaded_error|\bOverloaded\b"
        r"|\b(?:error code|status code|HTTP(?:/\d(?:\.\d)?)?|status)[: =]{1,3}(?:429|529)\b",
    ),
    (
        "time limit of a service",
        r"APITimeoutError|ReadTimeout|ConnectTimeout|PoolTimeout|DeadlineExceeded"
        r"|DEADLINE_EXCEEDED|asyncio\.(?:exceptions\.)?TimeoutError|Request timed out"
        r"|Gateway Time-?out|\b(?:error code|status code|HTTP|status)[: =]{1,3}(?:408|504)\b",
    ),
    (
        "connection",
        r"APIConnectionError|ConnectionError|ConnectionResetError|ConnectionRefusedError"
        r"|RemoteProtocolError|\bConnection (?:error|reset|refused|aborted|closed)\b"
        r"|Server disconnected|Name or service not known|name resolution|SSLError|SSL: "
        r"|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bENOTFOUND\b|socket hang up|fetch failed",
    ),
    (
        "failure of a service",
        r"InternalServerError|ServiceUnavailable|Service Unavailable|Bad Gateway"
        r"|Internal Server Error|\b(?:error code|status code|HTTP|status)[: =]{1,3}50[0-3]\b"
        r"|\b50[0-3] UNAVAILABLE\b|api_error",
    ),
    (
        "access to a service",
        r"AuthenticationError|authentication_error|invalid_api_key|Incorrect API key"
        r"|PermissionDeniedError|\b(?:error code|status code|HTTP|status)[: =]{1,3}40[13]\b",
    ),
    (
        "the machine",
        r"CUDA out of memory|OutOfMemoryError|No space left on device|\bMemoryError\b|OOMKilled",
    ),
)
_RULES = tuple((name, re.compile(words, re.IGNORECASE)) for name, words in _HARNESS)

_LIMIT = re.compile(
    r"MaxTurnsExceeded|GraphRecursionError|UsageLimitExceeded|recursion limit of \d+ reached"
    r"|max(?:imum)?[-_ ](?:number of )?(?:steps|turns|iterations|rounds|actions)\b"
    r"|(?:step|turn|iteration|message) limit\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"ModelBehaviorError|UnexpectedModelBehavior|ContextWindowExceeded|context_length_exceeded"
    r"|maximum context length|context window|prompt is too long|content[-_ ]filter",
    re.IGNORECASE,
)
"""Who filled the context, the agent or the simulated user, only the format may know."""

_LONGEST = 4000
"""Characters of an error that are looked at; a stack trace follows them."""


def infrastructure(text: str) -> str | None:
    """What of the harness failed, in words; None where an error does not tell, or is the agent's.

    A limit that the agent ran into, and a context that is full, come before everything else.
    """
    head = text[:_LONGEST]
    if agents_end(head) or _OPEN.search(head):
        return None
    return next((name for name, rule in _RULES if rule.search(head)), None)


def agents_end(text: str) -> bool:
    """Whether an error says that the agent ran into a limit of steps: that is how it ended."""
    return _LIMIT.search(text[:_LONGEST]) is not None
