"""Tools: the catalogue itself, and what labels say about calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from assay.checks.arguments import argument_problems
from assay.checks.rule import Found, Rule, at, in_yaml, nearest
from assay.checks.schemas import schema_problem
from assay.checks.world import Judged, World
from assay.files.locate import escape
from assay.files.model_text import compact_text
from assay.ledger.toolfaults import catalog_faults
from assay.models.base import JsonValue
from assay.models.truth import RequiredTool, TruthRecord


class TOL001(Rule):
    """The tool catalogue is wrong: a cycle, a missing or doubled target, a name used again.

    The map from old names to new ones is derived from it; where it is wrong, every label that
    names the tool means something else.

    Write what the hint says.
    """

    severity = "error"
    scope = "nothing"

    def find(self, world: World) -> Iterable[Found]:
        """Faults of the map, and argument schemas that are no JSON Schema."""
        file = world.repository.catalog
        index = {tool.name: number for number, tool in enumerate(file.model.tools)}
        for fault in catalog_faults(world.names):
            yield in_yaml(file, f"/tools/{index[fault.tool]}", fault.message, fault.hint)
        for number, tool in enumerate(file.model.tools):
            problem = schema_problem(tool.parameters)
            if problem:
                yield in_yaml(
                    file,
                    f"/tools/{number}/parameters",
                    f"`parameters` of `{tool.name}` is no JSON Schema: {problem}.",
                    "write a schema of an object with `properties`",
                )


def _pointer_of_name(record: TruthRecord, pointer: str) -> str:
    """The pointer to a tool's name, where the entry that holds it is an object."""
    if pointer.startswith("/required_tools/"):
        entry = record.required_tools[int(pointer.rsplit("/", 1)[1])]
        return pointer if isinstance(entry, str) else f"{pointer}/tool"
    return pointer


class TOL002(Rule):
    """A label names a tool that the catalogue does not have.

    No call will ever match it; it is a misspelling, or the catalogue lacks the tool.

    Correct the name, or add the tool to ``truth/tools.yaml``.
    """

    severity = "error"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Unknown names in required, forbidden and limited tools."""
        known: tuple[str, ...] | None = None
        for judged in world.live():
            for item in judged.mapped.unknown:
                known = world.names.canonical_names() if known is None else known
                name = item.message.split("`")[1]
                pointer = _pointer_of_name(judged.record, item.pointer)
                hint = nearest(name, known, f"add it to {world.repository.catalog.path}")
                yield at(judged, pointer, item.message, hint)


class TOL003(Rule):
    """A bare name fits tools of several servers.

    Which of them is meant cannot be guessed, and they may do different things.

    Write the server too: ``server/tool``.
    """

    severity = "error"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Names in labels that fit more than one entry of the catalogue."""
        for judged in world.live():
            for item in judged.mapped.ambiguous:
                pointer = _pointer_of_name(judged.record, item.pointer)
                yield at(judged, pointer, item.message, "write one of them in full")


class TOL004(Rule):
    """A tool is required and forbidden.

    No run can pass. Names are compared after the rename map, server prefixes included.

    Take it out of one of the lists.
    """

    severity = "error"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Tools on both lists."""
        for judged in world.live():
            record = judged.mapped.record
            if not record.forbidden_tools or not record.required_tools:
                continue
            forbidden = frozenset(record.forbidden_tools)
            for index, entry in enumerate(record.required_tools):
                tool = entry if isinstance(entry, str) else entry.tool
                if tool not in forbidden:
                    continue
                written = judged.record.required[index].tool
                as_written = "" if written == tool else f" (written `{written}`)"
                yield at(
                    judged,
                    _pointer_of_name(judged.record, f"/required_tools/{index}"),
                    f"`{tool}`{as_written} is required and forbidden.",
                    "take it out of `required_tools` or `forbidden_tools`",
                )


class TOL005(Rule):
    """An argument in a label does not fit the tool's schema.

    A correct agent sends what the schema asks for and would fail: the text "1" is not the
    number 1. Matchers are looked at as far as it can be decided what they match.

    Write a value that the tool takes.
    """

    severity = "error"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Unknown argument names, and values that the schema refuses."""
        schemas: dict[str, Mapping[str, JsonValue] | None] = {}
        for judged in world.live():
            for index, entry in enumerate(judged.mapped.record.required_tools):
                if isinstance(entry, str) or not entry.args:
                    continue
                if entry.tool not in schemas:
                    schemas[entry.tool] = _schema(world, entry.tool)
                schema = schemas[entry.tool]
                if schema is None:
                    continue
                for problem in argument_problems(schema, entry.args):
                    yield at(
                        judged,
                        f"/required_tools/{index}/args{problem.pointer}",
                        f"{entry.tool}: {problem.message}",
                        problem.hint,
                    )


