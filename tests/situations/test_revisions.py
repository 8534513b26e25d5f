"""H01 a correction, H15 a policy, H17 a rename, H18 a split, H39 merged lines: through commands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.files.yamls import read_yaml
from assay.ledger.repository import Repository
from tests.cli.conftest import Run, run
from tests.gitrepo import GitRepo
from tests.situations.given import folder, load
from tests.situations.revising import make, raw, record_of, wanted, write_run

__all__ = ["run"]

Raw = Mapping[str, Any]
RECORDS = "truth/records/shop"


def files(root: Path) -> dict[str, bytes]:
    """Every revision file of a repository."""
    return {path.name: path.read_bytes() for path in sorted((root / RECORDS).glob("*.json"))}


def outcomes(root: Path, run: Run, *options: str) -> dict[str, dict[str, str]]:
    """Run to case to outcome."""
    code, _, err = run("score", "--out", str(root / "out"), *options)
    assert code == 0, err
    found: dict[str, dict[str, str]] = {}
    for path in sorted((root / "out").rglob("*.jsonl")):
        for line in map(json.loads, path.read_text().splitlines()):
            found.setdefault(line["run"], {})[line["case_id"]] = line["outcome"]
    return found


def excluded(root: Path) -> dict[str, list[str]]:
    """Case to the codes that keep it from being scored; cases that are scored have none."""
    from assay.checks.compiling import compile_truth
    from assay.checks.runner import check_world, world_of

    world = world_of(Repository.load(root))
    compiled = compile_truth(world, check_world(world))
    return {e.case_id: [x.code for x in e.exclusions] for e in compiled.suites["shop"]}


# -- H01 ------------------------------------------------------------------------------------------

PUMPS = [wanted("read_pump", pump=name) for name in ("north", "east", "south", "west")]
PUMP_TOOL = "  - {name: read_pump, server: plant, effect: reads}\n"
OWN_PUMPS = [
    raw("pumps", 1, required_tools=PUMPS[:3]),
    raw("pumps", 2, "DISPUTED", required_tools=PUMPS[:3], rationale="Four pumps are named."),
    raw("pumps", 3, required_tools=PUMPS, rationale="The west pump was left out by mistake."),
]


def correction(
    root: Path, run: Run, given: Sequence[Raw], short: Sequence[Any], full: Sequence[Any], tool: str
) -> None:
    """A label that stood as gold, is disputed and corrected; what came before stays."""
    case_id = given[0]["case_id"]
    make(root, given[:1], tool)
    write_run(root, "short", {case_id: list(short)})
    write_run(root, "full", {case_id: list(full)})
    repo = GitRepo.make(root)
    first = repo.commit("the label")
    assert outcomes(root, run) == {"short": {case_id: "passed"}, "full": {case_id: "passed"}}
    before = {path: path.read_bytes() for path in sorted((root / "out").rglob("*.json*"))}
    assert before

    code, _, _ = run("dispute", case_id, "--why", given[1]["rationale"], "--run", "short")
    assert code == 0
    repo.commit("disputed")
    assert excluded(root) == {case_id: ["STA001"]}
    code, out, err = run("score", "--runs", "short", "--allow-empty", "--format", "json")
    (result,) = json.loads(out)["results"]
    assert (code, [entry["case_id"] for entry in result["excluded"]]) == (0, [case_id])
    assert result["overall"]["evaluated"] == 0, "never scored against revision 1"
    assert run("score", "--runs", "short")[0] == 3

    tools = json.dumps(record_of(given[2])["required_tools"])
    code, _, err = run(
        "revise", case_id, "--status", "gold", "--why", given[2]["rationale"], "--set",
        f"required_tools={tools}",
    )  # fmt: skip
    assert code == 0, err
    repo.commit("corrected")
    assert run("check", "--since", first)[0] == 0
    assert outcomes(root, run) == {"short": {case_id: "failed"}, "full": {case_id: "passed"}}

    # Scored again against the truth of then, an old result is the old result.
    again = root / "out-again"
    assert run("score", "--truth-at", first, "--out", str(again))[0] == 0
    for path, data in before.items():
        assert (again / path.relative_to(root / "out")).read_bytes() == data

    # Nothing of revision 1 or 2 may ever change.
    repo.branch("edit")
    for number in (1, 2):
        path = root / RECORDS / f"{case_id}.r{number:04d}.json"
        kept = path.read_bytes()
        path.write_bytes(kept.replace(b"2026-09-18", b"2026-09-17"))
        code, out, _ = run("check", "--base", "main", "--select", "HIS*")
        assert (code, "HIS001" in out, path.name in out) == (1, True, True)
        path.write_bytes(kept)
    assert run("check", "--base", "main")[0] == 0


def test_a_correction_does_not_rewrite_the_past(tmp_path: Path, run: Run) -> None:
    correction(tmp_path, run, OWN_PUMPS, PUMPS[:3], PUMPS, PUMP_TOOL)


@pytest.mark.data
def test_given_correction(tmp_path: Path, run: Run) -> None:
    expected = load("01", "expected.json")
    assert [expected["truth_r1.jsonl"][f"run_{name}_calls"] for name in ("three", "four")] == [
        "pass", "pass",
    ]  # fmt: skip
    assert [expected["truth_r1_r2_r3.jsonl"][f"run_{n}_calls"] for n in ("three", "four")] == [
        "fail", "pass",
    ]  # fmt: skip
    three, four = (load("01", f"run_{name}_calls.json")["tool_uses"] for name in ("three", "four"))
    tool = "  - {name: get_history, server: plant, effect: reads}\n"
    correction(tmp_path, run, load("01", "truth_r1_r2_r3.jsonl"), three, four, tool)


# -- H15 ------------------------------------------------------------------------------------------

FAMILIES = """\
schema_version: 1
families:
  refunds:
    title: Refunds
    versions:
      - {version: refunds-v7, effective: "2026-06-01"}
      - {version: refunds-v9, effective: "2026-10-01"}
      - {version: refunds-v10, effective: "2026-11-01"}
  shipping:
    title: Shipping
    versions:
      - {version: shipping-v3, effective: "2026-06-01"}
