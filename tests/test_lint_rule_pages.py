"""The pages on the rules of the linter say what the rules do."""

import copy
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from charts_py.objects.document import Document
from gpuplane.admission.object_policies import NO_POLICIES
from gpuplane.lint.cluster_judge import ClusterJudge, cluster_judge
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.registry import LINT_RULES, lint_rule_page
from gpuplane.lint.rule import LintContext, LintRule, RuleFinding, lint_object
from gpuplane.lint.siblings import NOTHING_TOLD
from gpuplane.lint.told import told
from policies.operation import apply
from policies.reach import Offer
from tests.conftest import CLUSTERS
from tests.namespace_settings import namespace_settings

ROWS = Path(__file__).parent / "gpuplane" / "lint" / "rules"
SEVERITIES = re.compile(r'(?m)^ +- "?(error|warning|note) [/:]')
"""Those that rows say where a finding has another one than its rule."""
PAGES = Path(__file__).parents[1] / "docs" / "lint-rules"
SECTIONS = ["What it finds", "Why", "Problem", "Correction", "Safety"]

each_rule = pytest.mark.parametrize("rule", LINT_RULES, ids=lambda rule: rule.name)


def _sections(rule: LintRule) -> dict[str, str]:
    titled = [part.partition("\n\n") for part in lint_rule_page(rule).split("\n## ")[1:]]
    return {title: body for title, _, body in titled}


def _block(section: str, language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(found)


def _objects(section: str) -> list[Document]:
    """Return the object that a rule judges, and those beside it."""
    return [*yaml.safe_load_all(_block(section, "yaml"))]


@cache
def _judges() -> dict[str, ClusterJudge]:
    return {facts.name: cluster_judge(facts) for facts in loaded_clusters(CLUSTERS, ())}


def _findings(rule: LintRule, documents: list[Document]) -> list[RuleFinding]:
    document = documents[0]
    namespace = document["metadata"]["namespace"]
    settings = namespace_settings()[namespace]
    judge = _judges().get(settings.cluster)
    offer = Offer(settings.pools, settings.absent_labels)
    capacities = judge.facts.capacities if judge else {}
    context = LintContext(
        *(ClusterFacts("", "1.36", capacities=capacities), settings, offer, namespace),
        siblings=NOTHING_TOLD.beside("a.yaml", told(documents, "a.yaml"))(namespace),
        policies=judge.rules.policies if judge else NO_POLICIES,
    )
    return list(rule.check(lint_object(copy.deepcopy(document), context.offer), context))


def test_every_rule_has_a_page_and_no_other_page_is_left_over() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted(
        rule.name for rule in LINT_RULES
    )


@each_rule
def test_a_page_has_the_rules_name_summary_and_severities_and_every_section(rule: LintRule) -> None:
    head, _, _ = lint_rule_page(rule).partition("\n## ")
    others = {*SEVERITIES.findall((ROWS / f"{rule.name}.yaml").read_text(encoding="utf-8"))}
    told = "".join(f", or {each} where [^.]+" for each in others - {rule.severity.value})
    start = re.escape(f"# {rule.name}\n\n{rule.summary}\n\nSeverity: {rule.severity}")
    assert re.fullmatch(rf"{start}{told}\.\n", head)
    assert list(_sections(rule)) == SECTIONS


@each_rule
def test_the_rule_finds_the_problem_of_its_page(rule: LintRule) -> None:
    problem = _sections(rule)["Problem"]
    (finding,) = _findings(rule, _objects(problem))
    said = f"{rule.name}: {finding.message} {finding.remedy}".strip()
    assert said == " ".join(_block(problem, "text").split())


@each_rule
def test_the_rule_finds_nothing_in_the_correction_of_its_page(rule: LintRule) -> None:
    assert _findings(rule, _objects(_sections(rule)["Correction"])) == []


@each_rule
def test_a_fix_makes_the_correction_of_the_problem(rule: LintRule) -> None:
    problem = _objects(_sections(rule)["Problem"])
    (finding,) = _findings(rule, problem)
    has_fix = "There is no fix" not in _sections(rule)["Safety"]
    assert bool(finding.fix) is has_fix
    apply(problem[0], finding.fix)
    assert not has_fix or problem == _objects(_sections(rule)["Correction"])


def test_the_page_on_linting_lists_every_rule_in_order() -> None:
    page = (PAGES.parent / "lint.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([\w-]+)\]\(lint-rules/\1\.md\) \| (.*) \|$", page, re.MULTILINE)
    assert rows == [(rule.name, rule.summary) for rule in LINT_RULES]
