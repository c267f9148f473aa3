"""The three roles that teams have in their namespaces."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.components.gpu_roles.rules import cluster_roles
from charts_py.objects.kube_object import add_documents
from charts_py.platform.additions import Access


class GpuRoles(Construct):
    """A ClusterRole for each role."""

    def __init__(self, scope: Construct, id: str, access: Iterable[Access]) -> None:
        super().__init__(scope, id)
        add_documents(self, cluster_roles(access))
