"""Slurm on nodes of the pools: a controller, and a partition for each entry of the cluster file.

One pod for each node of a partition holds all its GPUs, what the daemons leave of its CPUs and
memory, and the devices of its network; Slurm divides them among jobs by cgroups. The operator makes
that pod privileged, as slurmd writes cgroups and device rules, so that the namespace `slurm` holds
nobody to a Pod Security level: whoever becomes root in a job has its node, and no other. Teams'
quotas and queues do not count these nodes.
"""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.queues import Slurm
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.slurm.api import (
    CONTROLLER,
    CONTROLLER_PORT_NAME,
    CONTROLLER_SELECTOR,
    IMAGES,
    OPERATOR_NAMESPACE,
    SLURM_NAMESPACE,
)
from charts_py.components.slurm.cluster import (
    controller_documents,
    login_set,
    network_policy,
    node_set,
)
from charts_py.objects.document import Document
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.name_rule import NameRule, check_name
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.model import NVIDIA
from gpus.sharing import SharingKind
from policies.image import registry_of
from policies.settings import PodSecurity

OPERATOR_NAME = "slurm-operator"
"""Name of its chart and of its Application."""
_PARTITIONS = ("slurm", "partitions")
_PARTITION = NameRule("a partition", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30, "train")
_RESERVED = re.compile("all|default|slurm")
"""Slurm reads two of them as no names; the third is that of the other objects."""
_TARGET = ScrapeTarget(
    CONTROLLER, SLURM_NAMESPACE, CONTROLLER_SELECTOR, CONTROLLER_PORT_NAME, path="/metrics/nodes"
)
"""https://slurm.schedmd.com/metrics.html"""


SLURM_OPERATOR = Definition(
    name=OPERATOR_NAME,
    description="""
The operator of Slinky, which runs Slurm on Kubernetes.

It makes the pods of a Slurm cluster from its custom resources, drains the nodes that a smaller
partition gives up, and heeds the namespace `slurm` alone. https://slinky.schedmd.com
""",
    appears="where the cluster has Slurm",
    is_wanted=lambda platform: platform.cluster.slurm is not None,
    fields=("slurm", "priorities"),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(OPERATOR_NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(OPERATOR_NAME),),
)


def check_partitions(draft: Draft) -> Iterator[Problem]:
    slurm = draft.cluster.slurm
    if slurm is None:
        return
    pools = {pool.name: pool for pool in draft.pools}
    for name, partition in slurm.partitions.items():
        path = (*_PARTITIONS, name)
        yield from check_name(_PARTITION, path, name)
        if _RESERVED.fullmatch(name):
            yield Problem(path, f'"{name}" has another meaning to Slurm', "another name")
        if partition.pool in pools:
            yield from _check_pool((*path, "pool"), pools[partition.pool])
    yield from _check_nodes(draft, slurm)


def _check_pool(path: FieldPath, pool: DraftPool) -> Iterator[Problem]:
    if pool.hardware is not None and pool.hardware.model.vendor != NVIDIA:
        what = f"Slurm finds no GPUs of pool {pool.name}, which has {pool.hardware.model.name}"
        yield Problem(path, what, "a pool of NVIDIA GPUs")
    elif pool.sharing.kind is not SharingKind.NONE:
        what = f"pool {pool.name} shares its GPUs by {pool.sharing.kind.value}"
        yield Problem(path, what, "a pool of whole GPUs: Slurm gives each to one job")


def _check_nodes(draft: Draft, slurm: Slurm) -> Iterator[Problem]:
    for pool in draft.pools:
        parts = {n: each.nodes for n, each in slurm.partitions.items() if each.pool == pool.name}
        most, total = pool.spec.nodes.max, sum(parts.values())
        if draft.is_read((*pool.path, "nodes", "max")) and total > most:
            listed = " + ".join(f"{nodes} ({name})" for name, nodes in parts.items())
            yield Problem(
                (*_PARTITIONS, tuple(parts)[-1], "nodes"),
                f"the partitions take {total} nodes of pool {pool.name}: {listed}",
                f"at most {most}, its nodes.max",
            )


def slurm_documents(platform: Platform) -> Iterator[Document]:
    """Yield the objects of the cluster; jobs that name no partition run in the first one."""
    slurm = platform.cluster.slurm
    assert slurm is not None  # noqa: S101 # it is not wanted without
    yield from controller_documents(platform, slurm)
    for index, (name, partition) in enumerate(slurm.partitions.items()):
        yield from node_set(platform, name, partition, is_default=index == 0)
    if slurm.login is not None:
        yield from login_set(platform, slurm.login)
    collectors = platform.monitoring.namespaces
    yield network_policy(collectors, has_login=slurm.login is not None)


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
    namespace=PlatformNamespace(SLURM_NAMESPACE, PodSecurity.PRIVILEGED, confirmed_removal=True),
    objects=slurm_documents,
    registries=lambda _: tuple(dict.fromkeys(map(registry_of, IMAGES))),
    checks=(check_partitions,),
    scraped=lambda _: (_TARGET,),
    rules=alert_table(
        SLURM_NAMESPACE,
        SLURM_NAMESPACE,
        __package__,
        namespace=SLURM_NAMESPACE,
        controller=CONTROLLER,
        reads_other_namespaces=False,
    ),
)
