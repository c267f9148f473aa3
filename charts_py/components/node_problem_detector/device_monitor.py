"""The monitor that asks whether a node offers what its pool promises.

The detector's image has neither an API client nor the labels of its node, so that each pool has a
release of its own, and a script reads what the kubelet keeps of device plugins: their healthy
devices by resource, in a file of its own format (https://github.com/kubernetes/kubernetes,
pkg/kubelet/cm/devicemanager/checkpoint at v1.36). Another format would leave nodes tainted.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from charts_py.components.node_problem_detector.conditions import GPU_NOT_READY
from charts_py.components.node_problem_detector.custom_plugin import custom_plugin
from charts_py.components.node_problem_detector.monitor import FOLDER, Monitor, MonitorKind
from charts_py.platform.gpu_host import DEVICE_PLUGIN_FOLDER
from charts_py.platform.platform import PlatformPool

_SCRIPT = "check_gpus.sh"
_TIMEOUT = "30s"
"""More than the script waits for the kubelet to post what it has found."""
_READY: Mapping[str, str] = {
    "type": GPU_NOT_READY,
    "reason": "GpusAdvertised",
    "message": "device plugins advertise every GPU resource of the pool",
}
"""The condition while nothing is missing."""
_VOLUME = "device-plugins"


def device_monitor(pool: PlatformPool) -> Monitor:
    """Return the monitor of a pool whose GPUs device plugins advertise."""
    return Monitor(
        kind=MonitorKind.CUSTOM_PLUGIN,
        file="gpu-monitor.json",
        content=custom_plugin("gpu-monitor", _TIMEOUT, _READY, _rule(pool)),
        scripts={_SCRIPT: (files(__package__) / _SCRIPT).read_text(encoding="utf-8")},
        volumes=(
            {"name": _VOLUME, "hostPath": {"path": DEVICE_PLUGIN_FOLDER, "type": "Directory"}},
        ),
        mounts=({"name": _VOLUME, "mountPath": f"/{_VOLUME}", "readOnly": True},),
    )


def _rule(pool: PlatformPool) -> dict[str, Any]:
    return {
        "type": "permanent",
        "condition": GPU_NOT_READY,
        "reason": "GpusMissing",
        "path": f"{FOLDER}/{_SCRIPT}",
        "args": [f"{each.name}={each.per_node}" for each in pool.facts.resources],
        "timeout": _TIMEOUT,
    }