"""
NO_TOOL = "  - {name: look, server: desk, effect: reads}\n"
MOVED = [
    raw("gold-old", 1),
    raw("silver-old", 1, "SILVER"),
    raw("other-family", 1, policy_version="shipping-v3"),
    raw("moved", 1),
    raw("moved", 2, policy_version="refunds-v10", acceptable_answers=["all done"]),
    raw("gone", 1),
    raw("gone", 2, "RETIRED"),
    raw("in-doubt", 1, "DISPUTED"),
    raw("misspelt", 1, policy_version="refund-v7"),
    raw("later-by-name", 1, policy_version="refunds-v9"),
]


def policy(root: Path, run: Run, given: Sequence[Raw], campaign: Sequence[str]) -> Path:
    """A policy moves: who is in its campaign, and that opening it twice adds nothing."""
    make(root, given, NO_TOOL, FAMILIES)
    assert run("campaign", "open", "--policy", "refunds-v10", "--id", "move")[0] == 0
    listed = (root / "truth/campaigns/move.cases.jsonl").read_text().splitlines()
    assert [json.loads(line)["case_id"] for line in listed] == sorted(campaign)
    before = {path: path.read_bytes() for path in sorted((root / "truth").rglob("*.*"))}
    code, _, err = run("campaign", "open", "--policy", "refunds-v10", "--id", "move")
    assert (code, "exists already" in err) == (3, True)
    assert {path: path.read_bytes() for path in sorted((root / "truth").rglob("*.*"))} == before
    return root


def test_a_policy_moves_those_whom_it_concerns(tmp_path: Path, run: Run) -> None:
    concerned = ["gold-old", "silver-old", "in-doubt", "later-by-name"]
    policy(tmp_path, run, MOVED, concerned)
    found = excluded(tmp_path)
    assert [name for name, codes in found.items() if not codes] == ["moved", "other-family"]
    assert {name: found[name] for name in concerned} == {
        "gold-old": ["POL001"],
        "silver-old": ["POL001"],
        "in-doubt": ["STA001"],
        "later-by-name": ["POL001"],
    }
    code, out, _ = run("check")
    assert (code, "no policy family `refund`" in " ".join(out.split())) == (1, True)
    # Labelled anew, a case leaves what is open; nobody notes that down.
    code, _, err = run(
        "revise", "gold-old", "--change", "policy", "--policy", "refunds-v10", "--why",
        "Read again under version 10: it says the same.",
    )  # fmt: skip
    assert code == 0, err
    code, out, _ = run("campaign", "status", "move", "--format", "json")
    (status,) = json.loads(out)["campaigns"]
    assert (status["states"]["open"], status["states"]["done"]) == (3, 1)


@pytest.mark.data
def test_given_policies(tmp_path: Path, run: Run) -> None:
    expected = load("15", "expected.json")
    policy(tmp_path, run, load("15", "truth.jsonl"), expected["campaign"])
    found = excluded(tmp_path)
    assert [name for name, codes in found.items() if not codes] == expected["scorable"]
    assert {name for name, codes in found.items() if "POL002" in codes} == set(expected["errors"])
    assert all(found[name] == ["POL001"] for name in ("p1", "p2", "p8"))


# -- H17 ------------------------------------------------------------------------------------------

DESK = """\
  - {name: find_note, server: desk, effect: reads}
  - {name: look_up, server: desk, effect: reads, renamed_to: find_note, reason: one word}
  - {name: other, server: desk, effect: reads}
