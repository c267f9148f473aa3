"""Exceptions in CEL."""

from __future__ import annotations

import datetime as dt

import pytest
from msgspec.structs import replace

from policies.finding import Severity
from policies.in_cel.action import Action, is_taken
from policies.rule_name import Mode, RuleName
from policies.settings import RuleException, Settings

DAY = dt.date(2026, 11, 23)


@pytest.mark.parametrize(
    ("action", "taken"), [(Action.DENY, "!({})"), (Action.WARN, "false"), (Action.AUDIT, "({})")]
)
def test_all_exceptions_that_expire_on_a_day_are_one_condition(action: Action, taken: str) -> None:
    rule = RuleName.IMAGE_REGISTRY
    exceptions = tuple(
        RuleException(rule, name, "a migration", "a@example.com", DAY) for name in ("a", "b", "c")
    )
    settings = replace(Settings("test", mode=Mode.ENFORCE), exceptions=exceptions)
    excepted = '(request.namespace in ["a", "b", "c"] && variables.today <= "2026-11-23")'
    assert is_taken(action, rule, Severity.REFUSE, settings) == taken.format(excepted)
