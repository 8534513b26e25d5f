"""Logs of Inspect: samples and epochs of one evaluation, ``.eval`` or JSON.

Rules of this format:

- An epoch is a trial; a sample's error, and a log that ended before a sample was done, are failures
  of the harness. A limit that a sample ran into is the agent's end.
- A score is kept where there is exactly one: ``C`` is 1 and passed, ``I`` is 0 and failed.
- Tokens and cost are those of the evaluated model; graders have models of their own.
- The store is what solvers remembered, not the world: the final state is unknown.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from assay.intake.document import Document
from assay.intake.node import Node, shorten
from assay.intake.runs.formats.messages import inspect_api
from assay.intake.runs.formats.messages.chat import Chat, optional_text
from assay.intake.runs.formats.messages.inspect_acts import read_events, read_messages
from assay.intake.runs.formats.messages.inspect_scores import read_scores
from assay.intake.runs.imported import Piece, RawRun
from assay.models.run import RunField

NAME = "inspect-log"
TITLE = "Inspect logs (.eval, or JSON with `eval` and `samples`), through Inspect"
STREAMS = False

_UNFINISHED = ("error", "cancelled", "started")


def fits(document: Document) -> bool:
    """Whether the file holds a log."""
    value = document.first.value
    return (
        document.layout == "json"
        and isinstance(value, dict)
        and isinstance(value.get("eval"), dict)
        and "status" in value
        and ("samples" in value or "plan" in value)
    )


def opens(path: Path) -> bool:
    """Whether the file is a log as Inspect writes it, an archive or JSON of its own kind."""
    return inspect_api.is_log(path)


load = inspect_api.load


def read(document: Document) -> list[Piece]:
    """One run for every sample and epoch; also for those that the log never came to.

    Raises:
        InputError: the log holds no samples.
    """
    log = document.first
    listed = log.get("samples")
    samples = listed.items() if listed is not None else []
    missing = _missing(log, samples)
    if not samples and not missing:
        raise log.error(
            f"The log holds no samples; its status is `{optional_text(log, 'status') or '?'}`.",
            "evaluate again without --no-log-samples",
        )
    found: list[Piece] = [(sample, partial(_sample, log)) for sample in samples]
    return found + [(node, partial(_never_run, log)) for node in missing]


def _missing(log: Node, samples: list[Node]) -> list[Node]:
    """Samples that an evaluation which ended early never came to: number of the epoch and id."""
    if optional_text(log, "status") not in _UNFINISHED:
        return []
    spec = log.need("eval")
    dataset, config = spec.get("dataset"), spec.get("config")
    ids = dataset.get("sample_ids") if dataset is not None else None
    epochs = config.get("epochs") if config is not None else None
    done = {(_id(sample), sample.need("epoch").whole()) for sample in samples}
    return [
        Node({"id": node.value, "epoch": epoch}, node.source, node.pointer)
        for epoch in range(1, (min(epochs.whole(), 1000) if epochs is not None else 1) + 1)
        for node in (ids.items() if ids is not None else [])
        if (str(node.value), epoch) not in done
    ]


def _id(sample: Node) -> str:
    named = sample.need("id")
    return str(named.whole()) if isinstance(named.value, int) else named.text(empty=False)


def _run(log: Node, sample: Node) -> RawRun:
    raw = RawRun(sample, case_id=_id(sample), unknown=set(CANNOT))
    raw.trial = max(sample.need("epoch").whole() - 1, 0)
    spec = log.need("eval")
    raw.agent = optional_text(spec, "solver") or None
    raw.model = optional_text(spec, "model") or None
    return raw


def _never_run(log: Node, sample: Node) -> RawRun:
    raw = _run(log, sample)
    raw.infrastructure_errors.append(f"The sample was not run: {_ended(log)}")
    return raw


def _ended(log: Node) -> str:
    error = log.get("error")
    said = optional_text(error, "message") if error is not None else None
    words = f"the log's status is {optional_text(log, 'status') or '?'}"
    return shorten(f"{words}: {said}" if said else words, 500)


def _sample(log: Node, sample: Node) -> RawRun:
    raw = _run(log, sample)
    raw.trace_id = optional_text(sample, "uuid") or None
    raw.started_at = optional_text(sample, "started_at") or None
    chat = Chat(sample.source)
    messages = sample.get("messages")
    nodes = messages.items() if messages is not None else []
    read_messages(nodes, chat)
    asked = sample.get("input")
    if not nodes and asked is not None and isinstance(asked.value, str):
        chat.user(asked.value)
    _completion(sample, chat)
    raw.turns = chat.turns
    events = sample.get("tool_events")
    read_events(events.items() if events is not None else [], raw.turns)
    _usage(sample, raw)
    read_scores(sample.get("scores"), raw)
    _end(sample, raw)
    return raw


def _completion(sample: Node, chat: Chat) -> None:
    """The answer that a solver put into the output after a last message without text."""
    last = chat.turns[-1] if chat.turns else None
    output = sample.get("output")
    choices = output.get("choices") if output is not None else None
    first = choices.items()[:1] if choices is not None else []
    message = first[0].get("message") if first else None
    content = message.get("content") if message is not None else None
    if last is None or last.answer is not None or content is None or _calls(message):
        return
    if isinstance(content.value, str) and content.value:
        last.answer = content.value


def _calls(message: Node | None) -> bool:
    listed = message.get("tool_calls") if message is not None else None
    return listed is not None and bool(listed.items())


def _usage(sample: Node, raw: RawRun) -> None:
    usage = sample.get("model_usage")
    own = usage.object().get(raw.model or "") if usage is not None else None
    if usage is None or not isinstance(own, dict):
        return
    node = usage.child(raw.model or "")
    names = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    given = [found.whole() for name in names if (found := node.get(name)) is not None]
    raw.tokens_in = sum(given) if given else None
    out, cost = node.get("output_tokens"), node.get("total_cost")
    raw.tokens_out = out.whole() if out is not None else None
    raw.cost = cost.number() if cost is not None else None


def _end(sample: Node, raw: RawRun) -> None:
    """How the sample ended, and whose doing that was."""
    error = sample.get("error")
    if error is not None:
        said = optional_text(error, "message") or "The sample failed and gives no reason."
        raw.infrastructure_errors.append(shorten(said, 500))
    void = sample.get("invalidation")
    if void is not None:
        reason = optional_text(void, "reason")
        words = f"The sample was declared invalid: {reason or 'no reason is given'}"
        raw.infrastructure_errors.append(shorten(words, 500))
    limit = sample.get("limit")
    if limit is not None:
        kind = optional_text(limit, "type") or "?"
        sample.source.note(
            "IRU008",
            f"Sample {shorten(raw.case_id or '', 60)}, epoch {(raw.trial or 0) + 1}: the limit"
            f" `{shorten(kind, 30)}` ended the conversation.",
            node=sample,
            case_id=raw.case_id,
        )
    retries = sample.get("error_retries")
    sample.source.drop("attempt before a retry", len(retries.items()) if retries else 0)


CANNOT: frozenset[RunField] = frozenset({"planning_steps", "final_state"})
"""What a log has no place for."""
