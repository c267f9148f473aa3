"""The objects of a team's namespace, and what other components add to them."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.team import Members
from charts_py.components.access import group_subjects, role_binding
from charts_py.components.gpu_roles import GPU_ADMIN, GPU_USER, GPU_VIEWER
from charts_py.components.network_rules import network_policy_of
from charts_py.components.team.network_policies import network_policy_specs
from charts_py.components.team.object_counts import object_counts
from charts_py.components.team.quota import limit_range, quota_bounds, resource_quota
from charts_py.objects.document import Document, keys_of
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pod_security_labels
from charts_py.platform.contribution import TeamAdditions
from charts_py.platform.platform import Platform, TeamNamespace, team_labels
from charts_py.platform.wave import CONFIRMED_REMOVAL
from gpus.platform_names import OWNER, PURPOSE
from policies.settings import PodSecurity
from upstream.kubernetes_version import KubernetesVersion

_Name = TypeVar("_Name", bound=Hashable)
_Value = TypeVar("_Value")
_SCOPE = "PriorityClass"
_OWN = "team"
"""The component that these are objects of; others add to them."""


def team_objects(platform: Platform, namespace: TeamNamespace) -> Iterable[Document]:
    """Return the namespace itself, who has access to it, what bounds it, and what is added to it.

    Raises RenderError where a component adds a bound, an object or an annotation that there is
    already.
    """
    place = f"{platform.name}: namespace {namespace.name}"
    parts = {_OWN: _own(platform, namespace), **platform.contribution.teams.get(namespace.name, {})}
    every_bound = ((name, *bound) for name, part in parts.items() for bound in part.quota.items())
    quota = resource_quota(namespace.name, joined(place, "quota bound", every_bound))
    objects = [
        (_OWN, quota),
        *((name, each) for name, part in parts.items() for each in _objects(namespace.name, part)),
    ]
    keys = keys_of([each for _, each in objects])
    keyed = ((name, key, each) for (name, each), key in zip(objects, keys, strict=True))
    return joined(place, "object", keyed).values()


def _own(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    name, team, cluster = namespace.name, namespace.team, platform.cluster
    return TeamAdditions(
        objects=(
            labelled_namespace(namespace, cluster.kubernetes, _annotations(platform, name)),
            *role_bindings(name, team.members),
            foreign_priorities(name, team.priorities),
            object_counts(platform, namespace),
            limit_range(
                name,
                tuple(platform.pool(pool) for pool in namespace.spec.quota.gpus),
                bounds_disks=namespace.spec.quota.ephemeral_storage is not None,
            ),
        ),
        quota=quota_bounds(platform, namespace),
        network_policies=dict(network_policy_specs(platform, namespace)),
    )


def _annotations(platform: Platform, namespace: str) -> Mapping[str, str]:
    parts = platform.contribution.teams.get(namespace, {})
    every = ((name, *each) for name, part in parts.items() for each in part.annotations.items())
    return joined(f"{platform.name}: namespace {namespace}", "annotation", every)


def _objects(namespace: str, part: TeamAdditions) -> Iterator[Document]:
    for each in part.objects:
        yield dict(each)
    for name, spec in part.network_policies.items():
        yield network_policy_of(ObjectMeta(name, namespace), spec)


def joined(
    place: str, what: str, added: Iterable[tuple[str, _Name, _Value]]
) -> dict[_Name, _Value]:
    """Return what components add, by name; `added` has the component, name and value of each.

    Raises RenderError where one name is added twice.
    """
    values: dict[_Name, _Value] = {}
    owners: dict[_Name, str] = {}
    for component, name, value in added:
        if name in owners:
            raise RenderError(
                f'{place}: the component {component} adds the {what} "{name}", '
                f"which the component {owners[name]} adds already"
            )
        owners[name], values[name] = component, value
    return values


def labelled_namespace(
    namespace: TeamNamespace, version: KubernetesVersion, annotations: Mapping[str, str]
) -> Document:
    """Return a Namespace that says whose it is, and which pods it takes by this version's rules.

    At every enforced level, pods that would break the restricted level are audited and warned of.
    """
    security = pod_security_labels(
        version, enforced=namespace.spec.pod_security, reported=PodSecurity.RESTRICTED
    )
    metadata = ObjectMeta(
        name=namespace.name,
        labels={**security, **team_labels(namespace), PURPOSE: namespace.spec.purpose.value},
        # A mail address is not a label value; the team's volumes go with the namespace.
        annotations={OWNER: namespace.team.owner, **CONFIRMED_REMOVAL, **annotations},
    )
    return object_of("v1", "Namespace", metadata, {})


def role_bindings(namespace: str, members: Members) -> Iterator[Document]:
    """Yield a RoleBinding for each role that some group has; what no role allows is denied.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/
    """
    groups_by_role = {
        GPU_ADMIN: members.admins,
        GPU_USER: members.users,
        GPU_VIEWER: members.viewers,
    }
    for role, groups in groups_by_role.items():
        if groups:
            yield role_binding(ObjectMeta(role, namespace), role, group_subjects(groups))


def foreign_priorities(namespace: str, own: Iterable[str]) -> Document:
    """Return a ResourceQuota of no pods with a priority class that the team may not use.

    A class is never a team's own. A pod without any matches `NotIn`, too, so that
    `Exists` has to leave it out. RBAC cannot do it: naming a class in a pod needs no right on the
    class. https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
    """
    selected = [
        {"scopeName": _SCOPE, "operator": "Exists"},
        {"scopeName": _SCOPE, "operator": "NotIn", "values": sorted(own)},
    ]
    spec = {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": selected}}
    metadata = ObjectMeta("foreign-priorities", namespace)
    return object_of("v1", "ResourceQuota", metadata, {"spec": spec})