"""
NOTES = [
    raw("asks", 1, required_tools=["look_up"]),
    raw("is-new", 1, required_tools=["find_note"]),
    raw("forbids", 1, forbidden_tools=["look_up"]),
    raw("gone", 1, required_tools=["look_up"]),
    raw("gone", 2, "RETIRED", required_tools=["look_up"]),
    raw("asks-other", 1, required_tools=["look_up"]),
    raw("asks-other", 2, required_tools=["other"]),
]


def renamed(
    root: Path,
    run: Run,
    given: Sequence[Raw],
    tools: str,
    spellings: Sequence[str],
    expected: Mapping[str, int],
) -> None:
    """Every spelling scores with the old labels; the bulk rename writes what it must, once."""
    make(root, given, tools)
    asks, is_new = given[0]["case_id"], given[1]["case_id"]
    for number, name in enumerate(spellings):
        calls = [wanted(name)]
        answer = given[0]["acceptable_answers"][0]
        write_run(root, f"spelling-{number}", {asks: calls, is_new: calls}, answer)
    passes = {f"spelling-{n}": {asks: "passed", is_new: "passed"} for n in range(len(spellings))}
    assert outcomes(root, run) == passes
    before = files(root)
    code, _, err = run("truth", "rename")
    assert code == 0, err
    after = files(root)
    assert {name: after[name] for name in before} == before, "everything else byte for byte"
    new = {name.rpartition(".r")[0]: int(name[-9:-5]) for name in after if name not in before}
    assert new == dict(expected)
    assert len(list((root / "truth/campaigns").glob("*.change.yaml"))) == 1, "one declared change"
    assert outcomes(root, run) == passes
    assert run("truth", "rename")[0] == 0
    assert files(root) == after, "a second time adds nothing"
    assert run("check", "--select", "TOL*")[0] == 0


def test_a_rename_fails_nobody(tmp_path: Path, run: Run) -> None:
    spellings = ["mcp__desk__look_up", "desk/find_note", "desk.look_up", "find_note", "look_up"]
    renamed(tmp_path, run, NOTES, DESK, spellings, {"asks": 2, "forbids": 2})


@pytest.mark.data
def test_given_rename(tmp_path: Path, run: Run) -> None:
    expected = load("17", "expected.json")
    given = read_yaml(folder("17") / "renames.yaml", name="renames.yaml").value
    assert isinstance(given, dict)
    [entry] = given["renames"]  # type: ignore[union-attr]
    old, new = entry["from"], entry["to"]  # type: ignore[index, call-overload]
    tools = f"""\
  - {{name: {new}, server: help, effect: reads}}
  - {{name: {old}, server: help, effect: reads, renamed_to: {new}, reason: one name}}
  - {{name: other, server: help, effect: reads}}
