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
from charts_py.platform.policy_settings import policy_settings
from charts_py.spec.cluster import Cluster
from charts_py.spec.priority import PLATFORM_PRIORITY


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
        priority_class=_priority_class(cluster),
        certificate_secret=certificate.secret,
        api_server=api_server,
    )
    yield service(api_server)
    yield network_policy(api_server, platform.monitoring.namespaces)
    yield autoscaler(cluster.webhook.replicas)
    yield disruption_budget()


def _priority_class(cluster: Cluster) -> str:
    """Return the platform's own rung, or the highest of a ladder that has none."""
    ladder = cluster.priorities
    if PLATFORM_PRIORITY in ladder:
        return PLATFORM_PRIORITY
    return max(ladder, key=lambda name: ladder[name].value)
