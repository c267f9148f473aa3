from typing import Any

import pytest

from charts_py.components.network_rules import network_policy_of
from charts_py.components.team import network_policies as specs
from charts_py.components.team.network_policies import network_policy_specs
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider
from tests.charts_py.components.opened import at, egress, in_namespace, ingress, tcp
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.charts_py.managed import managed

EXAMPLES = ("training", "inference", "mixed", "onprem")


def specs_of(platform: Platform, name: str) -> dict[str, Any]:
    (namespace,) = (space for space in platform.namespaces if space.name == name)
    specs = list(network_policy_specs(platform, namespace))
    assert len(specs) == len(dict(specs))
    return dict(specs)


def peers_of(spec: dict[str, Any]) -> list[Any]:
    return [
        *(peer for rule in spec.get("ingress", []) for peer in rule["from"]),
        *(peer for rule in spec.get("egress", []) for peer in rule["to"]),
    ]


def test_a_policy_stands_in_the_namespace_whose_pods_it_selects() -> None:
    spec = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert network_policy_of(ObjectMeta("default-deny", "research-training"), spec) == {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": managed("default-deny", "research-training"),
        "spec": spec,
    }


@pytest.mark.parametrize(
    ("cluster", "name", "egress"),
    [
        ("training", "research-training", ("allow-egress",)),
        ("training", "research-notebooks", ()),
        ("training", "recommendations", ()),
        ("inference", "search-batch", ()),
    ],
)
def test_a_namespace_lets_the_pods_of_jobs_reach_each_other_and_opens_nothing_outside_by_itself(
    example: Load, cluster: str, name: str, egress: tuple[str, ...]
) -> None:
    assert list(specs_of(example(cluster), name)) == [
        "default-deny",
        "allow-dns",
        "allow-identity",
        "allow-same-team",
        "allow-metrics",
        "allow-training-jobset",
        "allow-training-kubeflow",
        "allow-training-volcano",
        *egress,
    ]


def test_pods_ask_for_names_at_the_address_of_the_cluster_file(
    platform_after: PlatformWith,
) -> None:
    (rule,) = specs_of(
        platform_after("eks", ("policies:\n", "network: {dnsAddress: 172.20.0.10}\npolicies:\n")),
        "research",
    )["allow-dns"]["egress"]
    assert rule["to"][-1] == {"ipBlock": {"cidr": "172.20.0.10/32"}}


@pytest.mark.parametrize("cluster", EXAMPLES)
def test_every_peer_is_named(example: Load, cluster: str) -> None:
    platform = example(cluster)
    for namespace in platform.namespaces:
        for name, spec in specs_of(platform, namespace.name).items():
            for peer in peers_of(spec):
                assert peer
                assert all(peer.values()), f"{name} lets everybody in"


@pytest.mark.parametrize(
    ("cluster", "namespace"), [("mixed", "vision-serving"), ("onprem", "robotics")]
)
def test_where_credentials_come_over_the_internet_no_node_is_asked(
    example: Load, cluster: str, namespace: str
) -> None:
    assert "allow-identity" not in specs_of(example(cluster), namespace)


def test_namespaces_that_are_let_in_reach_all_pods(platform_after: PlatformWith) -> None:
    let_in = ("egress: [10.20.0.0/16]", "ingress: [gateway, ray-system]")
    *_, last = specs_of(platform_after("eks", let_in), "research").items()
    assert last == (
        "allow-ingress",
        ingress({"from": [in_namespace("gateway"), in_namespace("ray-system")]}),
    )


