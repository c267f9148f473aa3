"""The objects of a team's namespace."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.components.team.access import role_bindings
from charts_py.components.team.foreign_priorities import foreign_priorities
from charts_py.components.team.joined import joined
from charts_py.components.team.limit_range import limit_range
from charts_py.components.team.namespace import labelled_namespace
from charts_py.components.team.network_policies import network_policy, network_policy_specs
from charts_py.components.team.quota import quota_bounds, resource_quota
from charts_py.objects.document import Document, key_of
from charts_py.platform.contribution import TeamAdditions
from charts_py.platform.platform import Platform, TeamNamespace

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
    keyed = ((name, key_of(each), each) for name, each in objects)
    return joined(place, "object", keyed).values()


def _own(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    name, team, cluster = namespace.name, namespace.team, platform.cluster
    return TeamAdditions(
        objects=(
            labelled_namespace(namespace, cluster.kubernetes, _annotations(platform, name)),
            *role_bindings(name, team.members),
            foreign_priorities(name, team.priorities),
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
        yield network_policy(namespace, name, spec)
