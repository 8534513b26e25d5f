"""Codes of what importers notice. A code keeps its meaning for ever."""

from __future__ import annotations

from assay.errors import InputError, RefusedError
from assay.models.finding import Finding, Severity

CODES: dict[str, tuple[Severity, str]] = {
    # Cases.
    "ICA001": ("error", "The file cannot be read as eval cases."),
    "ICA002": ("error", "One case cannot be read; the others are."),
    "ICA003": ("warning", "The id cannot name a file; a safe one was derived."),
    "ICA004": ("warning", "The id repeats; another one was derived."),
    "ICA005": ("note", "There is no id; one was derived."),
    "ICA006": ("note", "An exact repetition of a case was left out."),
    "ICA010": ("note", "Keys in camelCase were written in snake_case."),
    "ICA011": ("note", "The legacy list of queries became an eval set."),
    "ICA012": ("note", "Turns in the legacy spelling were converted."),
    "ICA013": (
        "note",
        "Turns in the spelling `user` and `reference_final_response` were converted.",
    ),
    "ICA014": ("note", "Messages that carry `content` were converted to parts."),
    "ICA015": ("note", "The agent-platform data set became an eval set."),
    "ICA016": ("note", "The cases were rebuilt from a result file."),
    "ICA017": ("note", "A recorded conversation is a run and no part of the case."),
    "ICA018": ("note", "Fields that hold null were left out."),
    "ICA019": ("note", "Lists that hold calls together with their results were told apart."),
    "ICA020": ("warning", "The example answer or argument is a placeholder."),
    "ICA021": ("warning", "The example answer is null."),
    "ICA022": ("warning", "The example answer is empty."),
    "ICA023": ("error", "The case asks nothing."),
    "ICA024": ("error", "The case has a conversation and a scenario."),
    "ICA025": ("warning", "The eval set has no cases."),
    "ICA026": ("warning", "The session lacks its application or user."),
    "ICA027": ("warning", "There is no id of the eval set; one was derived."),
    "ICA030": ("note", "A field that eval sets do not have is kept in `suite.yaml`."),
    "ICA031": ("warning", "A field that nothing here can carry was left out."),
    "ICA032": ("warning", "A value has another type than it should and was converted."),
    "ICA040": ("error", "A file with other content exists already."),
    "ICA041": ("warning", "The suite has no owner or no licence yet."),
    "ICA042": ("warning", "Secrets were replaced by placeholders."),
    "ICA043": ("note", "E-mail addresses were replaced by placeholders."),
    # Runs.
    "IRU001": ("error", "The file cannot be read as observed runs."),
    "IRU002": ("error", "One run cannot be read; the others are."),
    "IRU003": ("warning", "Arguments of a call cannot be read."),
    "IRU004": ("warning", "A tool result belongs to no call."),
    "IRU005": ("note", "The format names no case; the file's name was taken."),
    "IRU006": ("error", "The same case and trial stands there twice."),
    "IRU007": ("note", "Several models took part; the first one is named."),
    "IRU008": ("note", "The run ended before the conversation was over."),
    "IRU009": ("warning", "The session was rewound; what was undone is kept."),
    "IRU010": ("warning", "The case is not known here."),
    "IRU011": ("note", "The verdict is missing."),
    "IRU012": ("error", "A file with other content exists already."),
    "IRU013": ("note", "Nothing but a verdict came with the data."),
    "IRU014": ("warning", "A recorded conversation stands where the expected one belongs."),
    "IRU015": ("note", "The model was cut off."),
    "IRU016": ("warning", "A part of the conversation is not in the file."),
    "IRU017": ("note", "A file of a folder holds no runs and was left out."),
    "IRU020": ("warning", "A span or message cannot be read; the others are."),
    "IRU021": ("warning", "Parents of spans are not in the file."),
    "IRU022": ("note", "Earlier turns of the conversation are not in the file."),
    "IRU023": ("warning", "Spans have no times; their order is unknown."),
    "IRU024": ("note", "A guardrail was triggered."),
    "IRU025": ("warning", "Something was cut by whoever recorded a run or passed it on."),
    "IRU026": ("warning", "The record has no result for a call."),
    "IRU030": ("warning", "A failure was recorded as a success."),
    "IRU031": ("warning", "Secrets were replaced by placeholders."),
    "IRU032": ("warning", "The policy that the agent was given is not known here."),
    "IRU033": ("note", "E-mail addresses were replaced by placeholders."),
    "IRU034": ("note", "A limit of the agent was recorded as a failure of the harness."),
    # Drafts of truth.
    "IDR001": ("warning", "Whether a tool writes had to be guessed."),
    "IDR002": ("warning", "A run that does nothing passes this draft."),
    "IDR003": ("note", "A gold call is not required by the draft."),
    "IDR004": ("warning", "A value cannot be written as a literal and was left out."),
    "IDR005": ("warning", "There is nothing to draft from."),
    "IDR006": ("note", "An example answer is not used."),
    "IDR007": ("note", "An expected absence of calls is not in the draft."),
    "IDR008": ("warning", "Trials of one task disagree about the task."),
    "IDR009": ("note", "A long example answer became a criterion."),
}
"""Code to severity and what it means."""


def finding(
    code: str,
    message: str,
    *,
    hint: str = "",
    path: str = "",
    line: int | None = None,
    column: int | None = None,
    pointer: str = "",
    case_id: str | None = None,
    count: int = 1,
) -> Finding:
    """A finding with the severity that its code has."""
    return Finding(
        code=code,
        severity=CODES[code][0],
        message=message,
        hint=hint,
        path=path,
        line=line,
        column=column,
        pointer=pointer,
        case_id=case_id,
        count=count,
    )


def finding_of(error: InputError | RefusedError, code: str) -> Finding:
    """The finding that says what an error says."""
    return finding(
        code,
        error.message,
        hint=error.hint,
        path=error.path,
        line=error.line,
        column=error.column,
        pointer=error.pointer,
    )


def sorted_findings(findings: list[Finding]) -> tuple[Finding, ...]:
    """Findings in the one order in which they are shown: path, line, pointer, code, message."""
    return tuple(
        sorted(findings, key=lambda f: (f.path, f.line or 0, f.pointer, f.code, f.message))
    )
