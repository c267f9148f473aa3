"""The rules of NetworkPolicies that are made of an address."""

from typing import Any

import pytest

from charts_py.components.network_rules import to_prometheus
from tests.charts_py.components.opened import at, in_namespace, tcp

TO_MONITORING = {"to": [in_namespace("monitoring")], "ports": [{"protocol": "TCP"}]}

ANYWHERE = [
    {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.0.0/16"]}},
    {"ipBlock": {"cidr": "::/0", "except": ["fe80::/10", "fd00:ec2::/32"]}},
]


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://prometheus-operated.monitoring.svc:9090", TO_MONITORING),
        ("http://prometheus.monitoring.svc.cluster.local/p", TO_MONITORING),
        ("http://prometheus.monitoring", TO_MONITORING),
        ("https://prometheus.example.com/p", {"to": ANYWHERE, "ports": tcp(443)}),
        ("http://192.0.2.7:9090", {"to": at("192.0.2.7/32"), "ports": tcp(9090)}),
        ("http://[2001:db8::7]", {"to": at("2001:db8::7/128"), "ports": tcp(80)}),
    ],
)
def test_prometheus_is_reached_where_its_address_says(url: str, rule: dict[str, Any]) -> None:
    assert to_prometheus(url) == rule
