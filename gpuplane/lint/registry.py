"""The rules of the linter, in the order in which they are reported, and what is known of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuplane.lint.finding import ReadingRule
from gpuplane.lint.report import RuleSelection
from gpuplane.lint.rule import LintRule
from gpuplane.lint.rules import (
    admission_policies,
    api_version,
    blocked_drain,
    container_resources,
    cuda_visible_devices,
    drain_time,
    endless_wait,
    gpus_after_finish,
    http_route,
    inference_pool,
    invalid_fields,
    job_backoff_limit,
    job_ttl,
    queue_name,
    readiness_probe,
    scaler_metrics,
    server_memory,
    server_port,
    spot_fallback,
    spot_notice,
    stacked_replicas,
    train_job_gang,
    unmatched_nodes,
    without_effect,
    workload_quota,
    world_size,
)
from gpuplane.pages import pages_folder
from gpuplane.versions.tree import DistError
from gpus.nearest import nearest_hint
from policies.nearest_rules import nearest_rules
from policies.rule_name import RuleName, rule_page
from policies.rules import RULES

LINT_RULES: tuple[LintRule, ...] = (
    api_version.RULE,
    invalid_fields.RULE,
    admission_policies.RULE,
    container_resources.RULE,
    without_effect.RULE,
    blocked_drain.RULE,
    queue_name.RULE,
    endless_wait.RULE,
    train_job_gang.RULE,
    unmatched_nodes.RULE,
    workload_quota.RULE,
    world_size.RULE,
    server_memory.RULE,
    cuda_visible_devices.RULE,
    gpus_after_finish.RULE,
    job_backoff_limit.RULE,
    job_ttl.RULE,
    readiness_probe.RULE,
    server_port.RULE,
    drain_time.RULE,
    stacked_replicas.RULE,
    scaler_metrics.RULE,
    http_route.RULE,
    inference_pool.RULE,
    spot_fallback.RULE,
    spot_notice.RULE,
)

_READING_SUMMARIES = {
    ReadingRule.UNREADABLE_FILE: "The file can be opened and is YAML or JSON in UTF-8.",
    ReadingRule.TEMPLATE: "The file holds manifests, not a template that renders them.",
    ReadingRule.UNBUILT_OVERLAY: "Kustomize builds the overlay.",
    ReadingRule.MALFORMED_MANIFEST: "Each document is an object that an API server can read.",
    ReadingRule.UNREAD_PART: "Metadata and pod templates have the types of the Kubernetes API.",
    ReadingRule.UNREAD_GPUS: "The pods of an object that asks for GPUs are known.",
    ReadingRule.UNKNOWN_NAMESPACE: "Workloads with GPUs are in namespaces of teams.",
    ReadingRule.UNFILLED_PLACEHOLDER: "Values that the rules judge are filled in.",
    ReadingRule.IGNORE_COMMENT: "Comments ignore rules that find something, and say why.",
    ReadingRule.ACKNOWLEDGEMENT: "Acknowledged findings are still there, and unchanged.",
}
"""Full sentences that are true of a file that passes."""
_NEVER_IGNORED = (
    ReadingRule.UNREADABLE_FILE,
    ReadingRule.TEMPLATE,
    ReadingRule.UNBUILT_OVERLAY,
    ReadingRule.IGNORE_COMMENT,
    ReadingRule.ACKNOWLEDGEMENT,
)
"""No comment can be read in these files, and the others judge comments and acknowledgements."""


@dataclass(frozen=True, slots=True)
class RuleNames:
    """Names of gpuplane's rules and of the custom rules of platform teams."""

    custom: Sequence[str] = ()

    @property
    def all(self) -> Sequence[str]:
        return [*(rule.value for rule in RuleName), *self._others]

    @property
    def ignorable(self) -> Sequence[str]:
        return [name for name in self.all if name not in _NEVER_IGNORED]

    def nearest(self, name: str) -> tuple[str, ...]:
        return nearest_rules(name, self._others)

    @property
    def _others(self) -> Sequence[str]:
        templates = (rule.name for rule in LINT_RULES)
        return [*(rule.value for rule in ReadingRule), *templates, *sorted({*self.custom})]


_VARIABLE = "GPUPLANE_REPOSITORY"
"""Names the repository to whose pages links lead, as for the site of the documentation."""
_REPOSITORY = "https://github.com/example/gpuplane"


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """A rule as programs show it."""

    name: str
    summary: str
    page: str
    """URL of its explanation."""
    text: str
    """Its page in Markdown, or else the summary."""


def rule_selection(
    selected: Iterable[str], ignored: Iterable[str], custom: Sequence[str]
) -> RuleSelection:
    """Return the selection of rules by their names; `custom` names the custom rules of clusters.

    Raises DistError for an unknown rule, and where none would be left.
    """
    selection = RuleSelection(frozenset(selected), frozenset(ignored))
    names = RuleNames(custom)
    for name in sorted(selection.selected | selection.ignored):
        if name not in names.all:
            if "," in name:
                raise DistError(f'unknown rule "{name}"; name one rule per option, and repeat it')
            hint = nearest_hint(names.nearest(name))
            raise DistError(f'unknown rule "{name}"; allowed: {", ".join(names.all)}{hint}')
    if selection.selected and selection.selected <= selection.ignored:
        both = ", ".join(sorted(selection.selected))
        raise DistError(f"every rule of --select is in --ignore, so none is left: {both}")
    return selection


def lint_rule_page(rule: LintRule) -> str:
    """Return the page of a rule in Markdown; its summary where no pages are installed."""
    page = pages_folder() / "lint-rules" / f"{rule.name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else f"{rule.summary}\n"


def lint_rule_pages() -> dict[str, str]:
    return {rule.name: lint_rule_page(rule) for rule in LINT_RULES}


def rule_facts(environment: Mapping[str, str]) -> dict[str, RuleFacts]:
    docs = f"{environment.get(_VARIABLE) or _REPOSITORY}/blob/HEAD/docs"
    return {each.name: each for each in _facts(docs)}


def _facts(docs: str) -> Iterator[RuleFacts]:
    for rule in RULES:
        name = rule.name.value
        text = rule_page(rule.name) if isinstance(rule.name, RuleName) else rule.summary
        yield RuleFacts(name, rule.summary, f"{docs}/policies/{name}.md", text)
    for reading in ReadingRule:
        link = f"{docs}/lint.md#{reading.value}"
        summary = _READING_SUMMARIES[reading]
        yield RuleFacts(reading.value, summary, link, summary)
    for linted in LINT_RULES:
        link = f"{docs}/lint-rules/{linted.name}.md"
        yield RuleFacts(linted.name, linted.summary, link, lint_rule_page(linted))
