"""The CronJob that culls, with all that belongs to it."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.idle_gpus.access import access
from charts_py.components.idle_gpus.cron_job import cron_job
from charts_py.components.idle_gpus.network import network_policy
from charts_py.components.idle_gpus.settings import settings, settings_config_map
from charts_py.components.webhook.image import webhook_image
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class IdleGpus(Construct):
    """The CronJob with all that belongs to it, in a namespace of its own."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        add_documents(self, _objects(platform))


def _objects(platform: Platform) -> Iterator[Document]:
    cluster, culling = platform.cluster, settings(platform)
    yield settings_config_map(platform)
    yield from access(culling.action, culling.namespaces)
    yield network_policy(platform, culling.prometheus_url)
    image = platform.mirrors.of(webhook_image(cluster))
    yield cron_job(image, cluster.pull_secret_names)
