"""The rules of the linter, in the order in which they are reported."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuplane.lint.finding import ReadingRule
from gpuplane.lint.report import RuleSelection
from gpuplane.lint.rules import (
    api_version,
    container_resources,
    gpus_after_finish,
    invalid_fields,
    job_backoff_limit,
    job_ttl,
    queue_name,
    readiness_probe,
    spot_fallback,
    stacked_replicas,
    world_size,
)
from gpuplane.lint.template_rule import TemplateRule
from gpuplane.versions.dist_error import DistError
from gpus.nearest import nearest_hint
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName
from policies.rule_page import rule_page
from policies.rules import RULES

_NEVER_IGNORED = (
    ReadingRule.UNREADABLE_FILE,
    ReadingRule.TEMPLATE,
    ReadingRule.IGNORE_COMMENT,
    ReadingRule.ACKNOWLEDGEMENT,
)
"""Of files in which no comment can be read, and of what leaves findings out."""


@dataclass(frozen=True, slots=True)
class RuleNames:
    """Those of gpuplane, and of the platform teams."""

    own: tuple[str, ...] = ()
    """The names of the platform teams' own rules."""

    @property
    def all(self) -> Sequence[str]:
        """The names of all rules."""
        return [*(rule.value for rule in RuleName), *self._others]

    @property
    def ignorable(self) -> Sequence[str]:
        """The names of those that a comment or an acknowledgement can name."""
        return [name for name in self.all if name not in _NEVER_IGNORED]

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the names that are nearest to a wrong one."""
        return nearest_rules(name, self._others)

    @property
    def _others(self) -> Sequence[str]:
        templates = (rule.name for rule in TEMPLATE_RULES)
        return [*(rule.value for rule in ReadingRule), *templates, *self.own]


_INSTALLED = Path(__file__).with_name("pages")
"""Where the wheel puts `docs/lint-rules` of the repository."""
_IN_REPOSITORY = Path(__file__).parents[2] / "docs" / "lint-rules"
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


TEMPLATE_RULES: tuple[TemplateRule, ...] = (
    api_version.RULE,
    invalid_fields.RULE,
    container_resources.RULE,
    queue_name.RULE,
    world_size.RULE,
    gpus_after_finish.RULE,
    job_backoff_limit.RULE,
    job_ttl.RULE,
    readiness_probe.RULE,
    stacked_replicas.RULE,
    spot_fallback.RULE,
)


def rule_names(own: Iterable[str]) -> RuleNames:
    """Return the names, with those of the platform teams' own rules, each once."""
    return RuleNames(tuple(sorted({*own})))


def rule_selection(
    selected: Iterable[str], ignored: Iterable[str], own: Iterable[str]
) -> RuleSelection:
    """Return the selection of rules by their names.

    `own` are the names of the platform teams' own rules. Raises DistError for an unknown one, and
    where nothing would be left to look for.
    """
    selection = RuleSelection(frozenset(selected), frozenset(ignored))
    names = rule_names(own)
    for name in sorted(selection.selected | selection.ignored):
        if name not in names.all:
            hint = nearest_hint(names.nearest(name))
            if "," in name:
                raise DistError(f'unknown rule "{name}"; name one rule per option, and repeat it')
            raise DistError(f'unknown rule "{name}"; allowed: {", ".join(names.all)}{hint}')
    if selection.selected and selection.selected <= selection.ignored:
        both = ", ".join(sorted(selection.selected))
        raise DistError(f"every rule of --select is in --ignore, so none is left: {both}")
    return selection


def lint_rule_page(rule: TemplateRule) -> str:
    """Return the rule's page, in Markdown; its summary where no pages are installed."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY
    page = folder / f"{rule.name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else f"{rule.summary}\n"


def lint_rule_pages() -> dict[str, str]:
    """Return the page of each rule by its name."""
    return {rule.name: lint_rule_page(rule) for rule in TEMPLATE_RULES}


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
