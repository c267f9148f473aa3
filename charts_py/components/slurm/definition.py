"""Slurm on nodes of the pools: a controller, and a partition for each entry of the cluster file.

One pod for each node of a partition holds all its GPUs, what the daemons leave of its CPUs and
memory, and the devices of its network; Slurm divides them among jobs by cgroups. The operator makes
that pod privileged, as slurmd writes cgroups and device rules, so that the namespace `slurm` holds
nobody to a Pod Security level: whoever becomes root in a job has its node, and no other. Teams'
quotas and queues do not count these nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import read_alerts
from charts_py.components.definition import Definition
from charts_py.components.slurm.api import (
    CONTROLLER,
    CONTROLLER_PORT_NAME,
    CONTROLLER_SELECTOR,
)
from charts_py.components.slurm.check import check_partitions
from charts_py.components.slurm.controller import controller_documents
from charts_py.components.slurm.images import IMAGES
from charts_py.components.slurm.login_set import login_set
from charts_py.components.slurm.network_policy import network_policy
from charts_py.components.slurm.node_set import node_set
from charts_py.components.slurm_operator.namespaces import SLURM_NAMESPACE
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def slurm_documents(platform: Platform) -> Iterator[Document]:
    """Yield the objects of the cluster; jobs that name no partition run in the first one."""
    slurm = platform.cluster.slurm
    assert slurm is not None  # noqa: S101 # it is not wanted without
    yield from controller_documents(platform, slurm)
    for index, (name, partition) in enumerate(slurm.partitions.items()):
        yield node_set(platform, name, partition, is_default=index == 0)
    if slurm.login is not None:
        yield login_set(platform, slurm.login)
    collectors = platform.monitoring.namespaces
    yield network_policy(collectors, has_login=slurm.login is not None)


_TARGET = ScrapeTarget(
    CONTROLLER, SLURM_NAMESPACE, CONTROLLER_SELECTOR, CONTROLLER_PORT_NAME, path="/metrics/nodes"
)
"""https://slurm.schedmd.com/metrics.html"""


def _rule_group() -> RuleGroup:
    alerts = read_alerts(__package__, namespace=SLURM_NAMESPACE, controller=CONTROLLER)
    return RuleGroup(SLURM_NAMESPACE, SLURM_NAMESPACE, alerts)


SLURM = Definition(
    name="slurm",
    description=__doc__,
    appears="where the cluster has Slurm",
    is_wanted=lambda platform: platform.cluster.slurm is not None,
    fields=(
        "slurm",
        "pools",
        "priorities",
        "imagePullSecrets",
        "registries",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
    ),
    depends_on=("slurm-operator",),
    wave=Wave.NODES,
    namespace=SLURM_NAMESPACE,
    contribution=Contribution(
        namespaces=(
            PlatformNamespace(SLURM_NAMESPACE, PodSecurity.PRIVILEGED, confirmed_removal=True),
        ),
    ),
    objects=slurm_documents,
    registries=lambda _: tuple(dict.fromkeys(map(registry_of, IMAGES))),
    checks=(check_partitions,),
    scraped=lambda _: (_TARGET,),
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
