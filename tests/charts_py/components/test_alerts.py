import re
from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from charts_py.components.registry import DEFINITIONS
from charts_py.platform.metrics_collection import Alert, Recipient, Severity
from charts_py.platform.platform import Platform
from tests.e2e.monitoring.rule_files import MONITORED, monitored_platform
from tests.e2e.monitoring.scenario import ComponentScenarios, read_scenarios


@pytest.fixture(scope="module")
def defined(platforms: Mapping[str, Platform]) -> set[tuple[str, str]]:
    return _alerts([*platforms.values(), *map(monitored_platform, MONITORED)])


def _alerts(platforms: Iterable[Platform]) -> set[tuple[str, str]]:
    """Return component and name of each alert."""
    return {
        (definition.name, alert.name)
        for platform in platforms
        for definition in DEFINITIONS
        if definition.is_wanted(platform)
        for group in definition.rules.groups(platform)
        for alert in group.alerts
    }


def test_every_alert_is_in_the_reference_and_on_some_platform(
    defined: set[tuple[str, str]],
) -> None:
    documented = {(d.name, alert.name) for d in DEFINITIONS for alert in d.rules.alerts()}
    assert documented == defined


def test_every_alert_has_a_scenario_in_which_it_fires(defined: set[tuple[str, str]]) -> None:
    fired = {(each.component, alert) for each in read_scenarios() for alert in each.fired}
    assert defined - fired == set()


def test_every_alert_has_a_scenario_in_which_it_keeps_silent(defined: set[tuple[str, str]]) -> None:
    silent = {
        (each.component, scenario.alert)
        for each in read_scenarios()
        for scenario in each.scenarios
        if not scenario.firing
    }
    assert defined - silent == set()


@pytest.mark.parametrize("played", read_scenarios(), ids=lambda each: each.component)
def test_scenarios_are_of_alerts_that_their_cluster_has(played: ComponentScenarios) -> None:
    alerts = {(played.component, each.alert) for each in played.scenarios}
    assert alerts - _alerts([monitored_platform(played.cluster)]) == set()


def test_no_two_components_have_an_alert_of_one_name(defined: set[tuple[str, str]]) -> None:
    names = Counter(name for _, name in defined)
    assert [name for name, count in names.items() if count > 1] == []


ALERTS = [alert for definition in DEFINITIONS for alert in definition.rules.alerts()]
each_alert = pytest.mark.parametrize("alert", ALERTS, ids=lambda each: each.name)


@each_alert
def test_whoever_is_woken_is_told_why_at_once_and_nobody_else_is(alert: Alert) -> None:
    is_critical = alert.severity is Severity.CRITICAL
    assert (alert.recipient is Recipient.ON_CALL, bool(alert.urgency)) == (is_critical,) * 2


@each_alert
def test_what_to_do_is_told_in_sentences(alert: Alert) -> None:
    texts = [alert.summary, alert.remedy, *([alert.urgency] if alert.urgency else [])]
    assert [text for text in texts if not text.endswith(".")] == []


_OF_A_TEAM = re.compile(r"group_left \(team\)|\bteam:gpuplane_|\bgpu:gpuplane_last_used:")
"""What has the label `team`."""


@each_alert
def test_a_team_is_told_by_its_label(alert: Alert) -> None:
    is_of_team = alert.recipient is Recipient.TEAM
    assert is_of_team == bool(_OF_A_TEAM.search(alert.expression))
