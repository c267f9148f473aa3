"""What Prometheus computes once and keeps."""

from typing import Any

import pytest

from charts_py.platform.prometheus_rules import RecordingRule


@pytest.mark.parametrize(
    ("labels", "said"),
    [({}, {}), ({"pool": "h100"}, {"labels": {"pool": "h100"}})],
    ids=["without-labels", "with-labels"],
)
def test_a_recording_rule_is_a_rule_of_prometheus(
    labels: dict[str, str], said: dict[str, Any]
) -> None:
    rule = RecordingRule("pool:gpus:sum", "sum by (pool) (gpus)", labels)
    assert rule.rule() == {"record": "pool:gpus:sum", "expr": "sum by (pool) (gpus)", **said}
