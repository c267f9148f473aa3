"""A team: for each of its namespaces what it may use, who may use it, and who may reach it.

A Namespace that says whose it is and which pods it takes; a ResourceQuota, a LimitRange and a quota
of no pods with the priorities of others; NetworkPolicies that close everything and open what is
needed; a RoleBinding for each role that some group has.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.team.alerts import RULE_GROUP
from charts_py.components.team.check import (
    check_api_server,
    check_api_server_addresses,
    check_egress,
    check_load_balancers,
)
from charts_py.components.team.objects import team_objects
from charts_py.platform.prerequisite import Prerequisite
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
    rules=lambda _: (RULE_GROUP,),
    alerts=lambda: RULE_GROUP.alerts,
    prerequisites=(
        Prerequisite(
            name="kube-state-metrics",
            needed="for the alerts on quotas of GPUs and on budgets that keep nodes from draining",
            without="no alert fires before pods are refused for lack of quota, or a drain waits",
        ),
    ),
    checks=(
        check_egress,
        check_api_server,
        check_api_server_addresses,
        check_load_balancers,
    ),
)
