"""The admission webhook's server with all that belongs to it."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.namespaces.own_namespace import own_namespace
from charts_py.components.webhook.certificate import serving_certificate
from charts_py.components.webhook.clients import clients_config_map
from charts_py.components.webhook.deployment import deployment, service_account
from charts_py.components.webhook.image import webhook_image
from charts_py.components.webhook.network import network_policy, service
from charts_py.components.webhook.scaling import autoscaler, disruption_budget
from charts_py.components.webhook.server import OWN_NAMESPACE
from charts_py.components.webhook.settings import settings_config_map
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform
from charts_py.platform.platform_priority import platform_priority
from charts_py.platform.policy_settings import policy_settings


class Webhook(Construct):
    """The server with all that belongs to it, in a namespace of its own."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, _objects(platform))


def _objects(platform: Platform) -> Iterator[Document]:
    cluster = platform.cluster
    api_server = cluster.webhook.api_server
    certificate = serving_certificate(cluster.webhook.certificate)
    yield own_namespace(OWN_NAMESPACE, cluster.kubernetes)
    yield settings_config_map(policy_settings(platform))
    yield from certificate.objects
    yield from clients_config_map(api_server)
    yield service_account()
    yield deployment(
        image=platform.mirrors.of(webhook_image(cluster)),
        pull_secret_names=cluster.pull_secret_names,
        priority_class=platform_priority(cluster),
        certificate_secret=certificate.secret,
        api_server=api_server,
    )
    yield service(api_server)
    yield network_policy(api_server, platform.monitoring.namespaces)
    yield autoscaler(cluster.webhook.replicas)
    yield disruption_budget()
