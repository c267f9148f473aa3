"""Queues of Kueue: what each namespace may have of each pool, what it borrows, and who comes first.

A ResourceFlavor for each pool, with a Topology where the pool has one, a ClusterQueue for each
namespace with its quota, a Cohort for each team and one over all, a WorkloadPriorityClass for each
priority class, and in each namespace the LocalQueue `default`, which jobs that name none wait in.
Where nodes of a pool are queued, jobs pass an AdmissionCheck that has them started. Policies of the
API server keep what a team writes on pods, jobs and Workloads from having them start past their
queue.

A manager of MultiKueue has a MultiKueueCluster for each worker, and an AdmissionCheck that has the
jobs of some namespaces run there; a worker has the account by which the manager does that.
"""

from collections.abc import Iterator

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import Priority
from charts_py.components.admission_policy import policy_objects
from charts_py.components.definition import Definition
from charts_py.components.kueue.api import API_VERSION, DEFAULT_QUEUE, GANGS, GROUP, PRIORITY
from charts_py.components.kueue.checks import check_provisioning, check_topology
from charts_py.components.kueue.definition import uncounted_resources
from charts_py.components.kueue.queue_policies import (
    KEPT_DEPENDENTS,
    LATE_REPLACEMENTS,
    QUEUED_JOBS,
    QUEUED_WORKLOADS,
)
from charts_py.components.kueue.queued_pods import queued_pods
from charts_py.components.kueue.queued_ray import QUEUED_RAY
from charts_py.components.kueue.quotas import cluster_queue, cohorts, provisioning, resource_flavor
from charts_py.components.kueue.workers import (
    check_workers,
    manager_access,
    worker_objects,
    workers_queue,
    writer_binding,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Access, Contribution, TeamAdditions, Use
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.pool_hardware import topology_levels
from charts_py.platform.wave import Wave

_NAME = "kueue-queues"


def local_queue(namespace: str) -> Document:
    """Return the LocalQueue of a namespace; its ClusterQueue has the name of the namespace."""
    metadata = ObjectMeta(DEFAULT_QUEUE, namespace)
    return object_of(API_VERSION, "LocalQueue", metadata, {"spec": {"clusterQueue": namespace}})


def topology(platform: Platform, pool: PlatformPool) -> Document:
    levels = topology_levels(pool.spec, pool.hardware, platform.provider)
    spec = {"levels": [{"nodeLabel": level} for level in levels]}
    return object_of(API_VERSION, "Topology", ObjectMeta(pool.name), {"spec": spec})


def workload_priority_class(name: str, priority: Priority) -> Document:
    """Return the WorkloadPriorityClass of a rung, of the same name and value.

    A job that names none waits by the priority of its pods.
    """
    body = {"value": priority.value, "description": priority.description}
    return object_of(API_VERSION, "WorkloadPriorityClass", ObjectMeta(name), body)


def _objects(platform: Platform) -> Iterator[Document]:
    borrowing = platform.cluster.borrowing
    for pool in platform.pools:
        if pool.spec.topology is not None:
            yield topology(platform, pool)
        yield resource_flavor(pool)
    yield from provisioning(platform)
    yield from worker_objects(platform)
    yield from manager_access(platform)
    used = {name for team in platform.cluster.teams.values() for name in team.priorities}
    for name in sorted(used):
        yield workload_priority_class(name, platform.cluster.priorities[name])
    yield from cohorts(platform, borrowing)
    for namespace in platform.namespaces:
        if namespace.name in platform.taken_for_workers:
            yield workers_queue(platform, namespace)
        else:
            yield cluster_queue(platform, namespace, borrowing)
    if has(platform.cluster.kubernetes, Feature.MUTATING_POLICIES):
        yield from policy_objects((LATE_REPLACEMENTS,))
    pods = queued_pods(policy_settings(platform))
    yield from policy_objects((pods, QUEUED_JOBS, QUEUED_RAY, KEPT_DEPENDENTS, QUEUED_WORKLOADS))


def _contributes(platform: Platform) -> Contribution:
    added = {each.name: {_NAME: _team(platform, each)} for each in platform.namespaces}
    return Contribution(teams=added, uncounted=uncounted_resources(platform))


def _team(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    is_run_for_manager = namespace.name in platform.run_for_manager
    bindings = (writer_binding(namespace.name),) if is_run_for_manager else ()
    return TeamAdditions(objects=(local_queue(namespace.name), *bindings))


KUEUE_QUEUES = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=(
        "queues",
        "multiKueue",
        "kubernetes",
        "training",
        "teams",
        "priorities",
        "pools.NAME.sharing",
        "pools.NAME.nodes",
        "pools.NAME.topology",
    ),
    depends_on=("kueue",),
    wave=Wave.NODES,
    objects=_objects,
    checks=(check_topology, check_provisioning),
    worker_checks=(check_workers,),
    contribution=Contribution(
        access=(
            Access(GROUP, ("localqueues", "workloads"), Use.READ),
            Access(GROUP, ("workloads",), Use.ADJUST),
            # Which jobs wait before which.
            Access(f"visibility.{GROUP}", ("localqueues/pendingworkloads",), Use.READ),
        ),
        queue_priority=PRIORITY,
        gangs=GANGS,
    ),
    contributes=_contributes,
)
