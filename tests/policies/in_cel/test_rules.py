"""Which rules the API server evaluates by itself."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import policies.in_cel.rules
from policies.in_cel.cluster_rules import cluster_variables
from policies.in_cel.rules import NOT_IN_CEL, RULES_IN_CEL
from policies.in_cel.variables import before
from policies.rules import RULES
from policies.settings import Settings

PAGE = Path(__file__).parents[3] / "docs" / "policies" / "README.md"


def test_each_rule_is_in_cel_or_says_why_not_in_the_order_of_the_rules() -> None:
    in_cel = [rule.name for rule in RULES_IN_CEL]
    assert [rule.name for rule in RULES if rule.name not in NOT_IN_CEL] == in_cel
    assert {*in_cel, *NOT_IN_CEL} == {rule.name for rule in RULES}


def test_each_module_holds_one_rule_of_its_name() -> None:
    modules = sorted(module.name for module in pkgutil.iter_modules(policies.in_cel.rules.__path__))
    assert sorted(rule.name.replace("-", "_") for rule in RULES_IN_CEL) == modules


def test_the_page_says_why_each_of_the_others_is_not_there() -> None:
    table = PAGE.read_text().partition("## What the API server refuses by itself")[2]
    rows = re.findall(r"^\| \[([a-z-]+)\]\([a-z-]+\.md\) \| (.+) \|$", table, re.MULTILINE)
    assert dict(rows) == {name.value: reason for name, reason in NOT_IN_CEL.items()}


def test_variables_of_the_object_alone_are_stated_of_the_old_one(settings: Settings) -> None:
    variables = cluster_variables(settings)
    old = before(variables)
    assert "old_containers" in old
    assert "old_selected" in old
    assert "old_pool_labels" not in old
    assert all("oldObject." in each or "variables.old_" in each for each in old.values())
