"""What the members of a team may do in its namespaces, on every platform.

A team creates each kind of workload that `policies.workloads` says is a team's and in its roles,
whether or not a platform has its operator, since the rules know where its pods are. What serves
several teams, has a pod on every node or is made by a controller is only read, and so is each
`status`, except where a command-line client of the team's own writes it.
"""

from collections.abc import Iterator

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.platform.contribution import Access, Use
from policies.workloads.team_resources import (
    created_resources,
    read_only_resources,
    scale_resources,
    status_resources,
    written_status_resources,
)
from upstream.kubernetes_version import KubernetesVersion

_RUN = (
    Access("", ("configmaps", "persistentvolumeclaims", "services"), Use.RUN),
    Access("autoscaling", ("horizontalpodautoscalers",), Use.RUN),
    # A Gateway's owner says whose routes it takes.
    Access("gateway.networking.k8s.io", ("httproutes",), Use.RUN),
    # Not ServiceMonitors, whose fields `bearerTokenFile` and `caFile` name files of Prometheus.
    Access("monitoring.coreos.com", ("podmonitors",), Use.RUN),
)
"""What workloads need."""

_CLAIMS = Access("resource.k8s.io", ("resourceclaims", "resourceclaimtemplates"), Use.RUN)

_SURROUNDINGS = (
    Access("", ("events", "limitranges", "pods/log", "resourcequotas"), Use.READ),
    Access("discovery.k8s.io", ("endpointslices",), Use.READ),
    Access("events.k8s.io", ("events",), Use.READ),
    Access("metrics.k8s.io", ("pods",), Use.READ),
    Access("networking.k8s.io", ("networkpolicies",), Use.READ),
    Access("policy", ("poddisruptionbudgets",), Use.READ),
)
"""What explains why something does not run, or is not reached. The cluster file decides the bounds
among it, so that nobody in a team writes them."""

_STREAMS = Access("", ("pods/attach", "pods/exec", "pods/portforward"), Use.CONNECT)

_ADMINISTERED = (
    # Users can mount a secret and run as a service account, but not read the one or make the other.
    Access("", ("secrets", "serviceaccounts"), Use.ADMINISTER),
    # Can stop the draining of a node.
    Access("policy", ("poddisruptionbudgets",), Use.ADMINISTER),
    # Who has access. Groups are bound by the cluster file alone.
    Access("rbac.authorization.k8s.io", ("rolebindings", "roles"), Use.AUDIT),
)


def team_access(version: KubernetesVersion) -> Iterator[Access]:
    """Yield the rights of every team, whatever components there are."""
    yield from _RUN
    if has(version, Feature.RESOURCE_CLAIMS):
        yield _CLAIMS
    yield from _workloads()
    yield from (*_SURROUNDINGS, _STREAMS, *_ADMINISTERED)


def _workloads() -> Iterator[Access]:
    uses = (
        (created_resources(), Use.RUN),
        (read_only_resources(), Use.READ),
        (status_resources(), Use.READ),
        (scale_resources(), Use.CHANGE),
        (written_status_resources(), Use.CHANGE),
    )
    for resources, use in uses:
        yield from (Access(group, names, use) for group, names in resources.items())
