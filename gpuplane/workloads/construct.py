"""A workload as a cdk8s construct."""

from constructs import Construct

from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.workload import new_workload


class NewWorkload(Construct):
    """The objects of a workload, as they are right for a cluster.

    Raises RenderError with what is wrong with what is asked.
    """

    def __init__(self, scope: Construct, identifier: str, platform: Platform, asked: Asked) -> None:
        super().__init__(scope, identifier)
        workload = new_workload(asked, platform)
        self.notes = workload.notes
        """What must be there besides, for it to run."""
        add_documents(self, workload.documents)
