"""RUN, A and B: a run, an id, a file, in this order, and the nearest names otherwise."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assay.errors import InputError, RefusedError, UsageError
from assay.models.result import Result
from assay.pipeline.naming import (
    PublishedResult,
    RunFile,
    ScoredResult,
    ScoreLines,
    StoredRun,
    VerdictTable,
    lines_of,
    resolve,
    run_files,
    scored_ids,
)
from tests.cli.conftest import Run, run
from tests.pipeline.history import CASES, entry, tiny, write_run

__all__ = ["run"]


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    """A repository whose run was scored and published."""
    tiny(tmp_path)
    assert run("score", "--out", str(tmp_path / "scores"), "--publish")[0] == 0
    return tmp_path


def result_id(root: Path) -> str:
    (name,) = scored_ids(root)
    return name


def test_a_run(root: Path) -> None:
    expected = StoredRun("shop", "agent", root / "runs/shop/agent.jsonl")
    assert resolve(root, "agent") == expected
    assert resolve(root, "shop/agent") == expected


def test_a_run_wins_over_an_id_and_a_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    prefix = result_id(root)[:4]
    write_run(root, [entry("refund-0142", run=prefix)])
    (root / prefix).write_text("case_id,passed\na,1\n", encoding="utf-8")
    assert isinstance(resolve(root, prefix), StoredRun)
    assert isinstance(resolve(root, result_id(root)[:5]), ScoredResult)
    assert isinstance(resolve(root, f"./{prefix}"), VerdictTable)


def test_one_name_in_two_suites(root: Path) -> None:
    write_run(root, [entry("refund-0142")], suite="mall")
    with pytest.raises(UsageError) as caught:
        resolve(root, "agent")
    assert caught.value.hint == "name one of them: mall/agent, shop/agent"
    assert resolve(root, "agent", suite="shop") == resolve(root, "shop/agent")
    assert len(run_files(root, ["agent"])) == 2
    assert run_files(root, ["mall/agent"]) == [root / "runs/mall/agent.jsonl"]


def test_an_id(root: Path) -> None:
    name = result_id(root)
    for prefix in (name, name[:4]):
        found = resolve(root, prefix)
        assert isinstance(found, ScoredResult)
        assert found.result.id == name
        assert found.lines is not None
        assert [line.outcome for line in found.lines] == ["passed", "failed"]
    with pytest.raises(UsageError):
        resolve(root, name[:3])
    assert run_files(root, [name]) == [root / "runs/shop/agent.jsonl"]


def test_a_published_result_says_the_same_as_its_scores(root: Path) -> None:
    name = result_id(root)
    scored = resolve(root, name)
    shutil.rmtree(root / "scores")
    published = resolve(root, name)
    assert isinstance(scored, ScoredResult)
    assert isinstance(published, PublishedResult)
    assert published.result == scored.result
    bare = [line.model_copy(update={"components": (), "notes": (), "tags": ()})
            for line in lines_of(scored)]  # fmt: skip
    assert list(lines_of(published)) == bare


def test_scores_without_lines(root: Path) -> None:
    name = result_id(root)
    (root / "scores/shop/agent.jsonl").unlink()
    assert isinstance(resolve(root, name), PublishedResult)
    shutil.rmtree(root / "results")
    found = resolve(root, name)
    assert isinstance(found, ScoredResult)
    assert isinstance(found.result, Result)
    with pytest.raises(RefusedError, match="lines of this result are not here"):
        lines_of(found)


def test_a_prefix_of_two(root: Path) -> None:
    path = root / "scores/shop/agent.json"
    text = path.read_text(encoding="utf-8")
    name = result_id(root)
    twin = name[:4] + ("0000" if name[4:] != "0000" else "1111")
    (root / "scores/shop/twin.json").write_text(text.replace(name, twin), encoding="utf-8")
    with pytest.raises(UsageError, match="2 results begin with"):
        resolve(root, name[:4])


def test_files(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    table = folder / "before.csv"
    table.write_text("case_id,passed\na,true\n", encoding="utf-8")
    rows = folder / "after.jsonl"
    rows.write_text('{"case_id": "a", "passed": false}\n', encoding="utf-8")
    chat = folder / "chat.jsonl"
    message = '{"role": "user", "content": "Hello."}'
    chat.write_text('{"case_id": "a", "messages": [' + message + "]}\n", encoding="utf-8")
    native = folder / "native.jsonl"
    native.write_bytes((root / "runs/shop/agent.jsonl").read_bytes())
    lines = folder / "lines.jsonl"
    lines.write_bytes((root / "scores/shop/agent.jsonl").read_bytes())
    published = folder / "copy.json"
    published.write_bytes((root / f"results/2026/{result_id(root)}.json").read_bytes())
    for base in (root, None):
        assert resolve(base, str(table)) == VerdictTable(table)
        assert resolve(base, str(rows)) == VerdictTable(rows)
        assert resolve(base, str(chat)) == RunFile(chat, "openai-chat")
        assert resolve(base, str(native)) == RunFile(native, "native")
        assert isinstance(resolve(base, str(lines)), ScoreLines)
        assert isinstance(resolve(base, str(root / "scores/shop/agent.jsonl")), ScoredResult)
        assert isinstance(resolve(base, str(root / "scores/shop/agent.json")), ScoredResult)
        assert isinstance(resolve(base, str(published)), PublishedResult)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("agnt", "did you mean agent"),
        ("zzzzzz", "runs: agent"),
        ("mall/agent", "did you mean agent, shop/agent?"),
        # The id of the one result changes with the code, and may be near.
        ("deadbeef", ("runs: agent", "did you mean ")),
    ],
)
def test_nothing_fits(root: Path, name: str, hint: str | tuple[str, ...]) -> None:
    for ask in (lambda: resolve(root, name), lambda: run_files(root, [name])):
        with pytest.raises(UsageError, match="neither a run nor a result nor a file") as caught:
            ask()
        assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("name", ["", "/", "..", "../runs/shop/agent", "a/b/c", "runs/shop/agent"])
def test_names_that_lead_nowhere(root: Path, name: str) -> None:
    with pytest.raises((UsageError, InputError)):
        resolve(root, name)


def test_the_id_of_a_whole_scoreboard_leads_to_its_results(root: Path, run: Run) -> None:
    write_run(root, [entry(name, run="other") for name in CASES])
    code, out, _ = run("score", "--out", str(root / "scores"))
    assert code == 0
    name = next(line.split()[1] for line in out.splitlines() if line.startswith("Result "))
    with pytest.raises(UsageError, match="2 results stand on it") as caught:
        resolve(root, name)
    ids = scored_ids(root)
    assert {ids[key].stem: key for key in ids}.items() == {
        tuple(pair.split())
        for pair in caught.value.hint.removeprefix("name one of them: ").split(", ")
    }


def test_a_run_that_is_gone(root: Path) -> None:
    (root / "runs/shop/agent.jsonl").unlink()
    with pytest.raises(InputError, match="made from a run that is not here"):
        run_files(root, [result_id(root)])


def test_without_a_repository_a_name_is_a_file() -> None:
    with pytest.raises(UsageError, match="There is no file `agent`"):
        resolve(None, "agent")


def test_why_takes_an_id(root: Path, run: Run) -> None:
    code, out, err = run("why", "refund-0143", "--run", result_id(root))
    assert code == 0, err
    assert out.startswith("refund-0143: agent failed.")


def test_a_name_that_is_empty_and_one_of_a_folder(root: Path) -> None:
    with pytest.raises(UsageError, match="is empty") as caught:
        resolve(root, "")
    assert caught.value.hint
    with pytest.raises(UsageError, match="This is a folder") as caught:
        resolve(root, str(root))
    assert caught.value.hint == f"ls {root}"
