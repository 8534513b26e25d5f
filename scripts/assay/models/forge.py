"""The forge: where pull requests are reviewed, by which teams, and what it says of a review."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from assay.models.base import Handle, Many, Model, Name

ForgeKind = Literal["github", "gitlab"]
"""Whose syntax, rules and answers are meant."""

Team = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$")]
"""A team of the organisation, or of another one where it holds a slash; without ``@``."""

Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
"""Full name of a commit."""


class ForgeTeams(Model):
    """Who must approve what. A fork names its own teams here and nowhere else."""

    maintainers: Team
    """Code, parameters, people: whatever decides how truth is judged, and by whom."""
    truth: Team
    """Everything that says what is correct: ``truth/``, ``holdout/``, ``results/``."""
    cases: Team | None = None
    """What is asked and what was observed; `maintainers` where absent. The team of a suite's
    owner approves that suite's cases as well."""


class Forge(Model):
    """Where pull requests are reviewed."""

    kind: ForgeKind
    """Which forge."""
    organisation: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$")]
    """The organisation or group that the teams belong to."""
    teams: ForgeTeams
    """Teams on the forge."""
    signatures: Literal["required", "reported"] = "reported"
    """Whether a revision that its adjudicator has not approved is an error, or is reported."""
    approvals: int = Field(default=1, ge=1, le=100)
    """GitLab: how many of the truth team must approve a change of truth."""
    sections: bool = True
    """GitLab: whether CODEOWNERS has sections, each of which must approve."""
    recorder: Name | None = None
    """Mail address of the account under which the trusted workflow commits to the main branch;
    its ``Adjudicated-by:`` trailers count, and nobody else's."""

    def team(self, name: str) -> str:
        """How CODEOWNERS writes a team."""
        return f"@{name}" if "/" in name else f"@{self.organisation}/{name}"


class Review(Model):
    """What one person last said of a pull request."""

    login: Name
    """Login on the forge."""
    approves: bool
    """Whether it is an approval that stands; false for a request for changes or one that was
    dismissed."""
    commit: Commit | None = None
    """The commit that was looked at; unknown where the forge does not say."""


class Reviews(Model):
    """What a forge says of the reviews of one pull request."""

    kind: ForgeKind
    """Which forge said so."""
    reviews: Many[Review] = ()
    """One a person, sorted by login."""
    author: str | None = None
    """Login of who opened the pull request; he does not approve his own."""
    head: Commit | None = None
    """The head that the forge names, where it does."""


State = Literal["proved", "claimed", "missing"]
"""`claimed`: the file names the person, and nobody was asked. `missing`: somebody was."""


class Signature(Model):
    """Whether one person is known to have signed a revision."""

    handle: Handle
    """The person."""
    role: Literal["author", "labeler", "adjudicator", "approver"]
    """As what."""
    state: State
    """Whether it is known."""
    how: str
    """What proves it, or why it is not proved."""
    next: str = ""
    """What to do where it is missing."""
