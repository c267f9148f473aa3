"""A team: for each of its namespaces what it may use, who may use it, and who may reach it.

A Namespace that says whose it is and which pods it takes; a ResourceQuota, a LimitRange and a quota
of no pods with the priorities of others; NetworkPolicies that close everything and open what is
needed; a RoleBinding for each role that some group has.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.components.alert_tables import read_alerts
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.team.check import (
    check_api_server,
    check_api_server_addresses,
    check_egress,
    check_load_balancers,
)
from charts_py.components.team.objects import team_objects
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform, TeamNamespace


def _parts(platform: Platform) -> Iterator[Component]:
    """Yield a component for each team, by name."""
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


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__)
    return RuleGroup("gpu-quotas", KUBE_SYSTEM_NAMESPACE, alerts, reads_other_namespaces=True)


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
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
    checks=(
        check_egress,
        check_api_server,
        check_api_server_addresses,
        check_load_balancers,
    ),
)
