"""NVIDIA's GPU operator as a construct."""

from constructs import Construct

from charts_py.argocd.applications import application_of
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError


class GpuOperator(Construct):
    """An Argo CD Application of the operator's pinned chart, with the values that the pools need.

    The values follow from who owns the driver, how the GPUs are shared, the taints of the nodes and
    who collects the metrics.
    """

    def __init__(self, scope: Construct, id: str, *, platform: Platform) -> None:
        """Add the Application; raise RenderError where no pool has NVIDIA GPUs."""
        super().__init__(scope, id)
        planned = [each for each in GPU_OPERATOR.plan(platform) if each.helm is not None]
        if not planned:
            raise RenderError(f"{platform.name}: no pool has NVIDIA GPUs")
        component = planned[0]
        self.release = component.helm
        """The chart, its version and its values."""
        self.namespace = component.namespace
        """The namespace that it is installed in."""
        self.objects = add_documents(self, [application_of(platform, component).document()])
