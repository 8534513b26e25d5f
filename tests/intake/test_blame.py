"""Whose failure ended a run: a service's, by the exact words of its clients, or the agent's own."""

from __future__ import annotations

import pytest

from assay.intake.runs.blame import agents_end, infrastructure, open_to_both

HARNESS = {
    "Error code: 429 - {'error': {'message': 'slow down'}}": "rate limit",
    "Error code: 429 - {'error': {'message': 'Rate limit reached for m-1'}}": "rate limit",
    "litellm.RateLimitError: OpenAIException - slow down": "rate limit",
    "google.api_core.exceptions.ResourceExhausted: 429": "rate limit",
    "429 RESOURCE_EXHAUSTED. {'error': {'code': 429}}": "rate limit",
    "429 Too Many Requests": "rate limit",
    "You exceeded your current quota, please check": "quota",
    "Error code: 529 - {'type': 'error'}": "overloaded",
    "{'type': 'overloaded_error', 'message': 'Overloaded'}": "overloaded",
    "openai.APITimeoutError: Request timed out.": "timeout of the service",
    "httpx.ReadTimeout": "timeout of the service",
    "HTTP/1.1 504 Gateway Timeout": "timeout of the service",
    "Error code: 408": "timeout of the service",
    "[Errno 111] Connection refused": "connection",
    "ConnectionRefusedError: [Errno 111] Connection refused": "connection",
    "connect ECONNREFUSED 127.0.0.1:8000": "connection",
    "read ECONNRESET": "connection",
    "openai.APIConnectionError: Connection error.": "connection",
    "Traceback (most recent call last):\n  …\nopenai.APIConnectionError: Connection error.":
        "connection",
    "503 Service Unavailable": "failure of the service",
    "503 UNAVAILABLE. {'error': {'code': 503}}": "failure of the service",
    "HTTP 502": "failure of the service",
    "Error code: 503 - upstream": "failure of the service",
    "openai.InternalServerError: Error code: 500": "failure of the service",
    "AuthenticationError: Incorrect API key provided": "access to the service",
    "Error code: 401 - {'error': {'type': 'invalid_request_error', 'code': 'invalid_api_key'}}":
        "access to the service",
    "status: 403": "access to the service",
    "torch.OutOfMemoryError: CUDA out of memory": "the machine",
}  # fmt: skip
AGENT = [
    "MaxTurnsExceeded: Max turns (30) exceeded",
    "GraphRecursionError: Recursion limit of 25 reached without hitting a stop condition",
    "max steps reached",
    "max_steps reached",
    "The run reached the maximum number of iterations.",
]
OPEN = [
    "Error code: 400 - {'code': 'context_length_exceeded'}",
    "Error code: 400 - maximum context length is 8192 tokens",
    "This model's maximum context length is 8192 tokens (Error code: 429)",
    "BadRequestError: context_length_exceeded (status 429)",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "ModelBehaviorError: Tool pay not found in agent Clerk",
]
NEITHER = [
    "",
    "KeyError: 'total'",
    "KeyError: '429'",
    "Error executing tool refund: 503 Service Unavailable",
    "Tool lookup failed: connection refused",
    "MCP error -32602: bad",
    "order 429 not found",
    "Order 503 not found",
    "500 units",
    "500 orders were refunded",
    "no route in 503 cases",
    "Timeout: the customer did not answer",
    "The amount is $429.00",
    "status: 500.50 EUR",
    "The room is UNAVAILABLE",
    "I cannot connect you to a person",
]


@pytest.mark.parametrize(("text", "words"), HARNESS.items())
def test_the_harness_failed(text: str, words: str) -> None:
    assert infrastructure(text) == words
    assert not agents_end(text)
    assert not open_to_both(text)


@pytest.mark.parametrize("text", AGENT)
def test_the_agent_ended(text: str) -> None:
    assert infrastructure(text) is None
    assert agents_end(text)


@pytest.mark.parametrize("text", OPEN)
def test_an_error_of_the_agent_or_of_the_user(text: str) -> None:
    assert infrastructure(text) is None
    assert not agents_end(text)
    assert open_to_both(text)


@pytest.mark.parametrize("text", NEITHER)
def test_an_error_that_does_not_tell(text: str) -> None:
    assert infrastructure(text) is None
    assert not agents_end(text)
    assert not open_to_both(text)


TRACEBACK = """\
Traceback (most recent call last):
  File "/app/run.py", line 4, in <module>
    run(agent, max_turns=30, context_window=8)
    ~~~^^^^^^^
  File "/app/client.py", line 9, in run
    raise error
{error}
"""


@pytest.mark.parametrize("error", ["openai.RateLimitError: slow down", "Error code: 429"])
def test_the_code_above_an_exception_says_nothing(error: str) -> None:
    said = TRACEBACK.format(error=error)
    assert infrastructure(said) == "rate limit"
    assert not agents_end(said)
    assert agents_end(TRACEBACK.format(error="MaxTurnsExceeded: Max turns (30) exceeded"))
    assert (
        infrastructure(f"{said}\nDuring handling …\n\n{TRACEBACK.format(error='KeyError')}") is None
    )


def test_long_texts_take_no_time() -> None:
    assert infrastructure("context " * 1_000_000) is None
    assert infrastructure("x\n" * 1_000_000 + "openai.RateLimitError: slow down") == "rate limit"
    frames = '  File "a", line 1\n' * 100_000
    assert infrastructure("Traceback (most recent call last):\n" + frames) is None
