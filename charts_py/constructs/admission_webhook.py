"""The admission webhook as a construct."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.components.webhook.server import NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class AdmissionWebhook(Construct):
    """The server that fixes and judges GPU pods, in a namespace of its own.

    Its settings are the facts of the pools and teams, so that it adds the tolerations of the taints
    that the nodes have.
    """

    def __init__(
        self, scope: Construct, id: str, *, platform: Platform, is_called: bool = True
    ) -> None:
        """Add the server, and unless `is_called` is false, have the API server call it.

        Without it, the configurations of the API server can follow once the server runs: until then
        they only let it time out.
        """
        super().__init__(scope, id)
        self.namespace = NAMESPACE
        """The namespace of the server."""
        self.objects = add_documents(self, _objects(platform, is_called=is_called))


def _objects(platform: Platform, *, is_called: bool) -> Iterator[Document]:
    for definition in (WEBHOOK, WEBHOOK_CONFIGURATION) if is_called else (WEBHOOK,):
        if definition.objects is not None:
            yield from definition.objects(platform)
