"""The commands ``assay cases import`` and ``assay runs import``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.intake.support import RUN_SHAPES, adk_set, put, tau_result

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    from assay.cli.main import main

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(list(args))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert isinstance(caught.value.code, int)
        return caught.value.code, out, err

    return call


def test_cases_as_json(tmp_path: Path, run: Run) -> None:
    path = put(tmp_path, "a.test.json", adk_set())
    out = tmp_path / "cases"
    code, text, err = run(
        "cases", "import", str(path), "--out", str(out), "--suite", "post", "--owner", "ana",
        "--licence", "MIT", "--format", "json",
    )  # fmt: skip
    value = json.loads(text)
    assert (code, err) == (0, "")
    keys = "schema_version read dropped replaced unknown findings written"
    assert set(value) == set(keys.split())
    assert value["read"] == 1
    assert value["written"][-1].endswith("suite.yaml")
    assert all(Path(name).is_file() for name in value["written"])


def test_an_error_is_exit_one(tmp_path: Path, run: Run) -> None:
    path = put(tmp_path, "a.json", "{")
    out = str(tmp_path / "cases")
    code, text, _ = run("cases", "import", str(path), "--out", out, "--format", "json")
    assert code == 1
    (finding,) = json.loads(text)["findings"]
    assert (finding["code"], finding["line"]) == ("ICA001", 1)
    assert not (tmp_path / "cases").exists()


def test_runs_as_json(tmp_path: Path, run: Run) -> None:
    paths = [str(put(tmp_path, f"in/{s}-{n}", v)) for s, (n, v) in RUN_SHAPES.items()]
    code, text, err = run(
        "runs", "import", *paths, "--out", str(tmp_path / "runs"), "--suite", "post",
        "--format", "json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert json.loads(text)["read"] == len(paths)


def test_one_run_of_many_files(tmp_path: Path, run: Run) -> None:
    name, value = RUN_SHAPES["openai-chat"]
    paths = [str(put(tmp_path, f"{i}/{name}", value)) for i in range(2)]
    code, text, _ = run(
        "runs", "import", *paths, "--out", str(tmp_path / "runs"), "--run", "careful",
        "--agent", "desk", "--model", "m-1", "--from", "openai-chat", "--format", "json",
    )  # fmt: skip
    assert code == 0
    (written,) = json.loads(text)["written"]
    assert written.endswith("runs/imported/careful.jsonl")


@pytest.mark.parametrize(
    "options",
    [
        ["--from", "nonsense"],
        ["--suite", "../x"],
        ["--run", "../x"],
        ["--case-id-from", " "],
    ],
)
def test_wrong_use_is_exit_two(tmp_path: Path, run: Run, options: list[str]) -> None:
    path = str(put(tmp_path, "a.json", RUN_SHAPES["openai-chat"][1]))
    code, text, err = run("runs", "import", path, "--out", str(tmp_path / "runs"), *options)
    assert (code, text) == (2, "")
    assert "next" in err
    assert not (tmp_path / "runs").exists()


def test_out_cannot_be_written(tmp_path: Path, run: Run) -> None:
    path = str(put(tmp_path, "a.json", RUN_SHAPES["openai-chat"][1]))
    put(tmp_path, "runs", "a file")
    code, _, err = run("runs", "import", path, "--out", str(tmp_path / "runs"))
    assert code == 1
    assert "Cannot be written" in err


@pytest.mark.parametrize("group", ["cases", "runs"])
def test_text_output(tmp_path: Path, run: Run, group: str) -> None:
    value = adk_set() if group == "cases" else RUN_SHAPES["openai-chat"][1]
    path = str(put(tmp_path, "a.json", value))
    out = str(tmp_path / "out")
    code, text, err = run(group, "import", path, "--out", out)
    assert code == 0
    assert text.splitlines()[-1].startswith(out)
    assert f"{group} read: 1; files written:" in err


@pytest.mark.parametrize("group", ["cases", "runs"])
def test_help_has_an_example(run: Run, group: str) -> None:
    code, text, _ = run(group, "import", "--help")
    assert code == 0
    assert f"assay {group} import" in text


def test_draft_import_score(tmp_path: Path, run: Run) -> None:
    """A folder of drafts is scored at once: the gold run passes, a run without calls does not."""
    good = tau_result(task_id=1)
    good["info"]["task"]["actions"] = [{"name": "send_mail", "kwargs": {"to": "bo"}}]
    good["traj"][2]["tool_calls"][0]["function"] = {
        "name": "send_mail",
        "arguments": '{"to": "bo", "cc": null}',
    }
    idle = {**good, "trial": 1, "traj": [good["traj"][1], good["traj"][4]]}
    path = str(put(tmp_path, "results.json", [good, idle]))
    folder = tmp_path / "drafts"
    code, _, _ = run(
        "truth", "draft", "--from", "tau-bench", path, "--out", str(folder), "--suite", "post"
    )
    assert code == 0
    assert run("-C", str(folder), "check")[0] == 0
    code, _, _ = run(
        "-C", str(folder), "runs", "import", path, "--out", str(folder / "runs"),
        "--suite", "post", "--run", "m", "--format", "json",
    )  # fmt: skip
    assert code == 0
    scores = folder / "scores"
    code, _, _ = run("-C", str(folder), "score", "--status", "draft", "--out", str(scores))
    assert code == 0
    lines = (scores / "post/m.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["outcome"] for line in lines] == ["passed", "failed"]
