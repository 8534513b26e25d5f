"""What holds for large imports: lines, trials, case ids, files that change, commands that die."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.files.model_text import compact_text, data_text, plain, shallow
from assay.files.writing import sweep
from assay.intake.node import Node, Source
from assay.intake.opening.stream import Stream
from assay.intake.opening.values import Values
from assay.intake.runs import CaseIds, KnownCases, RunOptions
from assay.intake.runs.case_ids import parse_case_ids, value_at
from assay.intake.runs.read import read_file
from assay.intake.runs.registry import FORMATS
from assay.intake.runs.store import RunTarget, import_runs
from assay.intake.runs.trials import Trials
from assay.intake.source import CAUSES, PLACES, RULES
from assay.models.run import ObservedRun, ObservedTurn, ToolCall
from tests.intake.support import ROOT, RUN_SHAPES, chat_messages, put

_TEXT = st.text(st.characters(exclude_categories=("Cs",))) | st.sampled_from(
    ["\x7f", "\x7f1\x7f", '"\x7f', "\u2028", "\x85\ufeff\u2029", "\x00\x1b"]
)
_DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | _TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(_TEXT, inner),
    max_leaves=12,
)


@given(_DATA)
def test_the_fast_text_is_the_slow_text(value: Any) -> None:
    assert data_text(value) == compact_text(value)


@given(_DATA, st.dictionaries(_TEXT, _DATA, max_size=3))
def test_the_fast_line_is_the_slow_line(state: Any, args: dict[str, Any]) -> None:
    call = ToolCall(name="t", args=args, result=state, outcome="ok")
    turn = ObservedTurn(user="", tool_calls=(call, ToolCall(name="u")))
    run = ObservedRun(run="r", case_id="a", turns=(turn, ObservedTurn()), final_state=state)
    assert data_text(shallow(run)) == compact_text(plain(run))


def test_only_json_has_a_text() -> None:
    with pytest.raises(TypeError, match="not a JSON value"):
        data_text({"a": object()})  # type: ignore[dict-item]


@given(st.lists(st.none() | st.integers(0, 12), max_size=40))
def test_trials_are_handed_out_as_if_one_looked_for_the_first_free_one(
    asked: list[int | None],
) -> None:
    trials, taken = Trials(), set[int]()
    for trial in asked:
        free = next(number for number in range(len(taken) + 1) if number not in taken)
        wanted = free if trial is None else None if trial in taken else trial
        assert trials.take("a", trial) == wanted
        taken |= {wanted} if wanted is not None else set()


def test_many_trials_of_one_case_take_no_time() -> None:
    trials = Trials()
    assert [trials.take("a", None) for _ in range(200_000)][-1] == 199_999
    assert trials.take("a", 10**15) == 10**15


@given(st.lists(_DATA, max_size=6), st.integers(1, 9), st.sampled_from(["", " ", "\n", "\r\n"]))
def test_values_in_a_row_are_found_however_the_bytes_come(
    values: list[Any], step: int, between: str
) -> None:
    parts = [compact_text([value]) for value in values]
    for in_list in (False, True):
        text = f"[{','.join(parts)}]" if in_list else between.join(parts)
        data = text.encode()
        blocks = iter([data[at : at + step] for at in range(0, len(data), step)])
        found = Values(lambda blocks=blocks: next(blocks, b""), b"", "x")  # type: ignore[misc]
        texts = list(found.elements() if in_list else found.texts())
        assert [text for _, text in texts] == parts
        if not in_list:
            assert [line for line, _ in texts] == [
                1 + between.count("\n") * n for n in range(len(parts))
            ]


# -- which case -------------------------------------------------------------------------------

_RECORD = {
    "metadata": {"case": "m", "n": [{"id": "n0"}, {"id": 7}]},
    "attributes": {"session.id": "s", "session": {"id": ""}, "a.b": {"c.d": "deep"}},
    "session.id": "top",
}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("metadata.case", "m"),
        ("metadata.n.0.id", "n0"),
        ("metadata.n.1.id", 7),
        ("metadata.n.2.id", None),
        ("metadata.n.x.id", None),
        ("attributes.a.b.c.d", "deep"),
        ("session.id", "top"),
        ("nothing.at.all", None),
    ],
)
def test_a_path_goes_through_indexes_and_keys_with_dots(path: str, wanted: Any) -> None:
    assert value_at(_RECORD, tuple(path.split("."))) == wanted


def test_a_field_is_looked_for_outside_of_the_record_too() -> None:
    rule = parse_case_ids("gen_ai.conversation.id")
    record = Node({"spans": []}, Source("x.json"))
    outside = {"gen_ai.conversation.id": "c-1"}
    assert rule.of(record, None, outside) == ("c-1", False)
    inside = Node({"gen_ai": {"conversation": {"id": 5}}}, Source("x.json"))
    assert rule.of(inside, None, outside) == ("5", False)


def test_mapping_and_unknown_ids_are_bounded(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"case_id": f"x{n}", "passed": True}) + "\n" for n in range(20_000))
    path = put(tmp_path, "v.jsonl", rows)
    cases = "".join(f"  case-{n:05d}: {{slice: s}}\n" for n in range(10_000))
    put(
        tmp_path,
        "cases/post/suite.yaml",
        f"suite: post\nowner: ana\ncanary: c\nlicence: MIT\ncases:\n{cases}",
    )
    target = RunTarget(tmp_path / "runs", "post", tmp_path / "cases")
    begun = time.monotonic()
    outcome = import_runs([path], target, RunOptions())
    assert time.monotonic() - begun < 60, "a guard against a hang"
    found = [item for item in outcome.findings if item.code == "IRU010"]
    assert len(found) == PLACES + 1
    assert sum(item.count for item in found) == 20_000
    assert "more case ids" in found[-1].message


def test_the_nearest_of_many_is_found() -> None:
    known = KnownCases(frozenset(f"case-{n:05d}" for n in range(10_000)) | {"parcel-lost"})
    assert known.nearest("parcel_lost")[0] == "parcel-lost"
    assert len(known.nearest("case-0421")) == 3
    assert known.nearest("x" * 10**6) == []


def test_runs_are_numbered_after_their_case_is_known(tmp_path: Path) -> None:
    """Two names of one case: its trials, not the same trial twice."""
    rows = [{"case_id": name, "messages": chat_messages()} for name in ("17", "parcel-17")]
    path = put(tmp_path, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    runs: list[ObservedRun] = []
    shared = Trials()
    read_file(
        path,
        RunOptions(),
        runs.append,
        trials=lambda run: shared,
        resolve=lambda name: {"17": "parcel-17"}.get(name, name),
    )
    assert [(run.case_id, run.trial) for run in runs] == [("parcel-17", 0), ("parcel-17", 1)]


def test_case_ids_stay_what_they_were() -> None:
    record = Node({"a": 1}, Source("d/parcel-17.json.gz"))
    assert CaseIds().of(record, None) == ("parcel-17", True)


# -- what is noticed --------------------------------------------------------------------------


def test_what_is_noticed_does_not_grow() -> None:
    source = Source("x")
    for number in range(5_000):
        source.note("IRU004", "The same.", node=Node(1, source, "", number + 1))
        source.note("IRU003", f"Number {number}.", node=Node(1, source, "", number + 1))
        source.note("IRU013", "About the file.")
        source.drop(f"rule {number}")
    found = source.findings()
    for code, most in (("IRU004", PLACES), ("IRU003", CAUSES + PLACES), ("IRU013", 1)):
        of_code = [item for item in found if item.code == code]
        assert len(of_code) <= most
        assert sum(item.count for item in of_code) == (1 if code == "IRU013" else 5_000)
    assert len(source.dropped) <= RULES + 1
    assert sum(source.dropped.values()) == 5_000


# -- formats in parts -------------------------------------------------------------------------


@pytest.mark.parametrize("shape", sorted(RUN_SHAPES))
def test_parts_give_what_the_whole_gives(
    tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five records read in parts of two are the same runs as in one part."""
    from assay.intake.runs import parts, read_runs

    value = RUN_SHAPES[shape][1]
    value = json.loads(json.loads(value)) if shape.endswith("twice-encoded") else value
    value = json.loads(value) if isinstance(value, str) else value
    if isinstance(value, list):
        pytest.skip("a list is no line")
    used = next(known for known in FORMATS if shape.startswith(known.name))
    path = put(tmp_path, "x.jsonl", (json.dumps(value) + "\n") * 5)
    whole = read_runs(path, used.name)
    monkeypatch.setattr(parts, "RECORDS", 2)
    assert read_runs(path, used.name) == whole
    doubled = whole.dropped.get("second run of one case and trial", 0)
    assert whole.read + doubled == 5 or not used.streams


