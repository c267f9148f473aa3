"""The three roles that teams have in their namespaces.

They are ClusterRoles so that each stands once, and only RoleBindings refer to them, so that they
hold in a team's namespaces alone. Rules are written out, not aggregated: with aggregation, whoever
may create a ClusterRole with the right label widens the role.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.kubernetes_version import Feature, KubernetesVersion, has

Resources: TypeAlias = Mapping[str, tuple[str, ...]]
"""Resources, with their subresources, by API group; the core group is empty."""

Rule: TypeAlias = dict[str, list[str]]

GPU_USER = "gpu-user"
GPU_VIEWER = "gpu-viewer"
GPU_ADMIN = "gpu-admin"

_READ = ("get", "list", "watch")
_WRITE = ("create", "update", "patch", "delete")
_DELETE_MANY = ("deletecollection",)
_SCALE = ("get", "update", "patch")
# kubectl opens a stream by GET over WebSocket and falls back to POST over SPDY:
# https://kubernetes.io/blog/2024/08/20/websockets-transition/
_STREAM = ("create", "get")

_WORKLOADS: Resources = {
    "": ("configmaps", "persistentvolumeclaims", "pods", "services"),
    "apps": ("deployments", "statefulsets"),
    "autoscaling": ("horizontalpodautoscalers",),
    "batch": ("cronjobs", "jobs"),
    "jobset.x-k8s.io": ("jobsets",),
    "kubeflow.org": ("mpijobs", "pytorchjobs"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
    "ray.io": ("rayclusters", "rayjobs", "rayservices"),
    "trainer.kubeflow.org": ("trainjobs",),
}
"""What a team runs, and what it needs to run."""

_CLAIMS: Resources = {
    "resource.k8s.io": ("resourceclaims", "resourceclaimtemplates"),
}

_SCALED: Resources = {
    "apps": ("deployments/scale", "statefulsets/scale"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets/scale",),
}

_STREAMS: Resources = {
    "": ("pods/attach", "pods/exec", "pods/portforward"),
}
"""Ways into a running container. They act as the pod does, so that viewers have none of them, not
even with the verb `get`."""

_SURROUNDINGS: Resources = {
    "": ("events", "limitranges", "pods/log", "resourcequotas"),
    "apps": ("replicasets",),
    "discovery.k8s.io": ("endpointslices",),
    "events.k8s.io": ("events",),
    "metrics.k8s.io": ("pods",),
    "networking.k8s.io": ("networkpolicies",),
    "policy": ("poddisruptionbudgets",),
    "trainer.kubeflow.org": ("trainingruntimes",),
}
"""What explains why something does not run, or is not reached. The cluster file decides the bounds
among it, so that nobody in a team writes them."""

_ADMINISTERED: Resources = {
    # Users can mount a secret and run as a service account, but not read the one or make the other.
    "": ("secrets", "serviceaccounts"),
    # Can stop the draining of a node.
    "policy": ("poddisruptionbudgets",),
}

_BINDINGS: Resources = {
    "rbac.authorization.k8s.io": ("rolebindings", "roles"),
}
"""Who has access. Groups are bound by the cluster file alone, so that nobody in a team writes
them."""


@dataclass(frozen=True, slots=True)
class GpuRolesProps:
    """The Kubernetes version, which decides whether there are claims to speak of."""

    kubernetes: KubernetesVersion


class GpuRoles(Construct):
    """A ClusterRole for each role.

    No rule has a wildcard: one would also grant what a later version, or another operator, brings.
    https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    """

    def __init__(self, scope: Construct, id: str, props: GpuRolesProps) -> None:
        super().__init__(scope, id)
        claims = _CLAIMS if has(props.kubernetes, Feature.RESOURCE_CLAIMS) else {}
        workloads = {**_WORKLOADS, **claims}
        roles = {
            GPU_ADMIN: _admin_rules(workloads),
            GPU_USER: _user_rules(workloads),
            GPU_VIEWER: _viewer_rules(workloads),
        }
        for name, rules in roles.items():
            body = {"rules": list(rules)}
            add_object(self, "rbac.authorization.k8s.io/v1", "ClusterRole", ObjectMeta(name), body)


def _viewer_rules(workloads: Resources) -> Iterator[Rule]:
    yield from _rules(workloads, _READ)
    yield from _rules(_SURROUNDINGS, _READ)


def _user_rules(workloads: Resources, verbs: tuple[str, ...] = _READ + _WRITE) -> Iterator[Rule]:
    yield from _rules(workloads, verbs)
    yield from _rules(_SURROUNDINGS, _READ)
    yield from _rules(_SCALED, _SCALE)
    yield from _rules(_STREAMS, _STREAM)


def _admin_rules(workloads: Resources) -> Iterator[Rule]:
    yield from _user_rules(workloads, _READ + _WRITE + _DELETE_MANY)
    yield from _rules(_ADMINISTERED, _READ + _WRITE + _DELETE_MANY)
    yield from _rules(_BINDINGS, _READ)


def _rules(resources: Resources, verbs: tuple[str, ...]) -> Iterator[Rule]:
    for group, names in resources.items():
        yield {"apiGroups": [group], "resources": list(names), "verbs": list(verbs)}
