"""The training operator with all that belongs to it."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.operator_network_policy import OperatorPods, operator_network_policy
from charts_py.components.training_operator.access import access
from charts_py.components.training_operator.deployment import deployment, init_container
from charts_py.components.training_operator.names import METADATA, METRICS_PORT, SELECTOR
from charts_py.components.training_operator.webhooks import (
    certificate_secret,
    service,
    webhook_configuration,
)
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class TrainingOperator(Construct):
    """The operator, in a namespace of its own."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, operator_documents(platform))


def operator_documents(platform: Platform) -> Iterator[Document]:
    """Yield its objects, but not the definitions of its kinds."""
    yield from access()
    yield init_container()
    yield certificate_secret()
    yield deployment(platform)
    yield service()
    yield operator_network_policy(platform, METADATA, OperatorPods(SELECTOR, METRICS_PORT))
    yield webhook_configuration()
