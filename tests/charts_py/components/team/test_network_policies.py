"""Who reaches the pods of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.team import network_policies as policies
from charts_py.components.team.network_policies import (
    TeamNetworkPolicies,
    TeamNetworkPoliciesProps,
)
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

EXAMPLES = ("training", "inference", "mixed", "onprem")

OUTSIDE_OF_JOBS = {
    "matchExpressions": [
        {"key": "jobset.sigs.k8s.io/jobset-name", "operator": "DoesNotExist"},
        {"key": "training.kubeflow.org/job-name", "operator": "DoesNotExist"},
    ]
}


@pytest.fixture
def policies_of(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> Callable[[Platform, str], tuple[Document, ...]]:
    def emit(platform: Platform, name: str) -> tuple[Document, ...]:
        (namespace,) = (space for space in platform.namespaces if space.name == name)
        props = TeamNetworkPoliciesProps(
            namespace,
            platform.cluster.addons.monitoring.namespace,
            PROVIDERS[platform.cluster.provider].identity_endpoints,
        )
        return documents_of(lambda scope: TeamNetworkPolicies(scope, "policies", props))

    return emit


def names(documents: tuple[Document, ...]) -> list[str]:
    return [document["metadata"]["name"] for document in documents]


def peers_of(document: Document) -> list[Any]:
    spec = document["spec"]
    return [
        *(peer for rule in spec.get("ingress", []) for peer in rule["from"]),
        *(peer for rule in spec.get("egress", []) for peer in rule["to"]),
    ]


def test_a_policy_stands_in_the_namespace_whose_pods_it_selects(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
) -> None:
    first, *_ = policies_of(example("training"), "research-training")
    assert first == {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {
            "name": "default-deny",
            "namespace": "research-training",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "spec": {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]},
    }


def test_a_training_namespace_lets_the_pods_of_jobs_reach_each_other(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
) -> None:
    assert names(policies_of(example("training"), "research-training")) == [
        "default-deny",
        "allow-dns",
        "allow-identity",
        "allow-same-team",
        "allow-metrics",
        "allow-training-jobset",
        "allow-training-kubeflow",
        "allow-egress",
    ]


def test_a_batch_namespace_runs_jobs_of_several_pods_too(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
) -> None:
    assert names(policies_of(example("inference"), "search-batch")) == [
        "default-deny",
        "allow-dns",
        "allow-identity",
        "allow-same-team",
        "allow-metrics",
        "allow-training-jobset",
        "allow-training-kubeflow",
    ]


@pytest.mark.parametrize("name", ["research-notebooks", "recommendations"])
def test_a_namespace_without_egress_opens_nothing_outside_the_cluster(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
    name: str,
) -> None:
    assert names(policies_of(example("training"), name)) == [
        "default-deny",
        "allow-dns",
        "allow-identity",
        "allow-same-team",
        "allow-metrics",
    ]


@pytest.mark.parametrize("cluster", EXAMPLES)
def test_every_peer_is_named(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
    cluster: str,
) -> None:
    platform = example(cluster)
    for namespace in platform.namespaces:
        for document in policies_of(platform, namespace.name):
            assert document["metadata"]["namespace"] == namespace.name
            for peer in peers_of(document):
                assert peer
                assert all(peer.values()), f"{document['metadata']['name']} lets everybody in"


def test_names_are_resolved_by_coredns_or_at_the_node() -> None:
    assert policies.allow_dns() == {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [
            {
                "to": [
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": "kube-system"}
                        },
                        "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
                    },
                    {"ipBlock": {"cidr": "169.254.0.0/16"}},
                ],
                "ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}],
            }
        ],
    }


@pytest.mark.parametrize(
    ("provider", "rules"),
    [
        (
            Provider.EKS,
            [("169.254.170.23/32", [80]), ("fd00:ec2::23/128", [80])],
        ),
        (
            Provider.GKE,
            [("169.254.169.252/32", [987, 988]), ("169.254.169.254/32", [80])],
        ),
    ],
)
def test_pods_reach_what_gives_them_their_own_credentials(
    provider: Provider, rules: list[tuple[str, list[int]]]
) -> None:
    assert policies.allow_identity(PROVIDERS[provider].identity_endpoints) == {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [
            {
                "to": [{"ipBlock": {"cidr": cidr}}],
                "ports": [{"port": port, "protocol": "TCP"} for port in ports],
            }
            for cidr, ports in rules
        ],
    }


@pytest.mark.parametrize(
    ("cluster", "namespace"), [("mixed", "vision-serving"), ("onprem", "robotics")]
)
def test_where_credentials_come_over_the_internet_no_node_is_asked(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
    cluster: str,
    namespace: str,
) -> None:
    assert "allow-identity" not in names(policies_of(example(cluster), namespace))


def test_namespaces_that_are_let_in_reach_all_pods(
    sample: Callable[..., str],
    platform_of: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
) -> None:
    let_in = ("egress: [10.20.0.0/16]", "ingress: [gateway, ray-system]")
    *_, last = policies_of(platform_of(sample("eks", let_in)), "research")
    assert (last["metadata"]["name"], last["spec"]) == (
        "allow-ingress",
        {
            "podSelector": {},
            "policyTypes": ["Ingress"],
            "ingress": [
                {
                    "from": [
                        {
                            "namespaceSelector": {
                                "matchLabels": {"kubernetes.io/metadata.name": name}
                            }
                        }
                        for name in ("gateway", "ray-system")
                    ]
                }
            ],
        },
    )


def test_a_team_reaches_its_own_pods_but_not_those_of_jobs() -> None:
    team = {"namespaceSelector": {"matchLabels": {"gpuplane.io/team": "research"}}}
    assert policies.allow_same_team("research") == {
        "podSelector": OUTSIDE_OF_JOBS,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [team]}],
        "egress": [{"to": [team]}],
    }


@pytest.mark.parametrize(
    "label", ["jobset.sigs.k8s.io/jobset-name", "training.kubeflow.org/job-name"]
)
def test_pods_of_jobs_reach_each_other_in_their_namespace_on_all_ports(label: str) -> None:
    of_jobs = {"matchExpressions": [{"key": label, "operator": "Exists"}]}
    assert policies.allow_training(label) == {
        "podSelector": of_jobs,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [{"podSelector": of_jobs}]}],
        "egress": [{"to": [{"podSelector": of_jobs}]}],
    }


def test_prometheus_reaches_metrics_ports_from_its_namespace(
    example: Callable[[str], Platform],
    policies_of: Callable[[Platform, str], tuple[Document, ...]],
) -> None:
    (document,) = (
        document
        for document in policies_of(example("inference"), "assistants")
        if document["metadata"]["name"] == "allow-metrics"
    )
    assert document["spec"] == {
        "podSelector": {},
        "policyTypes": ["Ingress"],
        "ingress": [
            {
                "from": [
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": "gmp-public"}
                        }
                    }
                ],
                "ports": [
                    {"port": "metrics", "protocol": "TCP"},
                    {"port": 8000, "protocol": "TCP"},
                    {"port": 8002, "protocol": "TCP"},
                    {"port": 8080, "protocol": "TCP"},
                ],
            }
        ],
    }


def test_egress_is_over_tls_to_what_is_said() -> None:
    assert policies.allow_egress(("10.20.0.0/16", "203.0.113.0/24")) == {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [
            {
                "to": [
                    {"ipBlock": {"cidr": "10.20.0.0/16"}},
                    {"ipBlock": {"cidr": "203.0.113.0/24"}},
                ],
                "ports": [{"port": 443, "protocol": "TCP"}],
            }
        ],
    }


@pytest.mark.parametrize(
    ("cidr", "link_local"),
    [
        ("0.0.0.0/0", "169.254.0.0/16"),
        ("169.0.0.0/8", "169.254.0.0/16"),
        ("::/0", "fe80::/10"),
    ],
)
def test_egress_that_covers_the_nodes_metadata_leaves_it_out(cidr: str, link_local: str) -> None:
    (rule,) = policies.allow_egress((cidr,))["egress"]
    assert rule["to"] == [{"ipBlock": {"cidr": cidr, "except": [link_local]}}]


def test_egress_to_what_is_no_cidr_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^'example\.com' does not appear to be an IPv4 or IPv6"):
        policies.allow_egress(("example.com",))
