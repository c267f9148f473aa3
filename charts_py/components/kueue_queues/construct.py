"""The objects of the queues that live in no namespace."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.admission_policies.construct import AdmissionPolicies
from charts_py.components.kueue_queues.cluster_queue import cluster_queue
from charts_py.components.kueue_queues.cohort import cohorts
from charts_py.components.kueue_queues.flavor import resource_flavor
from charts_py.components.kueue_queues.kept_dependents import KEPT_DEPENDENTS
from charts_py.components.kueue_queues.manager_access import manager_access
from charts_py.components.kueue_queues.provisioning import provisioning
from charts_py.components.kueue_queues.queued_jobs import QUEUED_JOBS
from charts_py.components.kueue_queues.queued_pods import queued_pods
from charts_py.components.kueue_queues.queued_workloads import QUEUED_WORKLOADS
from charts_py.components.kueue_queues.topology import topology
from charts_py.components.kueue_queues.workers import worker_objects, workers_queue
from charts_py.components.kueue_queues.workload_priority import workload_priority_class
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings


class KueueQueues(Construct):
    """What each namespace may have of each pool, and that nothing starts past it."""

    def __init__(self, scope: Construct, id: str, platform: Platform, borrowing: Borrowing) -> None:
        super().__init__(scope, id)
        add_documents(self, _documents(platform, borrowing))
        pods = queued_pods(policy_settings(platform))
        policies = (pods, QUEUED_JOBS, KEPT_DEPENDENTS, QUEUED_WORKLOADS)
        AdmissionPolicies(self, "policies", policies)


def _documents(platform: Platform, borrowing: Borrowing) -> Iterator[Document]:
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
