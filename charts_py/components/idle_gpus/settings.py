"""The settings of culling on a cluster, and what it asks Prometheus."""

from charts_py.cluster_file.team import IdlePods
from charts_py.components.gpu_usage.alerts import IDLE
from charts_py.components.idle_gpus.names import METADATA
from charts_py.metrics.recorded import GPU_LAST_USED, GPU_SIZE, POD_ALLOCATED, POOL_CAPACITY
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from culling.settings import Queries, Settings, write_settings

SETTINGS_KEY = "settings.json"

_FRESH_SECONDS = 180
"""Two evaluations at the interval of a minute, which is Prometheus' default, and one to spare."""

_IDLE = f"({IDLE.expression}) and time() - timestamp({GPU_LAST_USED.name}) < {_FRESH_SECONDS}"
"""What the alert fires by, as long as Prometheus goes on to record it."""
_ON_ROW = "on (node, UUID, gpu_id, GPU_I_ID, namespace, pod)"
_SIZE = f"({GPU_SIZE.name} and {_ON_ROW} ({_IDLE}))"
# A team whose pods are scraped can report GPUs that do not exist, and name a pod of others.
_ON_ITS_NODES = f"and on (namespace, pod, node) {POD_ALLOCATED.name}"
_NOT_IDLE = f'({GPU_SIZE.name}{{pod!=""}} unless {_ON_ROW} ({_IDLE}))'
_IDLE_ALONE = f"{_SIZE} {_ON_ITS_NODES} unless on (namespace, pod) {_NOT_IDLE}"
"""The idle GPUs of pods all of whose GPUs are idle, on the nodes where they hold GPUs."""

QUERIES = Queries(
    idle_gpus=f"sum by (namespace, pod) ({_IDLE_ALONE})",
    idle_minutes=f"min by (namespace, pod) ({_IDLE})",
    held_gpus=f"sum by (namespace, pod) ({POD_ALLOCATED.name})",
    capacity=f"sum({POOL_CAPACITY.name})",
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
        queries=QUERIES,
    )


def culled_namespaces(platform: Platform) -> tuple[str, ...]:
    """Return the namespaces in which what is idle ends, sorted."""
    found = (each for each in platform.namespaces if each.spec.idle_pods is IdlePods.END)
    return tuple(each.name for each in found)
