"""Who may reach JobSet."""

from constructs import Construct

from charts_py.components.jobset.values import JOBSET_NAME, METRICS_PORT, NAMESPACE, SELECTOR
from charts_py.components.operator_network_policy import operator_network_policy
from charts_py.objects.kube_object import add_document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform


class JobSetNetwork(Construct):
    """A NetworkPolicy, which the chart brings none of."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(JOBSET_NAME, NAMESPACE)
        policy = operator_network_policy(platform, metadata, SELECTOR, metrics_port=METRICS_PORT)
        add_document(self, policy)
