"""A team: for each of its namespaces what it may use, who may use it, and who may reach it.

A Namespace that says whose it is and which pods it takes; a ResourceQuota, a LimitRange and a quota
of no pods with the priorities of others; NetworkPolicies that close everything and open what is
needed; a RoleBinding for each role that some group has.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.text_forms import GOOGLE_APIS
from charts_py.components.alert_tables import alert_table
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.team.objects import team_objects
from charts_py.objects.document import Document
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_addresses, metadata_network_around
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.provider import Provider

_INSTEAD_OF_GOOGLE = {
    Provider.EKS: "CIDRs, such as those of S3 (docs/object-storage.md)",
    Provider.AKS: "CIDRs, such as the subnet of a private endpoint (docs/object-storage.md)",
}


def check_egress(draft: Draft) -> Iterator[Problem]:
    for path, _, namespace in draft.namespaces():
        yield from egress_problems(draft, (*path, "egress"), namespace.egress)


def egress_problems(draft: Draft, path: FieldPath, cidrs: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which a node answers with what is its own.

    A larger one that covers such addresses is let through: the network policy leaves them out.
    Addresses of Google's APIs lead nowhere in the networks of other clouds.
    """
    for index, cidr in enumerate(cidrs):
        if cidr in GOOGLE_APIS:
            if instead := _INSTEAD_OF_GOOGLE.get(draft.cluster.provider):
                what = f'"{cidr}" has addresses to which networks of Google alone have routes'
                yield Problem((*path, index), what, instead)
        elif metadata := metadata_network_around(cidr):
            yield Problem(
                (*path, index),
                f'"{cidr}" is where nodes answer with their own credentials',
                f"networks outside of {metadata}; pods reach the endpoint of the cloud's "
                "workload identity without asking",
            )


def check_api_server_addresses(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which more than an API server answers."""
    yield from check_addresses(("network", "apiServer"), draft.cluster.network.api_server)


def check_api_server(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace that may reach what has no address."""
    for path, _, namespace in draft.namespaces():
        if namespace.api_server:
            yield from check_known_addresses(draft, (*path, "apiServer"))


def check_load_balancers(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace that may have load balancers, and says of no node ports.

    The quota counts the ports of a load balancer as ports of nodes, unless the Service says that
    it takes none: kubernetes v1.37.1, pkg/quota/v1/evaluator/core/services.go
    """
    for path, _, namespace in draft.namespaces():
        quota = namespace.quota
        if quota.load_balancers > 0 and "node_ports" not in quota.model_fields_set:
            yield Problem(
                (*path, "quota", "loadBalancers"),
                f"{quota.load_balancers}; without node ports none of them is admitted",
                "only with nodePorts, 0 where Services set allocateLoadBalancerNodePorts: false",
            )


def _parts(platform: Platform) -> Iterator[Component]:
    for team in sorted(platform.cluster.teams):
        namespaces = tuple(each for each in platform.namespaces if each.team_name == team)
        yield Component(
            name=f"team-{team}",
            wave=Wave.TEAMS,
            namespace=namespaces[0].name,
            objects=partial(_objects, platform, namespaces),
            is_removed_last=True,
        )


def _objects(platform: Platform, namespaces: Iterable[TeamNamespace]) -> Iterator[Document]:
    for namespace in namespaces:
        yield from team_objects(platform, namespace)


TEAM = Definition(
    name="team",
    description=__doc__,
    appears="once a team",
    is_wanted=lambda platform: bool(platform.cluster.teams),
    fields=(
        "teams",
        "priorities",
        "network",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
    ),
    depends_on=("gpu-roles", "priority-classes"),
    wave=Wave.TEAMS,
    parts=_parts,
    rules=alert_table("gpu-quotas", KUBE_SYSTEM_NAMESPACE, __package__),
    checks=(check_egress, check_api_server, check_api_server_addresses, check_load_balancers),
)
