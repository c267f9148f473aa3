"""The NetworkPolicies of a team's namespace."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.team.network_policy_specs import (
    PolicySpec,
    allow_api_server,
    allow_dns,
    allow_egress,
    allow_identity,
    allow_ingress,
    allow_metrics,
    allow_same_team,
    allow_training,
    default_deny,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, TeamNamespace
from policies.workloads.team_resources import isolated_job_labels


def network_policy(namespace: str, name: str, spec: Mapping[str, Any]) -> Document:
    """Return a NetworkPolicy."""
    metadata = ObjectMeta(name, namespace)
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})


def network_policy_specs(
    platform: Platform, namespace: TeamNamespace
) -> Iterator[tuple[str, PolicySpec]]:
    """Yield the name of each NetworkPolicy of a namespace, with its `spec`."""
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
