"""Node-problem-detector, which tells whether a node offers what its pool promises.

Its image has neither an API client nor the labels of its node, so that each pool has a release of
its own, and a script reads what the kubelet keeps of device plugins: their healthy devices by
resource, in a file of its own format (https://github.com/kubernetes/kubernetes,
pkg/kubelet/cm/devicemanager/checkpoint at v1.36). Another format would leave nodes tainted.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.components.node_readiness.readiness import CONDITION, DETECTOR_NAME
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.gpu_host import DEVICE_PLUGIN_FOLDER
from charts_py.platform.name_rule import label_value_rule
from charts_py.platform.platform import Platform, PlatformPool
from gpus.label_value import MAX_LABEL_VALUE
from gpus.platform_names import POOL

_SCRIPT = "check_gpus.sh"
_MONITOR = "gpu-monitor.json"
_FOLDER = "/custom-config"
"""Where the chart mounts what `custom_monitor_definitions` holds."""
_TIMEOUT = "30s"
"""More than the script waits for the kubelet to post what it has found."""
_PLUGIN: Mapping[str, Any] = {
    "invoke_interval": "10s",
    "timeout": _TIMEOUT,
    "max_output_length": 200,
    "concurrency": 1,
    "enable_message_change_based_condition_update": True,
    # The first status would be False, that is ready, before anything was looked at.
    "skip_initial_status": True,
}
_READY: Mapping[str, str] = {
    "type": CONDITION,
    "reason": "GpusAdvertised",
    "message": "device plugins advertise every GPU resource of the pool",
}
"""The condition while nothing is missing."""
_SECURITY_CONTEXT: Mapping[str, Any] = {
    "privileged": False,
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
"""Root, as the owner of the kubelet's file, and nothing else."""
_VOLUME = "device-plugins"
_DEVICE_PLUGINS = {"path": DEVICE_PLUGIN_FOLDER, "type": "Directory"}

DETECTOR = Chart(
    repository="ghcr.io/deliveryhero/helm-charts",
    name=DETECTOR_NAME,
    kinds=lambda _: (
        EmittedKind("", "ConfigMap", namespaced=True),
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind("apps", "DaemonSet", namespaced=True),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    ),
    images=(
        ChartImage(
            section="image",
            repository="registry.k8s.io/node-problem-detector/node-problem-detector",
            tag="v1.35.1",
        ),
    ),
)

_CONFIG_MAP_NAME = f"{DETECTOR_NAME}-{{pool}}-custom-config"
"""The longest of a release: names are cut at the length of a label value."""
POOL_NAME = label_value_rule(
    "a pool with node readiness", MAX_LABEL_VALUE - len(_CONFIG_MAP_NAME.format(pool=""))
)
"""Pool names so short that no two releases have an object in common: the chart truncates names."""


def release_name(pool: PlatformPool) -> str:
    """Return the name of a pool's release."""
    return f"{DETECTOR_NAME}-{pool.name}"


def detector_values(platform: Platform, pool: PlatformPool) -> dict[str, Any]:
    """Return the values of a pool's release."""
    script = (files(__package__) / _SCRIPT).read_text(encoding="utf-8")
    return {
        "settings": {
            "log_monitors": [],
            "custom_plugin_monitors": [f"{_FOLDER}/{_MONITOR}"],
            "custom_monitor_definitions": {_MONITOR: _monitor(pool), _SCRIPT: script},
            # Nothing scrapes it.
            "prometheus_address": "127.0.0.1",
        },
        "volume": {"localtime": {"enabled": False}},
        "securityContext": _SECURITY_CONTEXT,
        "extraVolumes": [{"name": _VOLUME, "hostPath": _DEVICE_PLUGINS}],
        "extraVolumeMounts": [{"name": _VOLUME, "mountPath": f"/{_VOLUME}", "readOnly": True}],
        "nodeSelector": {POOL: pool.name},
        "tolerations": tolerations_of(platform.daemon_taints((pool,))),
        **pull_secrets(platform.cluster.pull_secret_names),
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
    }


def _monitor(pool: PlatformPool) -> str:
    """Return the configuration of the plugin as JSON.

    https://github.com/kubernetes/node-problem-detector/blob/v1.35.1/docs/custom_plugin_monitor.md
    """
    document = {
        "plugin": "custom",
        "pluginConfig": _PLUGIN,
        "source": "gpu-monitor",
        "conditions": [_READY],
        "rules": [_rule(pool)],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(pool: PlatformPool) -> dict[str, Any]:
    return {
        "type": "permanent",
        "condition": CONDITION,
        "reason": "GpusMissing",
        "path": f"{_FOLDER}/{_SCRIPT}",
        "args": [f"{each.name}={each.per_node}" for each in pool.facts.resources],
        "timeout": _TIMEOUT,
    }
