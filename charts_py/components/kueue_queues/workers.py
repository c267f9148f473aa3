"""What has the jobs of namespaces run in other clusters, and how many of them at once.

https://kueue.sigs.k8s.io/docs/concepts/multikueue/
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from charts_py.components.kueue_queues.api import API_VERSION, GROUP
from charts_py.components.kueue_queues.names import kubeconfig_secret
from charts_py.components.kueue_queues.quantity import quantity
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.fabric import has_channels
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.pool_topology import HOSTNAME, topology_levels
from charts_py.platform.queue_amounts import namespace_amounts
from charts_py.platform.queue_quota import ANY_NUMBER, queue_pools
from gpus.platform_names import LABEL_PREFIX, NVLINK_CHANNEL, PLACED

WORKERS = "workers"
"""The AdmissionCheck, and its configuration."""
ALL_POOLS = f"{WORKERS}.{LABEL_PREFIX}"
"""The flavor of all that workers have; the names of pools have no dot."""
COHORT = f"{WORKERS}.{LABEL_PREFIX}"
"""The Cohort that lends pods; the names of teams have no dot."""
_PODS = "pods"


def worker_objects(platform: Platform) -> Iterator[Document]:
    """Yield the check that sends jobs to workers, and the flavor that it counts them by."""
    if not platform.workers:
        return
    names = [worker.name for worker in platform.workers]
    metadata = ObjectMeta(WORKERS)
    yield object_of(API_VERSION, "MultiKueueConfig", metadata, {"spec": {"clusters": names}})
    check = {
        "controllerName": f"{GROUP}/multikueue",
        "parameters": {"apiGroup": GROUP, "kind": "MultiKueueConfig", "name": WORKERS},
    }
    yield object_of(API_VERSION, "AdmissionCheck", metadata, {"spec": check})
    yield from map(_cluster, names)
    yield from _flavors(platform)
    yield _pods(platform)


def _cluster(worker: str) -> Document:
    secret = {"locationType": "Secret", "location": kubeconfig_secret(worker)}
    spec = {"clusterSource": {"kubeConfig": secret}}
    return object_of(API_VERSION, "MultiKueueCluster", ObjectMeta(worker), {"spec": spec})


def _flavors(platform: Platform) -> Iterator[Document]:
    """Yield the flavors, which take whatever nodes a job selects.

    A job that asks for a level is let pass by none but a flavor with a topology that has it, and
    any other job by none but one without. Where pods stand, the worker decides.
    """
    yield object_of(API_VERSION, "ResourceFlavor", ObjectMeta(ALL_POOLS), {"spec": {}})
    if levels := worker_levels(platform.workers):
        topology = {"levels": [{"nodeLabel": level} for level in levels]}
        yield object_of(API_VERSION, "Topology", ObjectMeta(PLACED), {"spec": topology})
        # A flavor with a topology needs the label of some nodes; the manager has none of these.
        flavor = {"topologyName": PLACED, "nodeLabels": {PLACED: "true"}}
        yield object_of(API_VERSION, "ResourceFlavor", ObjectMeta(PLACED), {"spec": flavor})


def worker_levels(workers: Iterable[Platform]) -> tuple[str, ...]:
    """Return every level that a job may ask for in clusters that run it, the node last."""
    levels = {
        level: None
        for worker in workers
        for name in worker.run_for_manager
        for pool in queue_pools(worker, worker.namespace(name))
        for level in topology_levels(pool.spec, pool.hardware, worker.provider)
    }
    return (*(level for level in levels if level != HOSTNAME), HOSTNAME) if levels else ()


def _pods(platform: Platform) -> Document:
    """Return what lends every queue as many pods as it wants.

    The check is of a flavor, and a job without GPUs has none but that of its pods: it would be let
    pass, and start nowhere. A quota of the queue's own would be one that is never used.
    """
    resources = [{"name": _PODS, "nominalQuota": quantity(ANY_NUMBER)}]
    spec = {"resourceGroups": [_group(platform, resources)]}
    return object_of(API_VERSION, "Cohort", ObjectMeta(COHORT), {"spec": spec})


def _group(platform: Platform, resources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the group of some resources, of which each flavor has as much.

    With two flavors, twice as much as workers have may be let pass, and waits there.
    """
    names = (ALL_POOLS, PLACED) if worker_levels(platform.workers) else (ALL_POOLS,)
    return {
        "coveredResources": [each["name"] for each in resources],
        "flavors": [{"name": name, "resources": list(resources)} for name in names],
    }


def workers_queue(platform: Platform, namespace: TeamNamespace) -> Document:
    """Return the ClusterQueue of a namespace whose jobs run in workers.

    Who borrows from whom, they decide. Here a job waits only while others have all that the
    namespace can reach in them, and those of lower priority give way.
    """
    reach = sorted(_reach(platform, namespace.name).items())
    gpus = [
        {"name": name, "nominalQuota": quantity(count), "lendingLimit": quantity(0)}
        for name, count in reach
    ]
    pods = {"name": _PODS, "nominalQuota": quantity(0)}
    spec = {
        "namespaceSelector": {"matchLabels": {NAMESPACE_NAME_LABEL: namespace.name}},
        "cohortName": COHORT,
        "resourceGroups": [_group(platform, (*gpus, pods))],
        "preemption": {"withinClusterQueue": "LowerPriority"},
        "admissionChecksStrategy": {"admissionChecks": [{"name": WORKERS}]},
    }
    return object_of(API_VERSION, "ClusterQueue", ObjectMeta(namespace.name), {"spec": spec})


def _reach(platform: Platform, name: str) -> Counter[str]:
    """Return the most of each resource that a namespace has in all workers at once."""
    reach: Counter[str] = Counter()
    for worker in platform.workers:
        namespace = worker.namespace(name)
        amounts = namespace_amounts(worker, namespace)
        reach.update({resource: amount.most for resource, amount in amounts.items()})
        if any(has_channels(worker, pool) for pool in queue_pools(worker, namespace)):
            reach[NVLINK_CHANNEL] = ANY_NUMBER
    return reach
