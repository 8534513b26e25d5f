"""An error of a service is told from one of the agent by its exact shape."""

from __future__ import annotations

import pytest

from assay.intake.runs.infrastructure import infrastructure

SERVICE = {
    "Error code: 429 - {'error': {'message': 'slow down'}}": "rate limit",
    "litellm.RateLimitError: RateLimitError: too fast": "rate limit",
    "429 RESOURCE_EXHAUSTED. {'error': {'code': 429}}": "rate limit",
    "429 Too Many Requests": "rate limit",
    "You exceeded your current quota, please check": "quota",
    "Error code: 529 - {'type': 'error'}": "overloaded",
    "{'type': 'overloaded_error', 'message': 'Overloaded'}": "overloaded",
    "openai.APITimeoutError: Request timed out.": "timeout of the service",
    "httpx.ReadTimeout": "timeout of the service",
    "[Errno 111] Connection refused": None,
    "ConnectionRefusedError: [Errno 111] Connection refused": "connection",
    "connect ECONNREFUSED 127.0.0.1:8000": "connection",
    "Traceback (most recent call last):\n  …\nopenai.APIConnectionError: Connection error.":
        "connection",
    "503 Service Unavailable": "failure of the service",
    "HTTP 502": "failure of the service",
    "openai.InternalServerError: Error code: 500": "failure of the service",
    "HTTP/1.1 504 Gateway Timeout": "timeout of the service",
}  # fmt: skip
SERVICE["[Errno 111] Connection refused"] = "connection"

NOT_A_SERVICE = [
    "",
    "max_steps reached",
    "GraphRecursionError: Recursion limit of 25 reached",
    "Error code: 400 - maximum context length is 8192 tokens",
    "BadRequestError: context_length_exceeded (status 429)",
    "Error executing tool refund: 503 Service Unavailable",
    "Tool lookup failed: connection refused",
    "MCP error -32602: bad",
    "KeyError: '429'",
    "500 orders were refunded",
    "Order 503 not found",
    "Timeout: the customer did not answer",
    "The amount is $429.00",
    "I cannot connect you to a person",
]


@pytest.mark.parametrize(("text", "word"), SERVICE.items())
def test_a_service_failed(text: str, word: str) -> None:
    assert infrastructure(text) == word


@pytest.mark.parametrize("text", NOT_A_SERVICE)
def test_the_agent_or_a_tool_failed(text: str) -> None:
    assert infrastructure(text) is None


def test_long_texts_take_no_time() -> None:
    assert infrastructure("context " * 1_000_000) is None
    assert infrastructure("x\n" * 1_000_000 + "openai.RateLimitError: slow down") == "rate limit"
