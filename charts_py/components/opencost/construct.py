"""The prices by which OpenCost counts, and who may ask it."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.components.network_rules import from_namespaces
from charts_py.components.opencost.chart import OPENCOST_NAME, PORT, PRICES_CONFIG_MAP
from charts_py.components.opencost.prices import PRICES_FILE
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_document, add_object
from charts_py.objects.metadata import ObjectMeta, object_of


class OpencostConfiguration(Construct):
    """A ConfigMap with the prices, and a NetworkPolicy that lets in those who collect metrics."""

    def __init__(self, scope: Construct, id: str, prices: str, collectors: Iterable[str]) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(PRICES_CONFIG_MAP, OPENCOST_NAME)
        add_object(self, "v1", "ConfigMap", metadata, {"data": {PRICES_FILE: prices}})
        add_document(self, _network_policy(collectors))


def _network_policy(collectors: Iterable[str]) -> Document:
    """Return a NetworkPolicy that opens the API, which asks nobody who they are, to Prometheus.

    A forwarded port needs no rule: it is opened in the pod itself.
    """
    spec = {
        "podSelector": {},
        "policyTypes": ["Ingress"],
        "ingress": [from_namespaces(collectors, PORT)],
    }
    metadata = ObjectMeta(OPENCOST_NAME, OPENCOST_NAME)
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})
