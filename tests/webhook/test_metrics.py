from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from webhook.metrics import Metrics

PAGE = Path(__file__).parents[2] / "docs" / "policies" / "metrics.md"


def test_every_metric_is_documented_and_no_other() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE) == [
        (f"{family.name}{'_total' if family.type == 'counter' else ''}", family.type)
        for family in Metrics().registry.collect()
    ]


def test_metrics_of_two_webhooks_stay_apart() -> None:
    one, other = Metrics(), Metrics()
    one.loaded_certificate(dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
    name = "gpuplane_webhook_certificate_expiry_timestamp_seconds"
    assert one.registry.get_sample_value(name) == 1798761600.0
    assert other.registry.get_sample_value(name) == 0


def test_replaced_settings_are_no_longer_in_force() -> None:
    metrics = Metrics()
    for digest in ("one", "two"):
        metrics.loaded_settings("training", digest)
    values = [
        metrics.registry.get_sample_value(
            "gpuplane_webhook_settings_info", {"cluster": "training", "digest": digest}
        )
        for digest in ("one", "two")
    ]
    assert values == [0, 1]