"""
    spellings = load("17", "observed_names.json")
    renamed(
        tmp_path, run, load("17", "truth.jsonl"), tools, spellings,
        expected["bulk_rename_new_revisions"],
    )  # fmt: skip
    names = Repository.load(tmp_path).names
    found = [[tool.rpartition("/")[2] for tool in names.canonical(name)] for name in spellings]
    assert found == [[name] for name in expected["observed_canonical"]]
    latest = {name for name in files(tmp_path) if name.startswith(tuple(expected["untouched"]))}
    assert not any(name.endswith("r0003.json") for name in latest)


# -- H18 ------------------------------------------------------------------------------------------

HALVES = {"open": "door_open", "shut": "door_shut", "lock": "door_lock"}
DOORS = [
    raw("decided", 1, required_tools=[wanted("door", do="shut", id="7")]),
    raw("undecided", 1, required_tools=[wanted("door", id="7")]),
    raw("no-such-half", 1, required_tools=[wanted("door", do="paint")]),
    raw("forbids", 1, forbidden_tools=["door"]),
]


def split_tools(old: str, by: str, halves: Mapping[str, str]) -> str:
    """A catalogue in which one tool became several, told apart by an argument."""
    targets = ", ".join(f"{{tool: {tool}, when: {{{by}: {value}}}}}"
                        for value, tool in halves.items())  # fmt: skip
    lines = [f"  - {{name: {tool}, server: desk, effect: writes}}\n" for tool in halves.values()]
    lines.append(
        f"  - {{name: {old}, server: desk, effect: writes, split_into: [{targets}],"
        " reason: one tool an action}\n"
    )
    return "".join(lines)


def split(root: Path, run: Run, given: Sequence[Raw], tools: str) -> dict[str, dict[str, Any]]:
    """The latest revision of every case after the bulk rename, which lists what it left open."""
    make(root, given, tools)
    code, _, err = run("truth", "rename")
    assert code == 0, err
    after = files(root)
    assert run("truth", "rename")[0] == 0
    assert files(root) == after
    return {name.rpartition(".r")[0]: json.loads(data) for name, data in after.items()}


def test_a_split_is_decided_by_arguments_or_by_a_person(tmp_path: Path, run: Run) -> None:
    tools = split_tools("door", "do", HALVES)
    latest = split(tmp_path, run, DOORS, tools)
    assert latest["decided"]["status"] == "gold"
    assert latest["decided"]["required_tools"] == [{"tool": "door_shut", "args": {"id": "7"}}]
    for name in ("undecided", "no-such-half"):
        assert (latest[name]["status"], latest[name]["change"]) == ("disputed", "rename")
        assert "split" in latest[name]["rationale"][-1]
    assert latest["forbids"]["status"] == "gold"
    assert sorted(latest["forbids"]["forbidden_tools"]) == sorted(HALVES.values())
    code, out, _ = run("todo", "--as", "cleo", "--format", "json")
    waits = [item["case_id"] for item in json.loads(out)["items"] if item["kind"] == "decide"]
    assert (code, waits) == (0, ["no-such-half", "undecided"])


@pytest.mark.data
def test_given_split(tmp_path: Path, run: Run) -> None:
    expected = load("18", "expected.json")
    given = read_yaml(folder("18") / "splits.yaml", name="splits.yaml").value
    assert isinstance(given, dict)
    [entry] = given["splits"]  # type: ignore[union-attr]
    tools = split_tools(entry["from"], entry["by"], entry["to"])  # type: ignore[index, call-overload, arg-type]
    latest = split(tmp_path, run, load("18", "truth.jsonl"), tools)
    for name in ("t1", "t2", "t3", "t4"):
        assert latest[name]["status"] == expected[name]["status"].lower()
    wants = [
        {"tool": call["name"], "args": {k: v["equals"] for k, v in call["args"].items()}}
        for call in expected["t1"]["required_tools"]
    ]
    assert latest["t1"]["required_tools"] == wants
    assert sorted(latest["t4"]["forbidden_tools"]) == expected["t4"]["forbidden_tools"]
    disputed = [name for name, item in sorted(latest.items()) if item["status"] == "disputed"]
    assert disputed == expected["needs_person"]


# -- H39 ------------------------------------------------------------------------------------------


def lines(*given: Raw) -> str:
    return "".join(f"{json.dumps(record_of(item))}\n" for item in given)


def checked(root: Path, run: Run, text: str) -> list[dict[str, Any]]:
    """What is found in an interchange file about numbers."""
    path = root / "t.jsonl"
    path.write_text(text)
    code, out, _ = run("check", str(path), "--format", "json", "--select", "REC002")
    found: list[dict[str, Any]] = json.loads(out)["findings"]
    assert code == (1 if found else 0)
    return found


def union_merge(root: Path, base: str, mine: str, theirs: str) -> str:
    """What git leaves of two branches that each append to one file."""
    repo = GitRepo.make(root)
    path = root / "t.jsonl"
    (root / ".gitattributes").write_text("*.jsonl merge=union\n")
    path.write_text(base)
    repo.commit()
    repo.branch("a")
    path.write_text(base + mine)
    repo.commit()
    repo.git("checkout", "-q", "-b", "b", "main")
    path.write_text(base + theirs)
    repo.commit()
    repo.git("merge", "-q", "--no-edit", "a")
    return path.read_text()


ONE, TWO = raw("c", 1), raw("c", 2, "DISPUTED", rationale="The answer has a comma too many.")


def test_lines_that_a_merge_left_twice_are_named(tmp_path: Path, run: Run) -> None:
    merged = union_merge(tmp_path / "git", lines(ONE), lines(TWO), lines(raw("c", 2)))
    assert len(merged.splitlines()) == 3
    make(tmp_path, [], NO_TOOL)
    [found] = checked(tmp_path, run, merged)
    assert found["line"] == 3
    assert "stands twice, with other content" in found["message"]
    assert "t.jsonl:2" in found["message"]
    assert "t.jsonl:3" in found["message"]
    [found] = checked(tmp_path, run, lines(ONE, ONE))
    assert "with the same content" in found["message"]
    assert found["hint"] == "remove this line"
    [found] = checked(tmp_path, run, lines(ONE, raw("c", 3)))
    assert "Revision 2 of c is missing" in found["message"]
    [found] = checked(tmp_path, run, lines(TWO, ONE))
    assert "stands after revision 2" in found["message"]
    assert "the latest is still 2" in found["message"]
    assert checked(tmp_path, run, lines(ONE, TWO)) == []


def test_files_of_revisions_are_never_merged_by_lines(tmp_path: Path, run: Run) -> None:
    """In a repository git itself stops, even where it was told to unite lines."""
    make(tmp_path, [ONE], NO_TOOL)
    (tmp_path / ".gitattributes").write_text("*.jsonl merge=union\n")
    repo = GitRepo.make(tmp_path)
    repo.commit()
    repo.branch("a")
    assert run("dispute", "c", "--why", "The answer has a comma too many.")[0] == 0
    repo.commit()
    repo.git("checkout", "-q", "-b", "b", "main")
    assert run("revise", "c", "--why", "One more form.", "--answer", "done.")[0] == 0
    repo.commit()
    assert "CONFLICT (add/add)" in repo.git("merge", "a", fails=True)
    assert run("renumber", "--base", "a")[0] == 0
    assert sorted(files(tmp_path)) == [f"c.r000{number}.json" for number in (1, 2, 3)]


@pytest.mark.data
def test_given_merged_lines(tmp_path: Path, run: Run) -> None:
    make(tmp_path, [], NO_TOOL)
    expected = load("39", "expected.json")
    said = {
        name: checked(tmp_path, run, lines(*load("39", f"{name}.jsonl")))[0]["message"]
        for name in ("exact_dup", "gap", "out_of_order")
    }
    assert "with the same content" in said["exact_dup"]
    assert expected["gap"].removeprefix("finding: ").split()[:2] == ["revision", "2"]
    assert "Revision 2 of c-1 is missing" in said["gap"]
    assert "Revision 1 of c-1 stands after revision 2" in said["out_of_order"]
    three = [raw("c-1", 1), raw("c-1", 2, "DISPUTED", rationale="a"), raw("c-1", 2, rationale="b")]
    assert len(three) == expected["after_merge"]["lines"]
    [found] = checked(tmp_path, run, lines(*three))
    assert "t.jsonl:2" in found["message"]
    assert "t.jsonl:3" in found["message"]
