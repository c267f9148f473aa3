"""Which rules the API server evaluates by itself."""

import pkgutil

import policies.in_cel.rules
from policies.finding import Severity
from policies.in_cel.cluster_rules import cluster_variables
from policies.in_cel.rule_in_cel import nothing
from policies.in_cel.rules import RULES_IN_CEL
from policies.in_cel.variables import before
from policies.rules import RULES
from policies.settings import Settings

RULES_BY_NAME = {rule.name: rule for rule in RULES}


def test_every_rule_is_in_cel_in_the_order_in_which_a_pod_passes_them() -> None:
    assert [rule.name for rule in RULES_IN_CEL] == [rule.name for rule in RULES]


def test_each_module_holds_one_rule_of_its_name() -> None:
    modules = sorted(module.name for module in pkgutil.iter_modules(policies.in_cel.rules.__path__))
    assert sorted(rule.name.replace("-", "_") for rule in RULES_IN_CEL) == modules


def test_each_refuses_warns_and_fixes_as_its_rule_is_meant_to() -> None:
    for rule in RULES_IN_CEL:
        of_rule = RULES_BY_NAME[rule.name]
        does = {
            Severity.FIX: rule.fixes is not nothing,
            Severity.REFUSE: rule.refusals is not nothing,
            Severity.WARN: rule.warnings is not nothing,
        }
        assert does[of_rule.severity], rule.name
        assert does[Severity.REFUSE] or not of_rule.refuses_unfixed, rule.name


def test_variables_of_the_object_alone_are_stated_of_the_old_one(settings: Settings) -> None:
    variables = cluster_variables(settings)
    old = before(variables)
    assert "containers_before" in old
    assert "selected_before" in old
    assert "pool_labels_before" not in old
    assert all("oldObject." in each or "_before" in each for each in old.values())
