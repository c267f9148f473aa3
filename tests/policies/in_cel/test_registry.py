"""Which rules the API server evaluates by itself."""

import pkgutil

import policies.rules
from policies.cel.variables import before
from policies.finding import Severity
from policies.in_cel.cluster_rules import cluster_variables
from policies.rule import nothing
from policies.rule_name import RuleName
from policies.rules import RULES
from policies.settings import Settings


def test_each_rule_name_is_that_of_one_rule_which_has_a_module_of_its_name() -> None:
    modules = sorted(module.name for module in pkgutil.iter_modules(policies.rules.__path__))
    assert sorted(rule.name for rule in RULES) == sorted(RuleName)
    assert sorted(rule.prefix for rule in RULES) == modules


def test_each_refuses_warns_and_fixes_in_cel_as_it_is_meant_to() -> None:
    for rule in RULES:
        does = {
            Severity.FIX: rule.in_cel.fixes is not nothing,
            Severity.REFUSE: rule.in_cel.refusals is not nothing,
            Severity.WARN: rule.in_cel.warnings is not nothing,
        }
        assert does[rule.severity], rule.name
        assert does[Severity.REFUSE] or not rule.refuses_unfixed, rule.name


def test_variables_of_the_object_alone_are_stated_of_the_old_one(settings: Settings) -> None:
    variables = cluster_variables(settings)
    old = before(variables)
    assert "containers_before" in old
    assert "selected_before" in old
    assert "pool_labels_before" not in old
    assert all("oldObject." in each or "_before" in each for each in old.values())
