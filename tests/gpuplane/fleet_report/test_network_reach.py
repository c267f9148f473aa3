from collections.abc import Mapping
from typing import Any

from gpuplane.fleet_report.network_reach import NAMESPACE_LABEL, Network
from gpuplane.plan.network_openings import Direction, Opening, openings_of
from gpus.platform_names import TEAM

TEAM_A = {"namespaceSelector": {"matchLabels": {TEAM: "a"}}}
ALL_OF_A = {"ingress": [{"from": [TEAM_A]}], "egress": [{"to": [TEAM_A]}]}
CLOSED: dict[str, Any] = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def _policy(namespace: str, name: str, **spec: object) -> dict[str, Any]:
    return {"metadata": {"namespace": namespace, "name": name}, "spec": {"podSelector": {}, **spec}}


def _network(*policies: dict[str, Any]) -> Network:
    labels = {"a1": {TEAM: "a"}, "a2": {TEAM: "a"}, "b": {TEAM: "b"}}
    closed = tuple(_policy(name, "default-deny", **CLOSED) for name in labels)
    stated = (*closed, *policies)
    return Network(labels, stated, tuple(each for one in stated for each in openings_of(one)))


def _reach(network: Network) -> dict[tuple[str, str], str | None]:
    pairs = (("a1", "a1"), ("a1", "a2"), ("a2", "a1"), ("a1", "b"), ("b", "a1"))
    return {pair: network.reach(*pair) for pair in pairs}


def test_nobody_reaches_what_no_policy_opens() -> None:
    assert set(_reach(_network()).values()) == {None}


def test_a_connection_needs_a_rule_on_both_sides() -> None:
    one_side = _network(_policy("a1", "team", **ALL_OF_A))
    assert _reach(one_side)["a1", "a1"] == "all"
    assert _reach(one_side)["a1", "a2"] is None
    both = _network(_policy("a1", "team", **ALL_OF_A), _policy("a2", "team", **ALL_OF_A))
    assert list(_reach(both).values()) == ["all", "all", "all", None, None]


def test_rules_of_some_pods_or_ports_say_so() -> None:
    pods = {"podSelector": {"matchExpressions": [{"key": "job", "operator": "DoesNotExist"}]}}
    some = _network(_policy("a1", "team", **ALL_OF_A, **pods))
    assert some.reach("a1", "a1") == "some pods"
    ports = [{"port": 8080}, {"port": 53, "protocol": "UDP"}, {"port": 9000, "endPort": 9009}]
    limited = _network(_policy("a1", "team", egress=[{"to": [TEAM_A]}], ingress=[{"ports": ports}]))
    assert limited.reach("a1", "a1") == "all pods: 8080, 53/UDP, 9000-9009"


def test_ports_that_exclude_each_other_let_nobody_through() -> None:
    rules = {"egress": [{"ports": [{"port": 1}]}], "ingress": [{"ports": [{"port": 2}]}]}
    assert _network(_policy("a1", "team", **rules)).reach("a1", "a1") is None


def test_a_namespace_that_nothing_closes_is_open_on_its_side() -> None:
    peer = {"namespaceSelector": {"matchLabels": {NAMESPACE_LABEL: "monitoring"}}}
    network = _network(_policy("b", "metrics", ingress=[{"from": [peer], "ports": [{"port": 80}]}]))
    assert network.sources == ("a1", "a2", "b", "monitoring")
    assert network.reach("monitoring", "b") == "all pods: 80"


def test_what_reaches_a_namespace_is_looked_for_among_its_own_openings_alone() -> None:
    names = [f"n{number}" for number in range(40)]
    asked: list[str] = []

    class Counted(Opening):
        def lets_through(self, namespace: str, labels: Mapping[str, str]) -> bool:
            asked.append(self.namespace)
            return super().lets_through(namespace, labels)

    openings = tuple(
        Counted(name, "team", direction, {}, TEAM_A, frozenset())
        for name in names
        for direction in Direction
    )
    network = Network({name: {TEAM: "a"} for name in names}, (), openings)
    network.reach("n0", "n1")
    assert asked == ["n0", "n1"]


def test_addresses_are_told_with_their_ports_and_reach_no_pods() -> None:
    block = {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.0.0/16"]}}
    network = _network(_policy("b", "out", egress=[{"to": [block], "ports": [{"port": 443}]}]))
    assert network.addresses("b") == ("0.0.0.0/0 without 169.254.0.0/16 (443)",)
    assert network.reach("b", "a1") is None
