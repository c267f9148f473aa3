"""The dashboards as ConfigMaps."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents


class DashboardConfigMaps(Construct):
    """One ConfigMap for each dashboard."""

    def __init__(self, scope: Construct, id: str, config_maps: Iterable[Document]) -> None:
        super().__init__(scope, id)
        add_documents(self, config_maps)
