"""The three roles that teams have in their namespaces.

They are ClusterRoles so that each stands once, and only RoleBindings refer to them, so that they
hold in a team's namespaces alone. What jobs of every team name and is in no namespace, such as
runtimes of training jobs, all members of teams read by a role of its own. Rules are written out,
not aggregated: with aggregation, whoever may create a ClusterRole with the right label widens the
role. No rule has a wildcard: one would also grant what a later version, or another operator,
brings.
https://kubernetes.io/docs/concepts/security/rbac-good-practices/
"""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.components.access import cluster_role, group_subjects, policy_rule, role_binding
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import Access, Use
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
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
GPU_ADMIN = "gpu-admin"
GPU_USER = "gpu-user"
GPU_VIEWER = "gpu-viewer"
_READER = "gpu-reader"
"""The role of all members of teams in the whole cluster."""
_READ = ("get", "list", "watch")
_WRITE = (*_READ, "create", "update", "patch", "delete")
_ALL = (*_WRITE, "deletecollection")
_CHANGE = ("get", "update", "patch")
# kubectl opens a stream by GET over WebSocket and falls back to POST over SPDY:
# https://kubernetes.io/blog/2024/08/20/websockets-transition/
_CONNECT = ("create", "get")
_VERBS: Mapping[str, Mapping[Use, tuple[str, ...]]] = {
    GPU_ADMIN: {
        Use.RUN: _ALL,
        Use.READ: _READ,
        Use.CHANGE: _CHANGE,
        Use.CONNECT: _CONNECT,
        Use.ADMINISTER: _ALL,
        Use.AUDIT: _READ,
        Use.ADJUST: ("patch",),
    },
    GPU_USER: {Use.RUN: _WRITE, Use.READ: _READ, Use.CHANGE: _CHANGE, Use.CONNECT: _CONNECT},
    GPU_VIEWER: {Use.RUN: _READ, Use.READ: _READ},
}
"""By role; a role has no right where it has no verbs."""


def team_access(version: KubernetesVersion) -> Iterator[Access]:
    """Yield what the members of a team may do in its namespaces, whatever components there are.

    A team creates each kind of workload that `policies.workloads` says is a team's and in its
    roles, whether or not a platform has its operator, since the rules know where its pods are. What
    serves several teams, has a pod on every node or is made by a controller is only read, and so is
    each `status`, except where a command-line client of the team's own writes it.
    """
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


def cluster_roles(rights: Iterable[Access]) -> Iterator[Document]:
    """Yield a ClusterRole for each role, with a rule for each use that it has of an API group."""
    by_use = _by_use(rights)
    for role, verbs in _VERBS.items():
        yield _cluster_role(role, verbs, by_use)


def cluster_reader(rights: Iterable[Access], members: Iterable[str]) -> Iterator[Document]:
    """Yield the role by which groups read what is in no namespace, and its binding to them."""
    by_use = _by_use(each for each in rights if each.use is Use.LOOK_UP)
    subjects = group_subjects(members)
    if by_use and subjects:
        yield _cluster_role(_READER, {Use.LOOK_UP: _READ}, by_use)
        yield role_binding(ObjectMeta(_READER), _READER, subjects)


def _cluster_role(
    name: str, verbs: Mapping[Use, tuple[str, ...]], by_use: Mapping[tuple[Use, str], Iterable[str]]
) -> Document:
    used = [(key, resources) for key, resources in by_use.items() if key[0] in verbs]
    rules = (policy_rule(group, sorted(each), *verbs[use]) for (use, group), each in used)
    return cluster_role(name, rules)


def _by_use(rights: Iterable[Access]) -> dict[tuple[Use, str], set[str]]:
    uses = list(Use)
    resources: dict[tuple[Use, str], set[str]] = {}
    for right in sorted(rights, key=lambda right: (uses.index(right.use), right.group)):
        resources.setdefault((right.use, right.group), set()).update(right.resources)
    return resources


def role_objects(platform: Platform) -> Iterator[Document]:
    rights = (*team_access(platform.cluster.kubernetes), *platform.contribution.access)
    members = {group for team in platform.cluster.teams.values() for group in team.members.groups}
    yield from cluster_roles(rights)
    yield from cluster_reader(rights, members)


GPU_ROLES = Definition(
    name="gpu-roles",
    description=__doc__,
    appears="where there is a team to have them",
    is_wanted=lambda platform: bool(platform.cluster.teams),
    fields=(
        "teams",
        "kubernetes",
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
    ),
    wave=Wave.CLASSES,
    objects=role_objects,
)
