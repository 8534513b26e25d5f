"""What the repository knows about tools, policies and people, as its YAML files say it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from assay.models.base import CaseId, Day, Handle, JsonValue, Many, Model, Name, Sha256
from assay.models.finding import Code
from assay.models.forge import Forge


class SplitTarget(Model):
    """One of the tools that an old one was split into."""

    tool: Name
    """Name of the new tool."""
    when: dict[str, JsonValue]
    """Arguments of the old call that select this one; they are dropped from the new call."""


class Tool(Model):
    """One tool that agents may call; old names stay, with where they went."""

    name: Name
    """Canonical bare name."""
    server: str | None = None
    """MCP server or agent that offers it."""
    description: str = ""
    """What it does."""
    effect: Literal["reads", "writes"] = "reads"
    """Whether a call changes the world."""
    parameters: dict[str, JsonValue] | None = None
    """JSON Schema of the arguments; unknown when absent."""
    renamed_to: str | None = None
    """The name that replaced this one."""
    split_into: Many[SplitTarget] = ()
    """The tools that replaced this one."""
    alias_of: str | None = None
    """Another name that means the same and lives beside it."""
    since: str | None = None
    """Catalogue version or day from which the change holds; informative."""
    reason: str | None = None
    """Why it was renamed, split or aliased."""


class ToolCatalog(Model):
    """``truth/tools.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    tools: Many[Tool] = ()
    """All tools, old and new."""
    server_prefixes: Many[Name] = ()
    """Further prefixes that name a server, such as ``docs__``; removed before comparing."""


class PolicyVersion(Model):
    """One version of a policy."""

    version: Name
    """Full name, ``refunds-v7``. Compared as text, never by order."""
    effective: Day
    """The first day on which it is in force."""
    file: str | None = None
    """The text, relative to ``truth/``."""
    digest: Sha256 | None = None
    """Digest of the text; filled in by ``assay fmt``."""


class PolicyFamily(Model):
    """A policy and its versions. Versions are only ever added."""

    title: str = ""
    """What it governs."""
    versions: Many[PolicyVersion] = Field(min_length=1)
    """All versions; the one in force is the latest that is effective."""


class Policies(Model):
    """``truth/policies.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    families: dict[str, PolicyFamily] = Field(default_factory=dict)
    """Family name to its versions."""


class RoleTerm(Model):
    """A role that a person has for a time."""

    role: Literal["labeler", "adjudicator", "owner", "maintainer"]
    """What the person may do."""
    since: Day = Field(alias="from")
    """First day."""
    until: Day | None = None
    """First day on which it no longer holds; open when absent."""


class Person(Model):
    """Somebody who labels, adjudicates or owns."""

    roles: Many[RoleTerm] = Field(min_length=1)
    """Roles with their terms."""
    logins: dict[str, str] = Field(default_factory=dict)
    """Forge name to login there."""
    git: Many[Name] = ()
    """Mail addresses that the person commits under."""
    team: str | None = None
    """Team on the forge that the person belongs to."""


class ModelIdentity(Model):
    """One model, whatever it is called behind different routes."""

    name: Name
    """Canonical name."""
    spellings: Many[Name] = ()
    """Other names of exactly this model."""
    may: Many[Literal["draft", "judge"]] = ()
    """What the model may be used for in this repository."""


class People(Model):
    """``truth/people.yaml``: people, and the models that may draft or judge."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    people: dict[Handle, Person] = Field(default_factory=dict)
    """Handle to person."""
    models: Many[ModelIdentity] = ()
    """Models that may draft or judge."""
    route_prefixes: Many[Name] = ()
    """Prefixes that name a route to a model, ``gateway/``; removed before comparing."""
    forge: Forge | None = None
    """Where pull requests are reviewed, and by which teams; absent without a forge."""


class Waiver(Model):
    """A finding that is accepted for a time."""

    case: CaseId
    """The case that is concerned."""
    code: Code
    """The rule."""
    reason: Name
    """Why it is accepted."""
    until: Day
    """First day on which it is no longer accepted."""


class Waivers(Model):
    """``truth/waivers.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    waivers: Many[Waiver] = ()
    """All waivers; one that is not needed or has ended is an error."""


class QuarantineEntry(Model):
    """A case that is scored and shown, and does not gate for a time."""

    case: CaseId
    """The case."""
    reason: Name
    """Why."""
    until: Day
    """First day on which it gates again."""


class Quarantine(Model):
    """``truth/quarantine.yaml``."""

    schema_version: Literal[1] = 1
    """Version of this format."""
    quarantine: Many[QuarantineEntry] = ()
    """Cases in quarantine."""