def _schema(world: World, name: str) -> Mapping[str, JsonValue] | None:
    """The schema of a tool's arguments; None where there is none that can be used."""
    tool = world.names.tool(name)
    if tool is None or tool.parameters is None or schema_problem(tool.parameters):
        return None
    return tool.parameters


class TOL006(Rule):
    """A tool was split, and the label does not say which half it means.

    Nothing is guessed: the case is not scored until somebody has decided.

    Name the argument that tells the halves apart, or the new tool.
    """

    severity = "excludes"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Required and limited tools that a split leaves open."""
        for judged in world.live():
            for item in judged.mapped.undecided:
                pointer = _pointer_of_name(judged.record, item.pointer)
                if pointer.startswith("/max_calls"):
                    yield at(judged, pointer, item.message, "limit each of the new tools")
                else:
                    yield at(judged, pointer, item.message, _halves(world, item.message))


def _halves(world: World, message: str) -> str:
    name = message.split("`")[1]
    for key in world.names.canonical(name):
        halves = world.names.entries[key].split_into
        shown = [
            f"{half.tool} for "
            + ", ".join(f"{arg} {compact_text(value)}" for arg, value in half.when.items())
            for half in halves
        ]
        if shown:
            return f"write the new tool, or the argument: {'; '.join(shown)}"
    return "write one of the new tools"


class TOL007(Rule):
    """A record still names a tool by an old name.

    It is read as if it had the new one, so scores are right; readers are not.

    Write the new name in the next revision, with the change `rename`.
    """

    severity = "note"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Renamed and split tools in records that are not retired."""
        old = {
            key
            for key, entry in world.names.entries.items()
            if entry.renamed_to is not None or entry.split_into
        }
        if not old:
            return
        for judged in world.judged:
            record = judged.record
            if record.status == "retired" or judged.mapped.record is record:
                continue
            undecided = {item.pointer for item in judged.mapped.undecided}
            for pointer, name in _names(record):
                keys = world.names.lookup(name, None)
                if len(keys) == 1 and keys[0] in old and pointer not in undecided:
                    new = " | ".join(world.names.label(name))
                    yield at(
                        judged,
                        _pointer_of_name(record, pointer),
                        f"`{name}` is now `{new}`.",
                        f'assay revise {judged.case_id} --change rename --why "…" --set …',
                    )


def _names(record: TruthRecord) -> Iterator[tuple[str, str]]:
    for index, entry in enumerate(record.required_tools):
        yield f"/required_tools/{index}", entry if isinstance(entry, str) else entry.tool
    for index, name in enumerate(record.forbidden_tools):
        yield f"/forbidden_tools/{index}", name
    for name in record.max_calls:
        yield f"/max_calls/{escape(name)}", name


class TOL008(Rule):
    """Limits or order ask for what cannot be.

    Fewer calls are allowed than are required, or the calls are to come in an order that their
    turns forbid; no run can pass.

    Correct the limit, the turns, or `order`.
    """

    severity = "error"
    reads = ("catalog",)

    def find(self, world: World) -> Iterable[Found]:
        """Limits below what is required, negative limits, turns against the order."""
        for judged in world.live():
            if judged.record.max_calls:
                yield from _limits(judged)
            if judged.record.order in ("in_order", "exact"):
                yield from _turns(judged)


def _limits(judged: Judged) -> Iterator[Found]:
    record = judged.mapped.record
    needed: Counter[str] = Counter()
    for entry in record.required:
        needed[entry.tool] += entry.min
    for tool, limit in record.max_calls.items():
        if limit < max(needed[tool], 0):
            pointer = (
                f"/max_calls/{escape(tool)}" if tool in judged.record.max_calls else "/max_calls"
            )
            yield at(
                judged,
                pointer,
                f"`{tool}` may be called {limit} times and is required {needed[tool]} times.",
                f'write "{tool}": {needed[tool]}, or require it less often',
            )


def _turns(judged: Judged) -> Iterator[Found]:
    latest: tuple[int, RequiredTool] | None = None
    for index, entry in enumerate(judged.record.required):
        if entry.turn is None:
            continue
        if latest is not None and entry.turn < latest[0]:
            yield at(
                judged,
                f"/required_tools/{index}/turn",
                f"`{entry.tool}` is required in turn {entry.turn + 1}, and in order after"
                f" `{latest[1].tool}` in turn {latest[0] + 1}.",
                'put the entries into the order of their turns, or write "order": "any"',
            )
        else:
            latest = (entry.turn, entry)