def test_a_namespace_that_may_reach_the_api_server_reaches_its_addresses_alone(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after(
        "eks",
        ("egress: [10.20.0.0/16]", "apiServer: true"),
        ("pools:\n", "network: {apiServer: [172.20.0.1/32, 10.0.1.0/24]}\npools:\n"),
    )
    assert "allow-api-server" not in specs_of(platform, "search")
    assert specs_of(platform, "research")["allow-api-server"] == egress(
        {"to": at("172.20.0.1/32", "10.0.1.0/24"), "ports": tcp(443, 6443)}
    )


@pytest.mark.parametrize(
    ("cluster", "namespace", "collectors"),
    [
        ("inference", "assistants", ("gke-gmp-system", "gmp-system")),
        ("mixed", "vision-serving", ("prometheus",)),
        ("onprem", "robotics", ("monitoring",)),
    ],
)
def test_prometheus_reaches_metrics_ports_from_where_it_collects(
    example: Load, cluster: str, namespace: str, collectors: tuple[str, ...]
) -> None:
    assert specs_of(example(cluster), namespace)["allow-metrics"] == ingress(
        {
            "from": [in_namespace(name) for name in collectors],
            "ports": tcp("metrics", 8000, 8002, 8080),
        }
    )


OUTSIDE_OF_JOBS = {
    "matchExpressions": [
        {"key": "jobset.sigs.k8s.io/jobset-name", "operator": "DoesNotExist"},
        {"key": "training.kubeflow.org/job-name", "operator": "DoesNotExist"},
        {"key": "volcano.sh/job-name", "operator": "DoesNotExist"},
    ]
}


def test_everything_is_closed_at_first() -> None:
    assert specs.default_deny() == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_names_are_resolved_by_coredns_or_at_the_node() -> None:
    dns = {"podSelector": {"matchLabels": {"k8s-app": "kube-dns"}}}
    assert specs.allow_dns(("kube-dns",), None) == egress(
        {
            "to": [in_namespace("kube-system") | dns, *at("169.254.0.0/16")],
            "ports": [{"port": 53, "protocol": "UDP"}, *tcp(53)],
        }
    )


@pytest.mark.parametrize(
    ("provider", "labels"),
    [
        (Provider.EKS, ["kube-dns"]),
        (Provider.GKE, ["kube-dns", "node-local-dns"]),
        (Provider.AKS, ["kube-dns"]),
        (Provider.ONPREM, ["kube-dns", "node-local-dns"]),
    ],
)
def test_names_are_resolved_by_what_a_provider_runs_on_the_nodes(
    provider: Provider, labels: list[str]
) -> None:
    (rule,) = specs.allow_dns(PROVIDERS[provider].dns_pods, None)["egress"]
    *pods, _ = rule["to"]
    assert pods == [
        in_namespace("kube-system") | {"podSelector": {"matchLabels": {"k8s-app": label}}}
        for label in labels
    ]


@pytest.mark.parametrize(
    ("address", "cidr"), [("10.96.0.10", "10.96.0.10/32"), ("fd00::a", "fd00::a/128")]
)
def test_names_are_resolved_at_the_address_that_a_cluster_gives(address: str, cidr: str) -> None:
    (rule,) = specs.allow_dns(("kube-dns",), address)["egress"]
    assert rule["to"][1:] == at("169.254.0.0/16", cidr)


@pytest.mark.parametrize(
    ("provider", "rules"),
    [
        (Provider.EKS, [("169.254.170.23/32", [80]), ("fd00:ec2::23/128", [80])]),
        (Provider.GKE, [("169.254.169.252/32", [987, 988]), ("169.254.169.254/32", [80])]),
    ],
)
def test_pods_reach_what_gives_them_their_own_credentials(
    provider: Provider, rules: list[tuple[str, list[int]]]
) -> None:
    assert specs.allow_identity(PROVIDERS[provider].identity_endpoints) == egress(
        *({"to": at(cidr), "ports": tcp(*ports)} for cidr, ports in rules)
    )


def test_a_team_reaches_its_own_pods_but_not_those_of_jobs() -> None:
    team = {"namespaceSelector": {"matchLabels": {"gpuplane.io/team": "research"}}}
    assert specs.allow_same_team("research") == {
        "podSelector": OUTSIDE_OF_JOBS,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [team]}],
        "egress": [{"to": [team]}],
    }


@pytest.mark.parametrize(
    "label",
    ["jobset.sigs.k8s.io/jobset-name", "training.kubeflow.org/job-name", "volcano.sh/job-name"],
)
def test_pods_of_jobs_reach_each_other_in_their_namespace_on_all_ports(label: str) -> None:
    of_jobs = {"matchExpressions": [{"key": label, "operator": "Exists"}]}
    assert specs.allow_training(label) == {
        "podSelector": of_jobs,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [{"podSelector": of_jobs}]}],
        "egress": [{"to": [{"podSelector": of_jobs}]}],
    }


def test_egress_is_over_tls_to_what_is_said() -> None:
    assert specs.allow_egress(("10.20.0.0/16", "203.0.113.0/24")) == egress(
        {"to": at("10.20.0.0/16", "203.0.113.0/24"), "ports": tcp(443)}
    )


def test_egress_to_google_is_to_its_fixed_addresses() -> None:
    assert specs.allow_egress(("restricted.googleapis.com", "private.googleapis.com")) == egress(
        {"to": at("199.36.153.4/30", "199.36.153.8/30"), "ports": tcp(443)}
    )


@pytest.mark.parametrize(
    ("cidr", "metadata"),
    [
        ("0.0.0.0/0", ["169.254.0.0/16"]),
        ("169.0.0.0/8", ["169.254.0.0/16"]),
        ("::/0", ["fe80::/10", "fd00:ec2::/32"]),
        ("fd00::/8", ["fd00:ec2::/32"]),
    ],
)
def test_egress_that_covers_the_nodes_metadata_leaves_it_out(
    cidr: str, metadata: list[str]
) -> None:
    (rule,) = specs.allow_egress((cidr,))["egress"]
    assert rule["to"] == [{"ipBlock": {"cidr": cidr, "except": metadata}}]


def test_egress_to_what_is_not_a_cidr_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^'example\.com' does not appear to be an IPv4 or IPv6"):
        specs.allow_egress(("example.com",))
