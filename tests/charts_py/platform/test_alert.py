"""When Prometheus alerts on a component."""

import re

from charts_py.components.webhook.monitoring import RULE_GROUP as WEBHOOK
from charts_py.platform.alert import Alert


def test_an_alert_is_a_rule_of_prometheus() -> None:
    alert = Alert("Name", "up == 0", "5m", "warning", "It is down.")
    assert alert.rule() == {
        "alert": "Name",
        "expr": "up == 0",
        "for": "5m",
        "labels": {"severity": "warning"},
        "annotations": {"summary": "It is down."},
    }


def test_targets_are_selected_by_labels_that_they_have_whoever_scrapes() -> None:
    expressions = " ".join(alert.expression for alert in WEBHOOK.alerts)
    selectors = re.findall(r"up\{(.+?)\}", expressions)
    selected = [dict(re.findall(r'(\w+)="([^"]*)"', selector)) for selector in selectors]
    own = {"namespace": WEBHOOK.namespace, "job": WEBHOOK.name}
    assert selected
    assert [each for each in selected if each != own] == []
