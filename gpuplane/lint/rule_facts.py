"""What there is to know of the rules of the linter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpuplane.lint.lint_rule_page import lint_rule_page
from gpuplane.lint.reading_rule import ReadingRule
from gpuplane.lint.registry import TEMPLATE_RULES
from policies.rule_name import RuleName
from policies.rule_page import rule_page
from policies.rules import RULES

_VARIABLE = "GPUPLANE_REPOSITORY"
"""Names the repository whose pages are linked to, as for the site of the documentation."""
_REPOSITORY = "https://github.com/example/gpuplane"
_LINT_PAGE = "docs/lint.md"


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """A rule as programs show it."""

    name: str
    summary: str
    """A full sentence: what is true of what passes."""
    page: str
    """Where it is explained."""
    text: str
    """The page in Markdown; the summary where it has none of its own."""


def rule_facts(environment: Mapping[str, str]) -> dict[str, RuleFacts]:
    """Return the facts of all rules of gpuplane by their names."""
    files = f"{environment.get(_VARIABLE) or _REPOSITORY}/blob/HEAD"
    return {each.name: each for each in _facts(files)}


def _facts(files: str) -> Iterator[RuleFacts]:
    for rule in RULES:
        name = rule.name.value
        text = rule_page(rule.name) if isinstance(rule.name, RuleName) else rule.summary
        yield RuleFacts(name, rule.summary, f"{files}/docs/policies/{name}.md", text)
    page = f"{files}/{_LINT_PAGE}"
    for reading in ReadingRule:
        yield RuleFacts(reading.value, reading.summary, f"{page}#{reading.value}", reading.summary)
    for own in TEMPLATE_RULES:
        link = f"{files}/docs/lint-rules/{own.name}.md"
        yield RuleFacts(own.name, own.summary, link, lint_rule_page(own))
