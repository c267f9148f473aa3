"""The objects of the queues."""

from constructs import Construct

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.construct import AdmissionPolicies
from charts_py.components.own_group import own_group_policy
from charts_py.components.own_queue import own_queue_policy
from charts_py.components.volcano_queues.api import DEFAULT_QUEUE, GROUP, GROUPING
from charts_py.components.volcano_queues.preemptable import PREEMPTABLE_POLICY
from charts_py.components.volcano_queues.queue import queues
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform
from gpus.platform_names import TEAM

_OWN = (
    f'"{TEAM}" in namespaceObject.metadata.?labels.orValue({{}})'
    f' ? request.namespace : "{DEFAULT_QUEUE}"'
)


class VolcanoQueues(Construct):
    """What each namespace may have of each resource, and that it keeps no other's."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        own = own_queue_policy(QueueEngine.VOLCANO, GROUP, _OWN)
        add_documents(self, queues(platform))
        AdmissionPolicies(self, "policies", (own, own_group_policy(GROUPING), PREEMPTABLE_POLICY))
