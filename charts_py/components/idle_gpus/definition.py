"""Workloads that hold GPUs and have not used them end, or it is said that they would.

Every ten minutes a round asks Prometheus for the GPUs by which the alert `GpuplaneGpuIdle` fires,
and the API server for who made their pods. In namespaces with `idlePods: end` it scales down,
stops or evicts those that use none of their GPUs; with the action `observe` it only says so. It has
a namespace of its own, and no rights outside of such namespaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.idle_gpus.access import access
from charts_py.components.idle_gpus.check import check_idle_gpus, check_idle_pods
from charts_py.components.idle_gpus.cron_job import cron_job
from charts_py.components.idle_gpus.names import NAMESPACE, OWN_NAMESPACE
from charts_py.components.idle_gpus.network import network_policy
from charts_py.components.idle_gpus.settings import settings, settings_config_map
from charts_py.components.webhook.image import placeholder_warnings, registries, webhook_image
from charts_py.platform.contribution import Contribution
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.cluster_file.fault import Fault
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> Iterator[Document]:
    cluster, culling = platform.cluster, settings(platform)
    yield settings_config_map(platform)
    yield from access(culling.action, culling.namespaces)
    yield network_policy(platform, culling.prometheus_url)
    image = platform.mirrors.of(webhook_image(cluster))
    yield cron_job(image, cluster.pull_secret_names)


def _warnings(platform: Platform) -> Iterator[Fault]:
    """Yield a warning where the image is the placeholder, unless the webhook warns of it."""
    if not platform.cluster.admission.has_webhook:
        yield from placeholder_warnings(platform)


IDLE_GPUS = Definition(
    name="idle-gpus",
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.idle_gpus is not None,
    fields=(
        "addons.idleGpus",
        "addons.monitoring.prometheusUrl",
        "network.apiServer",
        "network.dnsAddress",
        "teams.NAME.namespaces.NAME.idlePods",
        "webhook.image",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("namespaces", "team"),
    # Last: Argo CD waits for no round that fails.
    wave=Wave.EXTENSIONS,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(OWN_NAMESPACE,),
    ),
    objects=_objects,
    registries=registries,
    checks=(check_idle_gpus, check_idle_pods),
    warnings=_warnings,
)
