"""Policies, tools, people, cases and parameters that changed, each in a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.files.model_text import compact_text, plain
from assay.ledger.hashes import case_digest
from assay.ledger.layout import PARAMS, PEOPLE, POLICIES, QUARANTINE, TOOLS, WAIVERS
from assay.ledger.repository import Repository
from assay.models.base import JsonValue
from assay.models.catalog import Person, Tool
from assay.models.review import Line
from assay.reporting.words import listed


def other_changes(before: Repository, after: Repository) -> tuple[Line, ...]:
    """What changed beside the records: policies, tools, people, cases, parameters, in that order.

    Args:
        before: the repository as it was.
        after: the repository as it is.
    """
    return (
        *_policies(before, after),
        *_tools(before, after),
        *_people(before, after),
        *_suites(before, after),
        *_params(before, after),
        *_exceptions(before, after),
    )


def _policies(before: Repository, after: Repository) -> Iterator[Line]:
    old, new = _versions(before), _versions(after)
    for name in sorted({*old, *new}):
        if name not in old:
            yield Line(path=POLICIES, text=f"{name}: new, in force from {new[name][0]}")
        elif name not in new:
            yield Line(path=POLICIES, text=f"{name}: gone")
        elif old[name] != new[name]:
            yield Line(path=POLICIES, text=f"{name}: {_fields(old[name][1], new[name][1])}")


def _versions(repository: Repository) -> dict[str, tuple[str, dict[str, JsonValue]]]:
    return {
        entry.version: (entry.effective, _dict(entry))
        for family in repository.policies.model.families.values()
        for entry in family.versions
    }


def _tools(before: Repository, after: Repository) -> Iterator[Line]:
    old = {_tool(tool): tool for tool in before.catalog.model.tools}
    new = {_tool(tool): tool for tool in after.catalog.model.tools}
    for name in sorted({*old, *new}):
        if name not in old:
            yield Line(path=TOOLS, text=f"{name}: new{_went(new[name])}")
        elif name not in new:
            yield Line(path=TOOLS, text=f"{name}: gone")
        elif old[name] != new[name]:
            went = _went(new[name]) if _went(old[name]) != _went(new[name]) else ""
            words = went.removeprefix(", ") or _fields(_dict(old[name]), _dict(new[name]))
            yield Line(path=TOOLS, text=f"{name}: {words}")


def _tool(tool: Tool) -> str:
    return f"{tool.server}/{tool.name}" if tool.server else tool.name


def _went(tool: Tool) -> str:
    """Where an old name went, behind a comma."""
    if tool.renamed_to:
        return f", renamed to {tool.renamed_to}"
    if tool.split_into:
        return f", split into {listed([target.tool for target in tool.split_into])}"
    return f", another name of {tool.alias_of}" if tool.alias_of else ""


def _people(before: Repository, after: Repository) -> Iterator[Line]:
    old, new = before.people.model, after.people.model
    for handle in sorted({*old.people, *new.people}):
        first, second = old.people.get(handle), new.people.get(handle)
        if first == second:
            continue
        if second is None:
            text = f"{handle}: gone"
        elif first is None:
            text = f"{handle}: new, {_roles(second)}"
        elif first.roles != second.roles:
            text = f"{handle}: {_roles(second)}; was {_roles(first)}"
        else:
            text = f"{handle}: {_fields(_dict(first), _dict(second))}"
        yield Line(path=PEOPLE, text=text)
    if (old.models, old.route_prefixes) != (new.models, new.route_prefixes):
        yield Line(path=PEOPLE, text="models or their names changed")


def _roles(person: Person) -> str:
    terms = [
        f"{term.role} from {term.since}" + (f" until {term.until}" if term.until else "")
        for term in person.roles
    ]
    return ", ".join(terms)


def _suites(before: Repository, after: Repository) -> Iterator[Line]:
    for name in sorted({*before.suites, *after.suites}):
        path = f"cases/{name}/suite.yaml"
        if name not in before.suites:
            count = len(after.suites[name].cases)
            yield Line(path=path, text=f"new suite with {count:,} cases")
            continue
        if name not in after.suites:
            yield Line(path=path, text="the suite is gone, or cannot be read")
            continue
        old, new = before.suites[name], after.suites[name]
        for case_id in sorted({*old.cases, *new.cases}):
            first, second = old.cases.get(case_id), new.cases.get(case_id)
            if second is None:
                assert first is not None
                yield Line(path=first.path, text=f"{case_id}: gone")
            elif first is None:
                yield Line(path=second.path, text=f"{case_id}: new")
            elif first.case != second.case:
                seen = case_digest(first.case) != case_digest(second.case)
                what = "what the user says or the world" if seen else "its example expectations"
                yield Line(path=second.path, text=f"{case_id}: {what} changed")
            if first is not None and second is not None:
                attributes = (old.attributes(case_id), new.attributes(case_id))
                if attributes[0] != attributes[1]:
                    words = _fields(_dict(attributes[0]), _dict(attributes[1]))
                    yield Line(path=path, text=f"{case_id}: {words}")
        rest = [
            {key: value for key, value in _dict(suite.suite).items() if key != "cases"}
            for suite in (old, new)
        ]
        if rest[0] != rest[1]:
            yield Line(path=path, text=_fields(rest[0], rest[1]))


def _params(before: Repository, after: Repository) -> Iterator[Line]:
    old, new = dict(_leaves(before.params.model)), dict(_leaves(after.params.model))
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            words = f"{_short(old.get(name))} → {_short(new.get(name))}"
            yield Line(path=PARAMS, text=f"{name}: {words}")


def _leaves(value: object, prefix: str = "") -> Iterator[tuple[str, JsonValue]]:
    shown = plain(value) if not prefix else value
    if isinstance(shown, Mapping) and shown:
        for key in shown:
            yield from _leaves(shown[key], f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, shown  # type: ignore[misc]


def _exceptions(before: Repository, after: Repository) -> Iterator[Line]:
    for path, old, new in (
        (
            WAIVERS,
            {f"{w.case}: {w.code} waived until {w.until}" for w in before.waivers.model.waivers},
            {f"{w.case}: {w.code} waived until {w.until}" for w in after.waivers.model.waivers},
        ),
        (
            QUARANTINE,
            {
                f"{q.case}: in quarantine until {q.until}"
                for q in before.quarantine.model.quarantine
            },
            {f"{q.case}: in quarantine until {q.until}" for q in after.quarantine.model.quarantine},
        ),
    ):
        yield from (Line(path=path, text=text) for text in sorted(new - old))
        yield from (Line(path=path, text=f"no longer {text}") for text in sorted(old - new))


def _dict(model: object) -> dict[str, JsonValue]:
    value = plain(model)
    return value if isinstance(value, dict) else {}


def _fields(old: Mapping[str, JsonValue], new: Mapping[str, JsonValue]) -> str:
    names = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    parts = [f"{name} {_short(old.get(name))} → {_short(new.get(name))}" for name in names]
    return "; ".join(parts) or "written otherwise"


def _short(value: JsonValue) -> str:
    if value is None:
        return "–"
    text = value if isinstance(value, str) else compact_text(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
