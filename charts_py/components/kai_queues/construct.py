"""The objects of the queues."""

from constructs import Construct

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.construct import AdmissionPolicies
from charts_py.components.kai_queues.api import GROUP, GROUPING
from charts_py.components.kai_queues.grouped_jobs import GROUPED_JOBS
from charts_py.components.kai_queues.queue import queues
from charts_py.components.kai_queues.ray_priority import RAY_PRIORITY_POLICY
from charts_py.components.own_group import own_group_policy
from charts_py.components.own_queue import own_queue_policy
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class KaiQueues(Construct):
    """What each namespace may have, and that it has no other's."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        own = own_queue_policy(QueueEngine.KAI, GROUP, "request.namespace")
        add_documents(self, queues(platform))
        group = own_group_policy(GROUPING)
        policies = (own, group, GROUPED_JOBS, RAY_PRIORITY_POLICY)
        AdmissionPolicies(self, "policies", policies)
