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
from charts_py.components.definition import Definition
from charts_py.components.kueue.managed_kinds import GANGS, PRIORITY
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.components.kueue_queues.api import GROUP
from charts_py.components.kueue_queues.local_queue import local_queue
from charts_py.components.kueue_queues.manager_access import writer_binding
from charts_py.components.kueue_queues.names import ACCOUNT, KUBECONFIG_KEY, kubeconfig_secret
from charts_py.components.kueue_queues.provisioning_check import check_provisioning
from charts_py.components.kueue_queues.topology_check import check_topology
from charts_py.components.kueue_queues.workers_check import check_workers
from charts_py.platform.additions import Access, TeamAdditions, Use
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform, TeamNamespace


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.kueue_queues.construct import KueueQueues

    borrowing = platform.cluster.borrowing
    return lambda scope: KueueQueues(scope, "queues", platform, borrowing)


def _team(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    is_run_for_manager = namespace.name in platform.run_for_manager
    bindings = (writer_binding(namespace.name),) if is_run_for_manager else ()
    return TeamAdditions(objects=(local_queue(namespace.name), *bindings))


KUBECONFIGS = Prerequisite(
    name="For each worker, an API server that Kueue in the manager reaches, and a Secret "
    f"`{kubeconfig_secret('WORKER')}` in the manager's `{KUEUE_NAMESPACE}` with a kubeconfig under "
    f"the key `{KUBECONFIG_KEY}` that has the token of the Secret `{ACCOUNT}` in the worker's "
    "([how](queues.md#jobs-for-several-clusters))",
    needed="where `multiKueue` names the cluster as manager",
    checked="the condition `Active` of each MultiKueueCluster",
    without="no job goes to that worker, and where all are missing, no queue takes them",
)

KUEUE_QUEUES = Definition(
    name="kueue-queues",
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
    construct=_construct,
    checks=(check_topology, check_provisioning),
    worker_checks=(check_workers,),
    access=(
        Access(GROUP, ("localqueues", "workloads"), Use.READ),
        Access(GROUP, ("workloads",), Use.ADJUST),
        # Which jobs wait before which.
        Access(f"visibility.{GROUP}", ("localqueues/pendingworkloads",), Use.READ),
    ),
    prerequisites=(KUBECONFIGS,),
    queue_priority=PRIORITY,
    gangs=GANGS,
    team=_team,
)
