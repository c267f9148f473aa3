"""The roles of teams."""

from collections.abc import Iterable, Sequence

from constructs import Construct

from charts_py.components.gpu_roles.rules import cluster_reader, cluster_roles
from charts_py.objects.kube_object import add_documents
from charts_py.platform.additions import Access


class GpuRoles(Construct):
    """A ClusterRole for each role in namespaces, and one for what is in none."""

    def __init__(
        self, scope: Construct, id: str, access: Sequence[Access], groups: Iterable[str]
    ) -> None:
        super().__init__(scope, id)
        add_documents(self, (*cluster_roles(access), *cluster_reader(access, groups)))
