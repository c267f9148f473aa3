"""The pages on the rules say what the rules do."""

import copy
import datetime as dt
import re
from pathlib import Path

import pytest
import yaml

from gpus.platform_names import FIXED
from policies.admission import Admission, Review
from policies.document import Document
from policies.engine import Engine
from policies.finding import Severity
from policies.rule import Rule
from policies.rule_name import rule_page
from policies.rules import RULES
from tests.namespace_settings import namespace_settings
from tests.policies.documented_settings import documented_settings

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "policies"
SECTIONS = ["What it does", "Why", "Problem", "Correction", "Safety", "Settings"]
TODAY = dt.date(2026, 11, 21)

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.value)


def _sections(page: str) -> dict[str, str]:
    titled = [part.partition("\n\n") for part in page.split("\n## ")[1:]]
    return {title: body for title, _, body in titled}


def _block(section: str, language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(found)


def _pod(section: str) -> Document:
    pod: Document = yaml.safe_load(_block(section, "yaml"))
    return pod


def _admit(rule: Rule, pod: Document) -> Admission:
    namespace = pod["metadata"]["namespace"]
    engine = Engine(namespace_settings()[namespace], rules=(rule,))
    return engine.admit(copy.deepcopy(pod), Review(namespace, TODAY))


def _without_annotation(pod: Document) -> Document:
    annotations = pod["metadata"].get("annotations", {})
    annotations.pop(FIXED, None)
    if not annotations:
        pod["metadata"].pop("annotations", None)
    return pod


def test_every_rule_has_a_page_and_no_other_page_is_left_over() -> None:
    pages = {page.stem for page in PAGES.glob("*.md")} - {"README", "metrics", "settings"}
    assert pages == {rule.name.value for rule in RULES}


@each_rule
def test_a_page_has_the_rules_name_summary_and_kind_and_every_section(rule: Rule) -> None:
    page = rule_page(rule.name)
    head, _, _ = page.partition("\n## ")
    assert head == (
        f"# {rule.name.value}\n\n{rule.summary}\n\n"
        f"Kind: {rule.severity.value}. Looks at {rule.audience.value}.\n"
    )
    assert list(_sections(page)) == SECTIONS


@each_rule
def test_the_rule_finds_the_problem_of_its_page(rule: Rule) -> None:
    problem = _sections(rule_page(rule.name))["Problem"]
    (outcome,) = _admit(rule, _pod(problem)).outcomes
    assert str(outcome.finding) == " ".join(_block(problem, "text").split())


@each_rule
def test_the_rule_finds_nothing_in_the_correction_of_its_page(rule: Rule) -> None:
    correction = _sections(rule_page(rule.name))["Correction"]
    assert _admit(rule, _pod(correction)).outcomes == ()


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if rule.severity is Severity.FIX],
    ids=lambda rule: rule.name.value,
)
def test_a_fix_makes_the_correction_of_the_problem(rule: Rule) -> None:
    sections = _sections(rule_page(rule.name))
    fixed = _admit(rule, _pod(sections["Problem"])).document
    assert _without_annotation(fixed) == _pod(sections["Correction"])


@each_rule
def test_the_settings_of_a_page_are_known(rule: Rule) -> None:
    section = _sections(rule_page(rule.name))["Settings"]
    named = re.findall(r"^- `(.*)`$", section, re.MULTILINE)
    assert bool(named) is (section.strip() != "None of its own.")
    assert set(named) <= set(documented_settings())


def test_every_setting_is_documented_and_no_other() -> None:
    page = (PAGES / "settings.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE) == list(documented_settings())


def test_the_index_links_every_rule_in_order() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\[([\w-]+)\]\(\1\.md\)", index.partition("\n## ")[0])
    assert linked == [rule.name.value for rule in RULES]
