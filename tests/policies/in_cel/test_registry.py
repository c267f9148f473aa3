"""Which rules there are in CEL."""

from policies.in_cel.rule_in_cel import nothing
from policies.in_cel.rules import NOT_IN_CEL, RULES_IN_CEL
from policies.rules import RULES

IN_CEL = [rule.name for rule in RULES_IN_CEL]


def test_every_rule_is_in_cel_or_named_with_the_reason() -> None:
    assert {rule.name for rule in RULES} - set(IN_CEL) <= set(NOT_IN_CEL)


def test_they_stand_in_the_order_in_which_a_pod_passes_them() -> None:
    assert [rule.name for rule in RULES if rule.name in IN_CEL] == IN_CEL


def test_each_finds_or_fixes_something() -> None:
    assert all({rule.refusals, rule.warnings, rule.fixes} != {nothing} for rule in RULES_IN_CEL)


def test_what_is_left_out_is_said_of_rules_that_are_there_in_part() -> None:
    in_part = {rule.name for rule in RULES_IN_CEL if rule.refusals is nothing}
    assert set(NOT_IN_CEL) <= in_part
