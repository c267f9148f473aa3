"""Node-problem-detector, which tells whether a node offers what its pool promises.

Its image has neither an API client nor the labels of its node, so that each pool has a release of
its own, and a script reads what the kubelet keeps of device plugins: their healthy devices by
resource, in a file of its own format (https://github.com/kubernetes/kubernetes,
pkg/kubelet/cm/devicemanager/checkpoint at v1.36). Another format would leave nodes tainted.
"""

import json
from importlib.resources import files
from typing import Any

from charts_py.components.definition import Chart
from charts_py.components.node_readiness.readiness import CONDITION
from charts_py.objects.document import EmittedKind
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.name_rule import label_value_rule
from charts_py.platform.platform import Platform, PlatformPool
from gpus.label_value import MAX_LABEL_VALUE
from gpus.platform_names import POOL

_CHART = "node-problem-detector"
_SCRIPT = "check_gpus.sh"
_MONITOR = "gpu-monitor.json"
_FOLDER = "/custom-config"
"""Where the chart mounts what `custom_monitor_definitions` holds."""
_TIMEOUT = "30s"
"""More than the script waits for the kubelet to post what it has found."""

DETECTOR = Chart(
    repository="ghcr.io/deliveryhero/helm-charts",
    name=_CHART,
    kinds=lambda _: (
        EmittedKind("", "ConfigMap", namespaced=True),
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind("apps", "DaemonSet", namespaced=True),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    ),
)

POOL_NAME = label_value_rule(
    f"a release of {_CHART}", MAX_LABEL_VALUE - len(f"{_CHART}--custom-config")
)
"""Names of pools whose release has objects of different names: the chart cuts them off."""


def release_name(pool: PlatformPool) -> str:
    """Return the name of a pool's release."""
    return f"{_CHART}-{pool.name}"


def detector_values(platform: Platform, pool: PlatformPool) -> dict[str, Any]:
    """Return the values of a pool's release."""
    script = (files(__package__) / _SCRIPT).read_text(encoding="utf-8")
    return {
        "settings": {
            "log_monitors": [],
            "custom_plugin_monitors": [f"{_FOLDER}/{_MONITOR}"],
            "custom_monitor_definitions": {_MONITOR: _monitor(pool), _SCRIPT: script},
        },
        "volume": {"localtime": {"enabled": False}},
        # Root, as the owner of the kubelet's file, and nothing else.
        "securityContext": {
            "privileged": False,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "extraVolumes": [
            {
                "name": "device-plugins",
                "hostPath": {"path": "/var/lib/kubelet/device-plugins", "type": "Directory"},
            }
        ],
        "extraVolumeMounts": [
            {"name": "device-plugins", "mountPath": "/device-plugins", "readOnly": True}
        ],
        "nodeSelector": {POOL: pool.name},
        "tolerations": tolerations_of(platform.daemon_taints((pool,))),
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
    }


def _monitor(pool: PlatformPool) -> str:
    """Return the plugin's configuration as JSON.

    https://github.com/kubernetes/node-problem-detector/blob/v1.35.1/docs/custom_plugin_monitor.md
    """
    document = {
        "plugin": "custom",
        "pluginConfig": {
            "invoke_interval": "10s",
            "timeout": _TIMEOUT,
            "max_output_length": 200,
            "concurrency": 1,
            "enable_message_change_based_condition_update": True,
            # The first status would be False, that is ready, before anything was looked at.
            "skip_initial_status": True,
        },
        "source": "gpu-monitor",
        "conditions": [
            {
                "type": CONDITION,
                "reason": "GpusAdvertised",
                "message": "device plugins advertise every GPU resource of the pool",
            }
        ],
        "rules": [
            {
                "type": "permanent",
                "condition": CONDITION,
                "reason": "GpusMissing",
                "path": f"{_FOLDER}/{_SCRIPT}",
                "args": [f"{each.name}={each.per_node}" for each in pool.facts.resources],
                "timeout": _TIMEOUT,
            }
        ],
    }
    return json.dumps(document, indent=2) + "\n"
