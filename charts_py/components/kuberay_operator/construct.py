"""Who may reach KubeRay's operator."""

from constructs import Construct

from charts_py.components.kuberay_operator.values import (
    KUBERAY_OPERATOR,
    METRICS_PORT,
    NAMESPACE,
    SELECTOR,
)
from charts_py.components.operator_network_policy import operator_network_policy
from charts_py.objects.kube_object import add_document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform


class KuberayNetwork(Construct):
    """A NetworkPolicy, which the chart brings none of; the API server calls no webhook of it."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        policy = operator_network_policy(
            platform,
            ObjectMeta(KUBERAY_OPERATOR, NAMESPACE),
            SELECTOR,
            metrics_port=METRICS_PORT,
            has_webhooks=False,
        )
        add_document(self, policy)