def test_a_run_spread_over_lines_is_refused_where_one_is_broken(tmp_path: Path) -> None:
    from assay.intake.runs import registry

    spread = [known for known in registry.FORMATS if not known.streams]
    if not spread:
        pytest.skip("every format streams")
    path = put(tmp_path, "x.jsonl", '{"a": 1}\n{]\n{"a": 2}\n')
    outcome = import_runs([path], RunTarget(tmp_path / "runs"), RunOptions(), spread[0].name)
    (error,) = outcome.findings
    assert (error.code, error.line) == ("IRU001", 2)
    assert outcome.written == []


# -- files and processes ----------------------------------------------------------------------


def chats(path: Path, count: int) -> Path:
    with path.open("w") as stream:
        for number in range(count):
            row = {"case_id": f"c{number:06d}", "messages": chat_messages()}
            stream.write(json.dumps(row) + "\n")
    return path


def test_a_file_that_changes_is_named(tmp_path: Path) -> None:
    path = chats(tmp_path / "x.jsonl", 3)
    runs: list[ObservedRun] = []

    def sink(run: ObservedRun) -> None:
        runs.append(run)
        os.utime(path, ns=(1, len(runs)))

    told = read_file(path, RunOptions(), sink, trials=lambda run: Trials())
    assert [item.code for item in told.findings] == ["IRU001"]
    assert "changed while it was read" in told.findings[0].message


