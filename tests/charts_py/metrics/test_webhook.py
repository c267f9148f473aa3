"""The metrics of the admission webhook."""

from __future__ import annotations

from charts_py.metrics.webhook import WEBHOOK_METRICS
from webhook.metrics import Metrics

_SUFFIXES = {"counter": "_total", "histogram": "_bucket", "gauge": ""}


def test_the_webhook_serves_each_and_says_the_same_of_it() -> None:
    served = {
        f"{family.name}{_SUFFIXES[family.type]}": family.documentation
        for family in Metrics().registry.collect()
    }
    named = {metric.name: f"{metric.help}." for metric in WEBHOOK_METRICS}
    assert named == {name: text for name, text in served.items() if name in named}
