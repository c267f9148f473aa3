"""When Prometheus alerts on a component."""

import re

import pytest

from charts_py.components.node_readiness.alerts import ALERT_GROUP as NODE_READINESS
from charts_py.components.webhook.monitoring import ALERT_GROUP as WEBHOOK
from charts_py.platform.alert import Alert, AlertGroup


def test_an_alert_is_a_rule_of_prometheus() -> None:
    alert = Alert("Name", "up == 0", "5m", "warning", "It is down.")
    assert alert.rule() == {
        "alert": "Name",
        "expr": "up == 0",
        "for": "5m",
        "labels": {"severity": "warning"},
        "annotations": {"summary": "It is down."},
    }


@pytest.mark.parametrize("group", [WEBHOOK, NODE_READINESS], ids=lambda group: group.name)
def test_targets_are_selected_by_labels_that_they_have_whoever_scrapes(group: AlertGroup) -> None:
    for alert in group.alerts:
        for selector in re.findall(r"up\{(.+?)\}", alert.expression):
            selected = dict(re.findall(r'(\w+)="([^"]*)"', selector))
            assert selected == {"namespace": group.namespace, "job": group.name}
