"""The rule by which the readiness controller sets nodes aside."""

from constructs import Construct

from charts_py.components.gpu_health.quarantine import quarantine_rules
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class GpuHealth(Construct):
    """The NodeReadinessRule of nodes with broken GPUs."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, quarantine_rules(platform))
