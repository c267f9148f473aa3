"""Whom culling reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.idle_gpus.network import network_policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

TO_MONITORING = {
    "to": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}],
    "ports": [{"protocol": "TCP"}],
}


def to_port(port: int) -> dict[str, Any]:
    return {"ports": [{"port": port, "protocol": "TCP"}]}


@pytest.fixture
def platform(platform_of: Callable[[str], Platform], sample: Callable[..., str]) -> Platform:
    return platform_of(sample("idle-gpus"))


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://prometheus-operated.monitoring.svc:9090", TO_MONITORING),
        ("http://prometheus.monitoring.svc.cluster.local/p", TO_MONITORING),
        ("http://prometheus.monitoring", TO_MONITORING),
        ("https://prometheus.example.com/p", to_port(443)),
        ("http://192.0.2.7:9090", {"to": [{"ipBlock": {"cidr": "192.0.2.7/32"}}], **to_port(9090)}),
        ("http://[2001:db8::7]", {"to": [{"ipBlock": {"cidr": "2001:db8::7/128"}}], **to_port(80)}),
    ],
)
def test_prometheus_is_reached_where_its_address_says(
    platform: Platform, url: str, rule: dict[str, Any]
) -> None:
    assert network_policy(platform, url)["spec"]["egress"][-1] == rule


def test_besides_names_are_resolved_and_the_api_server_is_reached_and_nobody_comes_in(
    platform: Platform,
) -> None:
    spec = network_policy(platform, "http://prometheus.monitoring.svc")["spec"]
    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in spec
    names, api_server, _ = spec["egress"]
    assert {port["port"] for port in names["ports"]} == {53}
    addresses = [peer["ipBlock"]["cidr"] for peer in api_server["to"]]
    assert addresses == ["10.96.0.1/32", "192.0.2.10/32"]
