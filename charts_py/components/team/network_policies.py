"""The NetworkPolicies of a team's namespace close it, and open what its pods need."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any, TypeAlias

from charts_py.cluster_file.text_forms import GOOGLE_APIS
from charts_py.components.network_rules import (
    from_namespaces,
    in_namespace,
    ip_block,
    tcp,
    to_prometheus,
)
from charts_py.platform.name_rule import LINK_LOCAL_IPV4
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.provider_facts import IdentityEndpoint
from gpus.platform_names import TEAM
from policies.workloads.team_resources import isolated_job_labels

PolicySpec: TypeAlias = dict[str, Any]
_METRICS_PORTS: tuple[int | str, ...] = ("metrics", 8000, 8002, 8080)
"""The port that a pod names `metrics`, and those where servers that have none serve metrics: vLLM
(https://docs.vllm.ai/en/latest/usage/metrics.html), Triton
(https://github.com/triton-inference-server/server, docs/user_guide/metrics.md) and Ray
(https://docs.ray.io/en/latest/cluster/kubernetes/k8s-ecosystem/prometheus-grafana.html)."""
_API_SERVER_PORTS = (443, 6443)
"""Ports of the Service `kubernetes`, and of the endpoints in clouds and with kubeadm
(https://kubernetes.io/docs/reference/networking/ports-and-protocols/)."""


def network_policy_specs(
    platform: Platform, namespace: TeamNamespace
) -> Iterator[tuple[str, PolicySpec]]:
    """Yield the name of each NetworkPolicy of a namespace, with its `spec`.

    Policies only add up (https://kubernetes.io/docs/concepts/services-networking/network-policies/):
    `default-deny` closes everything, and each further policy opens one thing.
    """
    yield "default-deny", default_deny()
    yield "allow-dns", allow_dns(platform.provider.dns_pods, platform.cluster.network.dns_address)
    if platform.provider.identity_endpoints:
        yield "allow-identity", allow_identity(platform.provider.identity_endpoints)
    yield "allow-same-team", allow_same_team(namespace.team_name)
    yield "allow-metrics", allow_metrics(platform.monitoring.namespaces)
    for owner, label in isolated_job_labels().items():
        yield f"allow-training-{owner}", allow_training(label)
    if namespace.spec.egress:
        yield "allow-egress", allow_egress(namespace.spec.egress)
    if namespace.spec.api_server:
        yield "allow-api-server", allow_api_server(platform.cluster.network.api_server)
    if namespace.spec.ingress:
        yield "allow-ingress", allow_ingress(namespace.spec.ingress)


def default_deny() -> PolicySpec:
    """Close every pod, in both directions."""
    return {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def allow_dns(pods: tuple[str, ...], service: str | None) -> PolicySpec:
    """Let every pod resolve names: at pods with such labels `k8s-app`, or at its node.

    NodeLocal DNSCache, AKS LocalDNS and Cloud DNS for GKE answer at link-local addresses, each at
    its own; on port 53 they only resolve names. A cache in the network of its node is no pod to
    Calico: it answers at the address of the Service, which is allowed where it is known.
    https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/

    Raises ValueError where the address is none.
    """
    in_system = in_namespace(KUBE_SYSTEM_NAMESPACE)
    networks = (LINK_LOCAL_IPV4, *((str(ip_network(service)),) if service else ()))
    peers = [
        *({**in_system, "podSelector": {"matchLabels": {"k8s-app": label}}} for label in pods),
        *({"ipBlock": {"cidr": network}} for network in networks),
    ]
    ports = [{"port": 53, "protocol": protocol} for protocol in ("UDP", "TCP")]
    return _egress({"to": peers, "ports": ports})


def allow_identity(endpoints: tuple[IdentityEndpoint, ...]) -> PolicySpec:
    """Let every pod fetch the credentials of its own identity, where its node hands them out."""
    return _egress(
        *(
            {"to": [{"ipBlock": {"cidr": endpoint.cidr}}], "ports": tcp(endpoint.ports)}
            for endpoint in endpoints
        )
    )


def allow_same_team(team_name: str) -> PolicySpec:
    """Let pods in all namespaces of the team reach each other, but not the pods of training jobs.

    What listens in those, such as a rendezvous, does not authenticate its clients.
    """
    team = {"namespaceSelector": {"matchLabels": {TEAM: team_name}}}
    labels = isolated_job_labels().values()
    return {
        "podSelector": {
            "matchExpressions": [{"key": label, "operator": "DoesNotExist"} for label in labels]
        },
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [team]}],
        "egress": [{"to": [team]}],
    }


def allow_training(job_label: str) -> PolicySpec:
    """Let the pods of jobs in this namespace reach each other: workers, coordinator and rings.

    On all ports: a rendezvous listens where the job says, and NCCL on whatever port is free
    (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html). A policy
    cannot compare the labels of two pods, so that jobs of one namespace reach each other, too.
    """
    pods = {"matchExpressions": [{"key": job_label, "operator": "Exists"}]}
    return {
        "podSelector": pods,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [{"podSelector": pods}]}],
        "egress": [{"to": [{"podSelector": pods}]}],
    }


def allow_metrics(collectors: tuple[str, ...]) -> PolicySpec:
    """Let Prometheus, in these namespaces, scrape every pod, at the ports of metrics."""
    return _ingress(from_namespaces(collectors, *_METRICS_PORTS))


def allow_egress(destinations: tuple[str, ...]) -> PolicySpec:
    """Let every pod reach these addresses over TLS, and never a node's metadata.

    Raises ValueError where one is neither a CIDR nor a name with fixed addresses.
    """
    cidrs = (GOOGLE_APIS.get(each, each) for each in destinations)
    return _egress({"to": [{"ipBlock": ip_block(cidr)} for cidr in cidrs], "ports": tcp([443])})


def allow_api_server(cidrs: tuple[str, ...]) -> PolicySpec:
    """Let every pod reach the API server at these addresses; it asks who they are itself."""
    peers = [{"ipBlock": {"cidr": cidr}} for cidr in cidrs]
    return _egress({"to": peers, "ports": tcp(_API_SERVER_PORTS)})


def bucket_client_egress(
    platform: Platform, destinations: tuple[str, ...]
) -> Iterator[Mapping[str, Any]]:
    """Yield what a pod of the platform reaches that reads buckets: DNS, its identity, and these."""
    provider = platform.provider
    yield from allow_dns(provider.dns_pods, platform.cluster.network.dns_address)["egress"]
    if provider.identity_endpoints:
        yield from allow_identity(provider.identity_endpoints)["egress"]
    if destinations:
        yield from allow_egress(destinations)["egress"]


def prometheus_client_egress(platform: Platform) -> Iterator[Mapping[str, Any]]:
    """Yield what a controller reaches that asks Prometheus: DNS, the API server, and Prometheus."""
    network, url = platform.cluster.network, platform.cluster.addons.monitoring.prometheus_url
    yield from allow_dns(platform.provider.dns_pods, network.dns_address)["egress"]
    yield from allow_api_server(network.api_server)["egress"]
    if url:
        yield to_prometheus(url)


def allow_ingress(namespaces: tuple[str, ...]) -> PolicySpec:
    """Let all pods of these namespaces reach every pod, on all ports."""
    return _ingress({"from": [in_namespace(name) for name in namespaces]})


def _ingress(rule: Mapping[str, Any]) -> PolicySpec:
    return {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [rule]}


def _egress(*rules: Mapping[str, Any]) -> PolicySpec:
    return {"podSelector": {}, "policyTypes": ["Egress"], "egress": list(rules)}
