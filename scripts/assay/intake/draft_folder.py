"""Drafts as a folder that is a small benchmark repository of its own.

``assay -C FOLDER score --status draft --runs …`` works on it at once. Nothing of it counts: every
record is a draft.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import RefusedError, UsageError
from assay.files.model_text import model_text, plain_object, quoted
from assay.files.writing import locked, write_text
from assay.intake.cases.store import NO_LICENCE
from assay.intake.cases.suites import canary, new_suite
from assay.intake.cases.text import eval_set_text
from assay.intake.drafts import DraftImport, draft
from assay.intake.drafts.cleaning import clean_draft
from assay.intake.ids import file_name
from assay.ledger import layout
from assay.ledger.suite_text import yaml_scalar
from assay.models.base import JsonValue
from assay.models.catalog import ToolCatalog
from assay.models.finding import FindingReport
from assay.redaction import Spared

_SUITE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DAY = "2000-01-01"
"""The day that a folder of drafts is judged at: drafts do not depend on it."""


@dataclass(frozen=True)
class DraftFolder:
    """What was written."""

    records: int
    """Drafted records."""
    cases: int
    """Cases."""
    written: tuple[str, ...]
    """Files, in order."""
    report: FindingReport
    """What a person must look at."""

    @property
    def broken(self) -> bool:
        """Whether something in the file is wrong; what could be read was drafted."""
        return any(item.severity == "error" for item in self.report.findings)

    def as_json(self) -> dict[str, JsonValue]:
        """The documented shape."""
        return {
            "schema_version": 1,
            "records": self.records,
            "cases": self.cases,
            "written": list(self.written),
            "findings": [plain_object(item) for item in self.report.findings],
        }


def write_drafts(
    source: str,
    file: Path,
    out: Path,
    *,
    suite: str = "drafts",
    owner: str = "owner",
    writes: Sequence[str] = (),
    keep_addresses: bool = False,
) -> DraftFolder:
    """Draft from a file and write records, cases, tools and parameters into a folder.

    Args:
        source: ``tau-bench`` or ``adk``.
        file: what to draft from.
        out: the folder; files that stand there with other content are never touched.
        suite: name of the suite.
        owner: handle of who answers for it.
        writes: tools that write.
        keep_addresses: keep e-mail addresses; secrets are replaced all the same.

    Raises:
        InputError: the file cannot be read, or the folder cannot be written.
        RefusedError: a file exists with other content, or another command is writing.
        UsageError: suite, owner or source is no such name.
    """
    if not _SUITE.fullmatch(suite):
        raise UsageError(f"`{suite}` cannot name a suite.", hint="letters, digits, '_' and '-'")
    if not _HANDLE.fullmatch(owner):
        raise UsageError(f"`{owner}` cannot be a handle.", hint="letters, digits, '.', '_', '-'")
    made = clean_draft(
        draft(source, file, suite=suite, writes=writes),
        Spared(addresses=keep_addresses),
        file.as_posix(),
    )
    texts = {out / path: text for path, text in _texts(made, file, suite, owner).items()}
    with locked(out):
        for path, text in texts.items():
            if path.exists() and path.read_bytes() != text.encode("utf-8", "surrogatepass"):
                raise RefusedError(
                    "The file exists with other content; nothing was written.",
                    path=path.as_posix(),
                    hint="choose a new folder with --out",
                )
        for path in sorted(texts):
            write_text(path, texts[path])
    return DraftFolder(
        records=len(made.records),
        cases=len(made.attributes),
        written=tuple(path.as_posix() for path in sorted(texts)),
        report=FindingReport(
            findings=made.findings,
            checked={"records": len(made.records), "cases": len(made.attributes)},
        ),
    )


def _texts(made: DraftImport, file: Path, suite: str, owner: str) -> dict[str, str]:
    sets = [item for item in made.eval_sets if item.eval_cases]
    guid = canary(suite, [eval_set_text(item) for item in sets])
    texts = {
        layout.PARAMS: f'today: "{_DAY}"\nsuites: [{suite}]\n',
        layout.TOOLS: tools_text(made.tools),
        layout.POLICIES: "schema_version: 1\nfamilies: {}\n",
        layout.PEOPLE: "schema_version: 1\npeople:\n"
        f'  {quoted(owner)}:\n    roles: [{{role: owner, from: "{_DAY}"}}]\n',
        f"{layout.CASES}/{suite}/{layout.SUITE_FILE}": new_suite(
            suite, owner, NO_LICENCE, f"Drafts from {file.name}", guid, made.attributes
        ),
    }
    for index, item in enumerate(sets):
        name = file_name(file.name) if len(sets) == 1 else f"{file_name(file.name)[:80]}-{index}"
        words = f"{item.description}\n\n" if item.description else ""
        marked = item.model_copy(update={"description": f"{words}canary {guid}"})
        texts[f"{layout.CASES}/{suite}/{name}{layout.EVAL_SET_SUFFIX}"] = eval_set_text(marked)
    for record in made.records:
        texts[layout.record_path(suite, record.case_id, record.revision)] = model_text(record)
    return texts


def tools_text(catalogue: ToolCatalog) -> str:
    """Text of a ``tools.yaml``."""
    lines = ["schema_version: 1", "tools:" if catalogue.tools else "tools: []"]
    for tool in catalogue.tools:
        values = plain_object(tool, keep=frozenset({"effect"}))
        lines += [
            f"  {'- ' if index == 0 else '  '}{name}: {yaml_scalar(value)}"
            for index, (name, value) in enumerate(values.items())
        ]
    if catalogue.server_prefixes:
        lines.append(f"server_prefixes: {yaml_scalar(list(catalogue.server_prefixes))}")
    return "\n".join(lines) + "\n"
