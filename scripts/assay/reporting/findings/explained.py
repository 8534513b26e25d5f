"""What the codes mean: for the formats that carry a help text with every rule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from assay.models.finding import FindingReport

if TYPE_CHECKING:
    from assay.checks.rule import Rule

Explanations: TypeAlias = Mapping[str, tuple[str, str]]
"""Code to (title, explanation)."""

NO_EXPLANATIONS: Explanations = MappingProxyType({})
"""Where nothing is known of the rules."""


def of_rules(rules: Mapping[str, type[Rule]]) -> dict[str, tuple[str, str]]:
    """Titles and explanations of rules, as `assay.checks.runner.rules` gives them."""
    return {code: (rule.title(), rule.explanation()) for code, rule in sorted(rules.items())}


def codes_of(report: FindingReport, explanations: Explanations) -> list[str]:
    """All codes that are known or were found, sorted."""
    return sorted({*explanations, *(finding.code for finding in report.findings)})


def title_of(code: str, explanations: Explanations) -> str:
    """The title of a code; the code itself where it is unknown."""
    return explanations[code][0] if code in explanations else code
