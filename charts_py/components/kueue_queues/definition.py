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

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.policy import policy_objects
from charts_py.components.definition import Definition
from charts_py.components.kueue.managed_kinds import GANGS, PRIORITY
from charts_py.components.kueue_queues.api import GROUP
from charts_py.components.kueue_queues.cluster_queue import cluster_queue
from charts_py.components.kueue_queues.cohort import cohorts
from charts_py.components.kueue_queues.flavor import resource_flavor
from charts_py.components.kueue_queues.kept_dependents import KEPT_DEPENDENTS
from charts_py.components.kueue_queues.local_queue import local_queue
from charts_py.components.kueue_queues.manager_access import manager_access, writer_binding
from charts_py.components.kueue_queues.provisioning import provisioning
from charts_py.components.kueue_queues.provisioning_check import check_provisioning
from charts_py.components.kueue_queues.queued_jobs import QUEUED_JOBS
from charts_py.components.kueue_queues.queued_pods import queued_pods
from charts_py.components.kueue_queues.queued_workloads import QUEUED_WORKLOADS
from charts_py.components.kueue_queues.topology import topology
from charts_py.components.kueue_queues.topology_check import check_topology
from charts_py.components.kueue_queues.workers import worker_objects, workers_queue
from charts_py.components.kueue_queues.workers_check import check_workers
from charts_py.components.kueue_queues.workload_priority import workload_priority_class
from charts_py.platform.contribution import Access, Contribution, TeamAdditions, Use
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform, TeamNamespace


_NAME = "kueue-queues"


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
    pods = queued_pods(policy_settings(platform))
    yield from policy_objects((pods, QUEUED_JOBS, KEPT_DEPENDENTS, QUEUED_WORKLOADS))


def _contributes(platform: Platform) -> Contribution:
    added = {each.name: {_NAME: _team(platform, each)} for each in platform.namespaces}
    return Contribution(teams=added)


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