def test_a_stream_counts_what_it_took(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbf" + b"ab\n" * 5)
    taken: list[int] = []
    with Stream(path, "x", taken.append) as stream:
        assert stream.peek(lambda data: b"\n" in data, 100).startswith(b"ab\n")
        assert (stream.given, stream.read(4), stream.given) == (0, b"ab\na", 4)
        assert stream.read_all(100) == b"b\n" + b"ab\n" * 3
    assert sum(taken) == 18


def command(path: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "assay", "runs", "import", str(path), "--out", str(out)]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}


@pytest.mark.parametrize("after", [0.5, 0.9, 1.3])
def test_a_kill_leaves_nothing(tmp_path: Path, after: float) -> None:
    path, out = chats(tmp_path / "x.jsonl", 40_000), tmp_path / "runs"
    out.mkdir()
    process = subprocess.Popen(command(path, out), env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.wait()
    written = [file for file in out.rglob("*.jsonl") if not file.name.startswith(".")]
    for file in written:
        assert len(file.read_bytes().splitlines()) == 40_000
    left = list(tmp_path.rglob("*.tmp"))
    small = chats(tmp_path / "y.jsonl", 1)
    assert subprocess.run(command(small, out), env=ENVIRONMENT, capture_output=True).returncode == 0
    assert list(tmp_path.rglob("*.tmp")) == [], left


def test_what_was_left_behind_is_swept(tmp_path: Path) -> None:
    put(tmp_path, ".r.jsonl.abc.tmp", "x")
    kept = [put(tmp_path, name, "x") for name in (".mine.tmp", "r.jsonl.tmp")]
    sweep(tmp_path, ".jsonl")
    assert sorted(tmp_path.iterdir()) == kept


def test_a_bar_for_a_terminal_alone(tmp_path: Path) -> None:
    path = chats(tmp_path / "x.jsonl", 30_000)
    silent = subprocess.run(command(path, tmp_path / "a"), env=ENVIRONMENT, capture_output=True)
    assert b"reading" not in silent.stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(path, tmp_path / "b"),
        env={**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:
            break
        if not block:
            break
        shown += block
    os.close(ours)
    assert process.wait() == 0
    assert b"reading" in shown
    assert b"MB" in shown
    quick = chats(tmp_path / "q.jsonl", 1)
    done = subprocess.run(command(quick, tmp_path / "c"), env=ENVIRONMENT, capture_output=True)
    assert b"reading" not in done.stderr


def test_numbers_stay_exact_in_large_files(tmp_path: Path) -> None:
    row = RUN_SHAPES["tau-bench"][1][0]
    text = json.dumps({**row, "reward": 0}).replace('"reward": 0,', '"reward": 0.10,', 1)
    outcome = import_runs(
        [put(tmp_path, "x.jsonl", text + "\n")], RunTarget(tmp_path / "runs"), RunOptions()
    )
    assert '"score_given": 0.10}' in Path(outcome.written[0]).read_text("utf-8")
    assert Decimal("0.10") == Decimal("0.1")
