import datetime as dt

import pytest
from msgspec.structs import replace

from policies.rule_name import Mode, RuleName
from policies.settings import PoolSettings, RuleException, Settings

EXPIRES = dt.date(2026, 12, 31)
RULE = RuleName.HOST_IPC


def _mode(settings: Settings, namespace: str = "plain", today: dt.date = EXPIRES) -> Mode:
    return settings.mode_of(RULE, namespace, today)


def test_the_namespace_decides_before_the_rule_before_the_cluster(settings: Settings) -> None:
    plain = replace(settings.namespaces["plain"], modes={RULE: Mode.OFF})
    by_rule = replace(settings, modes={RULE: Mode.WARN})
    by_namespace = replace(by_rule, namespaces={"plain": plain})
    assert [_mode(s) for s in (settings, by_rule, by_namespace)] == [
        Mode.ENFORCE,
        Mode.WARN,
        Mode.OFF,
    ]


@pytest.mark.parametrize(
    ("namespace", "day", "mode"),
    [
        ("plain", EXPIRES, Mode.AUDIT),
        ("plain", EXPIRES + dt.timedelta(days=1), Mode.ENFORCE),
        ("training", EXPIRES, Mode.ENFORCE),
    ],
)
def test_an_exception_only_reports_in_its_namespace_to_its_last_day(
    settings: Settings, namespace: str, day: dt.date, mode: Mode
) -> None:
    exception = RuleException(RULE, "plain", "old code", "a@example.com", EXPIRES)
    assert _mode(replace(settings, exceptions=(exception,)), namespace, day) is mode


def test_an_exception_does_not_turn_on_a_rule_that_is_off(settings: Settings) -> None:
    exception = RuleException(RULE, "plain", "old code", "a@example.com", EXPIRES)
    assert _mode(replace(settings, mode=Mode.OFF, exceptions=(exception,))) is Mode.OFF


def test_another_name_of_a_resource_adds_no_allocations(dra_pool: PoolSettings) -> None:
    assert [resource.per_node for resource in dra_pool.resources] == [8, 8]
    assert dra_pool.allocations == 8
