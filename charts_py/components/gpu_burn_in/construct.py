"""What tests new nodes, and keeps pods off them meanwhile."""

from constructs import Construct

from charts_py.components.gpu_burn_in.burn_in import burn_in_documents
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class GpuBurnIn(Construct):
    """A NodeReadinessRule and a DaemonSet per pool."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, burn_in_documents(platform))
