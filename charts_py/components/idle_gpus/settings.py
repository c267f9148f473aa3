"""The settings of culling on a cluster, and what it asks Prometheus."""

from functools import cache

from charts_py.cluster_file.team import IdlePods
from charts_py.components.gpu_usage.rules import GPU_IDLE, usage_alert
from charts_py.components.idle_gpus.names import METADATA
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from culling.settings import Queries, Settings, write_settings

SETTINGS_KEY = "settings.json"

_FRESH_SECONDS = 180
"""Two evaluations at the interval of a minute, which is Prometheus' default, and one to spare."""
_ON_ROW = "on (node, UUID, gpu_id, GPU_I_ID, namespace, pod)"


@cache
def queries() -> Queries:
    # What the alert fires by, as long as Prometheus goes on to record it.
    last_used = "time() - timestamp(gpu:gpuplane_last_used:timestamp_seconds)"
    idle = f"({usage_alert(GPU_IDLE).expression}) and {last_used} < {_FRESH_SECONDS}"
    size = f"(gpu:gpuplane_size:gpus and {_ON_ROW} ({idle}))"
    # A team whose pods are scraped can report GPUs that do not exist, and name a pod of others.
    on_its_nodes = "and on (namespace, pod, node) pod:gpuplane_allocated_gpus:sum"
    not_idle = f'(gpu:gpuplane_size:gpus{{pod!=""}} unless {_ON_ROW} ({idle}))'
    # The idle GPUs of pods all of whose GPUs are idle, on the nodes where they hold GPUs.
    idle_alone = f"{size} {on_its_nodes} unless on (namespace, pod) {not_idle}"
    return Queries(
        idle_gpus=f"sum by (namespace, pod) ({idle_alone})",
        idle_minutes=f"min by (namespace, pod) ({idle})",
        held_gpus="sum by (namespace, pod) (pod:gpuplane_allocated_gpus:sum)",
        capacity="sum(pool:gpuplane_capacity_gpus:sum)",
    )


def settings_config_map(platform: Platform) -> Document:
    """Return the ConfigMap that each round reads."""
    return object_of(
        "v1", "ConfigMap", METADATA, {"data": {SETTINGS_KEY: write_settings(settings(platform))}}
    )


def settings(platform: Platform) -> Settings:
    """Return the settings of culling; raises RenderError without what the checks ask for."""
    addons = platform.cluster.addons
    if addons.idle_gpus is None or addons.monitoring.prometheus_url is None:
        raise RenderError("addons.idleGpus needs addons.monitoring.prometheusUrl")
    return Settings(
        prometheus_url=addons.monitoring.prometheus_url,
        namespaces=culled_namespaces(platform),
        action=addons.idle_gpus.action,
        max_percent=addons.idle_gpus.max_percent,
        queries=queries(),
    )


def culled_namespaces(platform: Platform) -> tuple[str, ...]:
    """Return the namespaces in which what is idle ends, sorted."""
    found = (each for each in platform.namespaces if each.spec.idle_pods is IdlePods.END)
    return tuple(each.name for each in found)
