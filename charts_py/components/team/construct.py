"""A team: for each of its namespaces what it may use, who may use it, and who may reach it."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.components.team.access import TeamAccess, TeamAccessProps
from charts_py.components.team.foreign_priorities import ForeignPriorities, ForeignPrioritiesProps
from charts_py.components.team.limit_range import TeamLimitRange, TeamLimitRangeProps
from charts_py.components.team.namespace import LabelledNamespace, LabelledNamespaceProps
from charts_py.components.team.network_policies import (
    TeamNetworkPolicies,
    TeamNetworkPoliciesProps,
)
from charts_py.components.team.quota import TeamQuota, TeamQuotaProps
from charts_py.platform.gpu_shares import gpu_shares
from charts_py.platform.platform import Platform, TeamNamespace


@dataclass(frozen=True, slots=True)
class TeamProps:
    """A team's namespaces, and the platform that they are on."""

    namespaces: tuple[TeamNamespace, ...]
    platform: Platform


class Team(Construct):
    """The namespaces of a team and what bounds them."""

    def __init__(self, scope: Construct, id: str, props: TeamProps) -> None:
        super().__init__(scope, id)
        for namespace in props.namespaces:
            place = Construct(self, namespace.name)
            _add_namespace(place, props.platform, namespace)
            _add_bounds(place, props.platform, namespace)


def _add_namespace(scope: Construct, platform: Platform, namespace: TeamNamespace) -> None:
    cluster = platform.cluster
    labelled = LabelledNamespaceProps(namespace, cluster.kubernetes)
    LabelledNamespace(scope, "namespace", labelled)
    TeamAccess(scope, "access", TeamAccessProps(namespace.name, namespace.team.members))
    reachable = TeamNetworkPoliciesProps(
        namespace,
        cluster.addons.monitoring.namespace,
        platform.provider.identity_endpoints,
    )
    TeamNetworkPolicies(scope, "network-policies", reachable)


def _add_bounds(scope: Construct, platform: Platform, namespace: TeamNamespace) -> None:
    name, quota, cluster = namespace.name, namespace.spec.quota, platform.cluster
    shares = gpu_shares(platform, namespace)
    TeamQuota(scope, "quota", TeamQuotaProps(name, quota, shares, cluster.kubernetes))
    foreign = ForeignPrioritiesProps(name, cluster.priorities, namespace.team.priorities)
    ForeignPriorities(scope, "foreign-priorities", foreign)
    pools = tuple(platform.pool(pool) for pool in quota.gpus)
    TeamLimitRange(scope, "limits", TeamLimitRangeProps(name, pools))
