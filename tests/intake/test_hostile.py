"""Hostile and odd files: one message or a finding, in bounded time and memory."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.cli.main import main
from tests.intake.support import ROOT, adk_session, chat_messages

TIMEOUT = 120
"""Seconds: a guard against a hang, not a measure of speed."""

MEMORY = 900
"""MiB that any of these files may take, the interpreter included."""

HEAVY = 50_000
"""Bytes from which on a file is read in a process of its own."""

_CHILD = """
import re, sys
from pathlib import Path
from assay.cli.main import main
try:
    main(sys.argv[2:])
finally:
    # What `getrusage` says of a child includes the parent that it was forked from.
    peak = re.search("VmHWM: *([0-9]+)", Path("/proc/self/status").read_text().replace("\\t", " "))
    Path(sys.argv[1]).write_text(str(int(peak[1]) // 1024))
"""


@dataclass
class Ended:
    """How a command ended."""

    code: int
    value: dict[str, Any]
    err: str
    memory: int

    @property
    def errors(self) -> list[dict[str, Any]]:
        return [item for item in self.value["findings"] if item["severity"] == "error"]


def run(
    folder: Path, *args: str, fmt: str = "json", feed: bytes | None = None, apart: bool = True
) -> Ended:
    """``assay runs import``; in a process of its own where it might hang or swell."""
    given = ["runs", "import", *args, "--out", str(folder / "out"), "--format", fmt]
    code, out, err, used = _apart(folder, given, feed) if apart else _here(given)
    assert "Traceback" not in err, err
    assert "our own fault" not in err, err
    value = {"text": out} if fmt == "text" else json.loads(out)
    return Ended(code, value, err, used)


def _apart(folder: Path, args: list[str], feed: bytes | None) -> tuple[int, str, str, int]:
    memory = folder / "memory"
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(memory), *args],
        capture_output=True,
        timeout=TIMEOUT,
        input=feed,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        cwd=folder,
    )
    used = int(memory.read_text())
    return done.returncode, done.stdout.decode(), done.stderr.decode(), used


def _here(args: list[str]) -> tuple[int, str, str, int]:
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as caught,
    ):
        main(args)
    assert isinstance(caught.value.code, int)
    return caught.value.code, out.getvalue(), err.getvalue(), 0


def chat(case: str = "a", **more: Any) -> dict[str, Any]:
    return {"case_id": case, "messages": chat_messages(), **more}


def lines(count: int) -> bytes:
    return b"".join(json.dumps(chat(f"c{n}")).encode() + b"\n" for n in range(count))


def deep(opening: bytes) -> bytes:
    return opening * 100_000


def with_args(text: str) -> bytes:
    """A chat whose one result is JSON of our own making."""
    value = chat()
    value["messages"][3]["content"] = "@"
    return json.dumps(value).replace('"@"', json.dumps(text)).encode()


_LINE = json.dumps(chat()).encode()
_SESSION = json.dumps(adk_session()).encode()
_PRETTY = json.dumps(chat(), indent=2).encode()

# -- files of which nothing is read: one error, and nothing is written -------------------------

REFUSED: dict[str, tuple[str, bytes, str]] = {
    # name: (file name, content, words of the message)
    "empty": ("x.jsonl", b"", "empty"),
    "empty-json": ("x.json", b"", "empty"),
    "blanks": ("x.jsonl", b" \n\t\r\n \n", "empty"),
    "mark-alone": ("x.json", b"\xef\xbb\xbf", "empty"),
    "cut-json": ("x.json", _PRETTY[:-20], "Not valid JSON"),
    "cut-list": ("x.json", b"[" + _LINE + b"," + _LINE[:50], "Not valid JSON"),
    "cut-only-line": ("x.jsonl", _LINE[:-20], "Not valid JSON"),
    "text": ("x.jsonl", b"This is no JSON.\n" * 5, "Not valid JSON"),
    "much-text": ("x.jsonl", b"This is no JSON.\n" * 300_000, "Not valid JSON"),
    "nul": ("x.jsonl", b"\0" * 100_000, "Not valid JSON"),
    "lists-deep": ("x.json", deep(b"["), "recursion"),
    "lists-deep-line": ("x.jsonl", deep(b"[") + b"\n" + deep(b"["), "recursion"),
    "objects-deep": ("x.json", deep(b'{"a":'), "recursion"),
    "deep-and-closed": ("x.json", deep(b"[") + deep(b"]"), "recursion"),
    "million-keys": (
        "x.json",
        b"{" + b",".join(b'"k%d":%d' % (n, n) for n in range(10**6)) + b"}",
        "No format",
    ),
    "million-elements": ("x.json", b"[" + b",".join([b"1"] * 10**6) + b"]", "No format"),
    "million-empty-objects": ("x.jsonl", b"{}\n" * 10**6, "No format"),
    "long-number": ("x.json", b'{"a": ' + b"7" * 10**6 + b"}", "number out of range"),
    "long-exponent": ("x.json", b'{"a": 1e' + b"9" * 30 + b"}", "exponent"),
    "utf16": ("x.jsonl", _LINE.decode().encode("utf-16"), "UTF-16"),
    "utf16-without-mark": ("x.jsonl", _LINE.decode().encode("utf-16-le"), "UTF-16LE"),
    "utf16-big-without-mark": ("x.json", _LINE.decode().encode("utf-16-be"), "UTF-16BE"),
    "utf32": ("x.json", _LINE.decode().encode("utf-32"), "UTF-32"),
    "latin-1": ("x.json", b'{"case_id": "\xe4"}', "not UTF-8"),
    "zstd": ("x.jsonl.zst", b"\x28\xb5\x2f\xfd" + b"x" * 50, "zstd"),
    "zip": ("x.json", b"PK\x03\x04" + b"x" * 50, "zip"),
    "gzip-of-nothing": ("x.jsonl.gz", gzip.compress(b""), "empty"),
    "gzip-cut-at-once": ("x.jsonl.gz", gzip.compress(_LINE)[:20], "ends in the middle"),
    "gzip-of-cut-json": ("x.json.gz", gzip.compress(_PRETTY)[:-12], "ends in the middle"),
    "gzip-bomb": ("x.jsonl.gz", gzip.compress(b"\0" * (200 << 20), 9), "trap"),
    "xz-bomb": ("x.json.xz", lzma.compress(b" " * (200 << 20), preset=0), "trap"),
    "bomb-of-empty-lines": ("x.jsonl.gz", gzip.compress(b"\n" * (400 << 20), 9), "trap"),
    "hundred-thousand-columns": (
        "x.csv",
        b"case_id,passed" + b",x" * 100_000 + b"\na,1\n",
        "stands there twice",
    ),
    "bzip2-bomb": ("x.json", bz2.compress(b" " * (200 << 20)), "trap"),
    "half-and-half": (
        "x.jsonl",
        (_LINE + b"\n" + _SESSION + b"\n") * 3,
        "several formats",
    ),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_with_one_message(tmp_path: Path, name: str) -> None:
    file, content, words = REFUSED[name]
    path = tmp_path / file
    path.write_bytes(content)
    ended = run(tmp_path, str(path), apart=len(content) > HEAVY or "bomb" in name)
    assert ended.code == 1
    (error,) = ended.value["findings"]
    assert error["code"] == "IRU001"
    assert words in error["message"]
    assert error["path"] == path.as_posix()
    assert error["hint"]
    assert len(json.dumps(error)) < 4000, "a message is read by a person"
    assert ended.value["written"] == []
    assert not (tmp_path / "out").exists()
    assert ended.memory < MEMORY


# -- files that are read: how many runs, and the lines of the errors ---------------------------

_BROKEN = b"".join(_LINE.replace(b'"a"', b'"b%d"' % n) + b"\n{]\n" for n in range(500))

READ: dict[str, tuple[str, bytes, int, list[int]]] = {
    # name: (file name, content, runs, lines of errors)
    "mark": ("x.jsonl", b"\xef\xbb\xbf" + lines(2), 2, []),
    "crlf": ("x.jsonl", lines(2).replace(b"\n", b"\r\n"), 2, []),
    "cr": ("x.jsonl", lines(3).replace(b"\n", b"\r"), 3, []),
    "cr-json": ("x.json", lines(3).replace(b"\n", b"\r"), 3, []),
    "no-last-line-feed": ("x.jsonl", lines(2).rstrip(), 2, []),
    "blank-lines": ("x.jsonl", b"\n\n" + lines(2).replace(b"\n", b"\n \n"), 2, []),
    "lines-named-json": ("x.json", lines(2), 2, []),
    "lines-without-suffix": ("x", lines(2), 2, []),
    "without-line-feed-between": ("x.jsonl", lines(3).replace(b"\n", b""), 3, []),
    "json-without-line-feed-between": ("x.json", lines(3).replace(b"\n", b""), 3, []),
    "pretty": ("x.json", _PRETTY, 1, []),
    "pretty-named-jsonl": ("x.jsonl", _PRETTY, 1, []),
    "pretty-in-a-row": ("x.json", _PRETTY + b"\n" + _PRETTY + b"\n", 2, []),
    "pretty-in-a-row-named-jsonl": ("x.jsonl", _PRETTY + b"\n" + _PRETTY, 2, []),
    "pretty-in-a-row-cut": ("x.json", (_PRETTY + b"\n") * 2 + _PRETTY[:90], 2, [78]),
    "nul-behind": ("x.json", _PRETTY + b"\n\0\0\0\0", 1, [len(_PRETTY.splitlines()) + 1]),
    "cut-last-line": ("x.jsonl", lines(3) + _LINE[:100], 3, [4]),
    "broken-line": ("x.jsonl", lines(2) + b"{]\n" + _LINE, 3, [3]),
    "broken-first-line": ("x.jsonl", b"{]\n" + lines(2), 2, [1]),
    "first-line-cut-in-a-text": ("x.jsonl", _LINE[:40] + b"\n" + lines(2), 2, [1]),
    "other-format": ("x.jsonl", lines(9) + _SESSION, 9, [10]),
    "other-format-first": (
        "x.jsonl",
        json.dumps(adk_session()).encode() + b"\n" + lines(9),
        9,
        [1],
    ),
    "latin-1-in-a-line": ("x.jsonl", lines(1) + b'{"case_id": "\xe4"}\n' + _LINE, 2, [2]),
    "deep-line": ("x.jsonl", lines(1) + deep(b"[") + b"\n" + _LINE, 2, [2]),
    "long-number-line": ("x.jsonl", lines(1) + b'{"a":' + b"7" * 10**6 + b"}\n" + _LINE, 2, [2]),
    "deep-result": ("x.json", with_args("[" * 100_000), 1, []),
    "number-of-a-million-digits": ("x.json", with_args('{"n": 0.' + "7" * 10**6 + "}"), 1, []),
    "huge-exponent": ("x.json", with_args('{"n": 1e999999999, "m": -1e-999999999}'), 1, []),
    "million-keys-in-a-result": (
        "x.json",
        with_args("{" + ",".join(f'"k{n}":{n}' for n in range(10**6)) + "}"),
        1,
        [],
    ),
    "gzip": ("x.jsonl.gz", gzip.compress(lines(3)), 3, []),
    "gzip-by-content": ("x.jsonl", gzip.compress(lines(3)), 3, []),
    "gzip-of-json": ("x.json.gz", gzip.compress(_PRETTY), 1, []),
    "gzip-twice": ("x.jsonl.gz", gzip.compress(lines(1)) + gzip.compress(_LINE), 2, []),
    "gzip-padded": ("x.jsonl.gz", gzip.compress(lines(2)) + b"\0" * 600, 2, []),
    "bzip2": ("x.jsonl.bz2", bz2.compress(lines(3)), 3, []),
    "bzip2-twice": ("x.jsonl.bz2", bz2.compress(lines(1)) + bz2.compress(_LINE), 2, []),
    "xz": ("x.jsonl.xz", lzma.compress(lines(3)), 3, []),
}


@pytest.mark.parametrize("name", sorted(READ))
def test_what_is_sound_is_read(tmp_path: Path, name: str) -> None:
    file, content, runs, places = READ[name]
    path = tmp_path / file
    path.write_bytes(content)
    ended = run(tmp_path, str(path), apart=len(content) > HEAVY or "bomb" in name)
    assert ended.value["read"] == runs, ended.value
    assert [error["line"] for error in ended.errors] == places
    assert ended.code == (1 if places else 0)
    (written,) = ended.value["written"]
    assert Path(written).name in ("x.jsonl", "x.json.jsonl")
    assert len(Path(written).read_bytes().splitlines()) == runs
    assert ended.memory < MEMORY


def test_errors_of_one_cause_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(_BROKEN)
    ended = run(tmp_path, str(path))
    assert ended.value["read"] == 500
    assert len(ended.errors) == 10
    assert sum(error.get("count", 1) for error in ended.errors) == 500
    assert ended.value["dropped"]["record that cannot be read"] == 500


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_cut_archive_keeps_what_stands_before_the_cut(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "x.jsonl.gz"
    noise = os.urandom(600_000).hex()
    many = b"".join(
        json.dumps(chat(f"c{n}", note=noise[n * 2000 : n * 2000 + 2000])).encode() + b"\n"
        for n in range(600)
    )
    path.write_bytes(pack(many)[:-200_000])
    ended = run(tmp_path, str(path))
    (error,) = ended.errors
    assert error["code"] == "IRU001"
    if ended.value["read"]:  # bzip2 and xz give whole blocks.
        assert error["line"] == ended.value["read"] + 1
        assert "ends in the middle" in error["message"]
    assert ended.code == 1


def test_a_line_of_64_mb(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("wb") as stream:
        stream.write(_LINE + b"\n")
        stream.write(_LINE.replace(b"Be kind.", b"x" * (63 << 20)).replace(b'"a"', b'"b"') + b"\n")
        stream.write(b'"' + b"x" * (65 << 20) + b'"\n')
        stream.write(_LINE.replace(b'"a"', b'"c"') + b"\n")
    ended = run(tmp_path, str(path))
    assert ended.value["read"] == 3
    (error,) = ended.errors
    assert (error["line"], error["code"]) == (3, "IRU002")
    assert ended.memory < MEMORY


def test_a_large_list_is_read_element_by_element(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    big = json.dumps(chat("@")).replace("Be kind.", "x" * 100_000)
    with path.open("w") as stream:
        stream.write("[\n")
        for number in range(900):
            stream.write(big.replace("@", f"c{number}") + ",\n")
        stream.write(json.dumps({**chat("last"), "messages": 3}) + "\n]\n")
    ended = run(tmp_path, str(path))
    assert ended.value["read"] == 900
    (error,) = ended.errors
    assert (error["line"], error["pointer"]) == (902, "/900/messages")
    assert ended.memory < 300


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    line = json.dumps(chat("@")).replace("Be kind.", "x" * 100_000)
    with path.open("w") as stream:
        for number in range(2000):
            stream.write(line.replace("@", f"c{number}") + "\n")
    assert path.stat().st_size > 200_000_000
    ended = run(tmp_path, str(path))
    assert ended.value["read"] == 2000
    assert ended.memory < 200


# -- what is printed --------------------------------------------------------------------------

EVIL = "\x1b[31m\x1b]0;x\x07\u202e\x9b2J\x00\r"


def test_nothing_that_is_printed_acts_on_a_terminal(tmp_path: Path) -> None:
    name = tmp_path / f"{EVIL.replace(chr(0), '')}.jsonl"
    rows = [
        chat(EVIL),
        {"case_id": EVIL, "trial": 0, "messages": chat_messages()},
        {"case_id": "b", "messages": [{"role": EVIL}]},
        {"case_id": "c", "messages": [{"role": "tool", "name": EVIL, "content": EVIL}]},
    ]
    name.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = tmp_path / "t.csv"
    table.write_text(f"case_id,passed,{EVIL.replace(chr(13), '').replace(chr(0), '')}\na,true,1\n")
    none = tmp_path / f"none{EVIL.replace(chr(0), '')}.json"
    strange = tmp_path / "s.json"
    strange.write_text(json.dumps({EVIL: 1}))
    ended = run(tmp_path, str(name), str(table), str(none), str(strange), fmt="text")
    assert ended.code == 1
    for text in (ended.err, ended.value["text"]):
        assert not [char for char in text if ord(char) in {27, 7, 13, 0x9B, 0x202E, 0}]
    assert "\\e[31m" in ended.err


def test_errors_that_end_the_command_are_escaped_too(tmp_path: Path) -> None:
    ended = run(tmp_path, "x.json", "--case-id-from", f"{tmp_path}/\x1b[31mm.csv", fmt="text")
    assert ended.code == 1
    assert "\x1b" not in ended.err


# -- files that are given ---------------------------------------------------------------------


def test_a_pipe(tmp_path: Path) -> None:
    ended = run(tmp_path, "/dev/stdin", "--run", "piped", feed=lines(3))
    assert (ended.code, ended.value["read"]) == (0, 3)
    ended = run(tmp_path, "/dev/stdin", "--run", "packed", feed=gzip.compress(lines(3)))
    assert (ended.code, ended.value["read"]) == (0, 3)


def test_the_same_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines(2))
    (tmp_path / "link.jsonl").symlink_to(path)
    ended = run(tmp_path, str(path), "x.jsonl", "link.jsonl", "--run", "r")
    assert (ended.code, ended.value["read"]) == (0, 2)
    assert ended.value["dropped"]["file that was given twice"] == 2


def test_a_folder(tmp_path: Path) -> None:
    source = tmp_path / "in"
    for name, content in {
        "b.json": _PRETTY,
        "a.jsonl": lines(2),
        "deep/a.jsonl.gz": gzip.compress(lines(1)),
        "config.json": b'{"agent": "desk"}',
        "README.md": b"# Runs",
        ".hidden.jsonl": lines(1),
        ".git/x.json": _PRETTY,
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
    (source / "round").symlink_to(source)
    ended = run(tmp_path, str(source))
    assert ended.code == 0
    assert ended.value["read"] == 4
    (note,) = ended.value["findings"][:1]
    assert [item["code"] for item in ended.value["findings"]] == ["IRU017"]
    assert note["path"].endswith("config.json")
    assert ended.value["dropped"]["file in a folder that holds no runs"] == 1
    assert ended.value["dropped"]["file in a folder with another suffix"] == 1
    assert len(ended.value["written"]) == 3
    again = run(tmp_path, str(tmp_path), "--run", "all")
    assert again.value["read"] == 4, "what was written before is not read"
    (source / "cut.json").write_bytes(b"{")
    broken = run(tmp_path, str(source), "--run", "more")
    assert (broken.code, broken.value["read"]) == (1, 4)
    (tmp_path / "nothing").mkdir()
    nothing = run(tmp_path, str(tmp_path / "nothing"))
    assert nothing.code == 1
    assert "holds no JSON" in nothing.errors[0]["message"]


def test_one_unreadable_file_among_others(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(2))
    (tmp_path / "b.jsonl").write_bytes(b"nothing")
    ended = run(tmp_path, "a.jsonl", "b.jsonl", "none.jsonl")
    assert (ended.code, ended.value["read"]) == (1, 2)
    assert [error["path"] for error in ended.errors] == ["b.jsonl", "none.jsonl"]


def test_a_field_of_another_kind_says_what_to_write(tmp_path: Path) -> None:
    value = chat()
    value["messages"][0]["role"] = 7
    (tmp_path / "x.json").write_text(json.dumps(value))
    (error,) = run(tmp_path, str(tmp_path / "x.json"), apart=False).errors
    assert (error["code"], error["hint"]) == ("IRU002", "write text in its place")


def test_a_name_in_a_command_to_paste_is_quoted(tmp_path: Path) -> None:
    path = tmp_path / "a b;touch pwned.json"
    path.write_bytes(b"{")
    (error,) = run(tmp_path, str(path), apart=False).errors
    assert error["hint"] == f"python -m json.tool {shlex.quote(str(path))}"
    path.write_bytes(_LINE.decode().encode("utf-16"))
    (error,) = run(tmp_path, str(path), apart=False).errors
    assert f" {shlex.quote(str(path))} > fixed" in error["hint"]


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    try:
        path.write_bytes(json.dumps({"messages": chat_messages()}).encode())
    except OSError:
        pytest.skip("this file system takes no such name")
    ended = run(tmp_path, str(path), "--case-id-from", "filename", apart=False)
    (error,) = ended.errors
    assert "not UTF-8" in error["message"]
    assert error["hint"]
