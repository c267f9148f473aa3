"""Who may reach Kubeflow Trainer."""

from constructs import Construct

from charts_py.components.kubeflow_trainer.names import METRICS_PORT, NAMESPACE, SELECTOR, TRAINER
from charts_py.components.operator_network_policy import operator_network_policy
from charts_py.objects.kube_object import add_document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform


class TrainerNetwork(Construct):
    """A NetworkPolicy, which the chart brings none of.

    Pods of jobs do not report to it: its feature `TrainJobStatus` is off.
    """

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(TRAINER, NAMESPACE)
        policy = operator_network_policy(platform, metadata, SELECTOR, metrics_port=METRICS_PORT)
        add_document(self, policy)
