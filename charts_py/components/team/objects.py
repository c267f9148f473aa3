"""The objects of a team's namespace."""

from collections.abc import Iterator

from charts_py.components.team.access import role_bindings
from charts_py.components.team.foreign_priorities import foreign_priorities
from charts_py.components.team.limit_range import limit_range
from charts_py.components.team.namespace import labelled_namespace
from charts_py.components.team.network_policies import network_policy, network_policy_specs
from charts_py.components.team.quota import quota_bounds, resource_quota
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, TeamNamespace


def team_objects(platform: Platform, namespace: TeamNamespace) -> Iterator[Document]:
    """Yield the namespace itself, who has access to it, and what bounds it."""
    name, team, cluster = namespace.name, namespace.team, platform.cluster
    yield labelled_namespace(namespace, cluster.kubernetes)
    yield from role_bindings(name, team.members)
    for policy, spec in network_policy_specs(platform, namespace):
        yield network_policy(name, policy, spec)
    yield resource_quota(name, quota_bounds(platform, namespace))
    yield foreign_priorities(name, cluster.priorities, team.priorities)
    yield limit_range(name, tuple(platform.pool(pool) for pool in namespace.spec.quota.gpus))
