"""What a detector looks at, as files of its configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from charts_py.components.node_problem_detector.conditions import (
    BURN_IN_FOLDER,
    GPU_BURN_IN_FAILED,
    GPU_BURN_IN_NOT_PASSED,
    GPU_NOT_READY,
    MOUNTED_BURN_IN_FOLDER,
)
from charts_py.platform.gpu_host import DEVICE_PLUGIN_FOLDER

if TYPE_CHECKING:
    from charts_py.platform.platform import PlatformPool


_DEVICE_SCRIPT = "check_gpus.sh"
_DEVICE_TIMEOUT = "30s"
"""More than the script waits for the kubelet to post what it has found."""
_DEVICES_READY: Mapping[str, str] = {
    "type": GPU_NOT_READY,
    "reason": "GpusAdvertised",
    "message": "device plugins advertise every GPU resource of the pool",
}
"""The condition while nothing is missing."""
_DEVICE_VOLUME = "device-plugins"
_BURN_IN_SCRIPT = "check_burn_in.sh"
_BURN_IN_TIMEOUT = "5s"
_BURN_IN_VOLUME = "burn-in"
FOLDER = "/custom-config"
"""Where the chart mounts what `custom_monitor_definitions` holds."""


class MonitorKind(StrEnum):
    """What reads a monitor's file, as the chart's `settings` call it."""

    LOG = "log_monitors"
    """Matches lines of a log."""
    CUSTOM_PLUGIN = "custom_plugin_monitors"
    """Runs scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """A monitor with what it needs of the node."""

    kind: MonitorKind
    file: str
    content: str
    """JSON."""
    scripts: Mapping[str, str] = field(default_factory=dict)
    """By the name of their file."""
    volumes: tuple[Mapping[str, Any], ...] = ()
    mounts: tuple[Mapping[str, Any], ...] = ()
    is_privileged: bool = False
    """Whether it opens a device of the node, which containers without privileges cannot."""


def custom_plugin(
    source: str, timeout: str, condition: Mapping[str, str], rule: Mapping[str, Any]
) -> str:
    """Return the configuration as JSON; `condition` is how it stands while nothing is wrong.

    https://github.com/kubernetes/node-problem-detector/blob/v1.35.1/docs/custom_plugin_monitor.md
    """
    plugin = {
        "invoke_interval": "10s",
        "timeout": timeout,
        "max_output_length": 200,
        "concurrency": 1,
        "enable_message_change_based_condition_update": True,
        # The first status would be False, that is well, before anything was looked at.
        "skip_initial_status": True,
    }
    document = {
        "plugin": "custom",
        "pluginConfig": plugin,
        "source": source,
        "conditions": [condition],
        "rules": [rule],
    }
    return json.dumps(document, indent=2) + "\n"


def device_monitor(pool: PlatformPool) -> Monitor:
    """Return the monitor of a pool whose GPUs device plugins advertise: whether nodes offer them.

    The detector's image has neither an API client nor the labels of its node, so that each pool has
    a release of its own, and a script reads what the kubelet keeps of device plugins: their healthy
    devices by resource, in a file of its own format (https://github.com/kubernetes/kubernetes,
    pkg/kubelet/cm/devicemanager/checkpoint at v1.36). Another format would leave nodes tainted.
    """
    return Monitor(
        kind=MonitorKind.CUSTOM_PLUGIN,
        file="gpu-monitor.json",
        content=custom_plugin("gpu-monitor", _DEVICE_TIMEOUT, _DEVICES_READY, _device_rule(pool)),
        scripts={_DEVICE_SCRIPT: (files(__package__) / _DEVICE_SCRIPT).read_text(encoding="utf-8")},
        volumes=(
            {
                "name": _DEVICE_VOLUME,
                "hostPath": {"path": DEVICE_PLUGIN_FOLDER, "type": "Directory"},
            },
        ),
        mounts=({"name": _DEVICE_VOLUME, "mountPath": f"/{_DEVICE_VOLUME}", "readOnly": True},),
    )


def _device_rule(pool: PlatformPool) -> dict[str, Any]:
    return {
        "type": "permanent",
        "condition": GPU_NOT_READY,
        "reason": "GpusMissing",
        "path": f"{FOLDER}/{_DEVICE_SCRIPT}",
        "args": [f"{each.name}={each.per_node}" for each in pool.facts.resources],
        "timeout": _DEVICE_TIMEOUT,
    }


def burn_in_monitors() -> tuple[Monitor, Monitor]:
    """Return the monitor of nodes that wait for their burn-in, and that of those that failed it.

    Both read the verdict that another daemon writes. Each has one condition: a monitor of two sends
    both with the answer of the first rule, of which one is False that nobody has looked at yet.
    """
    folder = {"path": BURN_IN_FOLDER, "type": "DirectoryOrCreate"}
    return (
        Monitor(
            kind=MonitorKind.CUSTOM_PLUGIN,
            file="burn-in-not-passed.json",
            content=_not_passed(),
            scripts={
                _BURN_IN_SCRIPT: (files(__package__) / _BURN_IN_SCRIPT).read_text(encoding="utf-8")
            },
            volumes=({"name": _BURN_IN_VOLUME, "hostPath": folder},),
            mounts=(
                {"name": _BURN_IN_VOLUME, "mountPath": MOUNTED_BURN_IN_FOLDER, "readOnly": True},
            ),
        ),
        Monitor(kind=MonitorKind.CUSTOM_PLUGIN, file="burn-in-failed.json", content=_failed()),
    )


def _not_passed() -> str:
    # Of a condition that is False the detector says this, and nothing of the verdict.
    well = (
        "GpuBurnInPassed",
        "the GPUs have passed, or were in use and untested: see the verdict",
    )
    return _configuration(GPU_BURN_IN_NOT_PASSED, well, "GpuBurnInNotPassed", "passed")


def _failed() -> str:
    well = ("NoGpuBurnInFailure", "no burn-in of the node's GPUs has failed")
    return _configuration(GPU_BURN_IN_FAILED, well, "GpuBurnInFailed", "not-failed")


def _configuration(condition: str, well: tuple[str, str], reason: str, argument: str) -> str:
    """Return the configuration; `well` is reason and message of a condition that is False."""
    rule = {
        "type": "permanent",
        "condition": condition,
        "reason": reason,
        "path": f"{FOLDER}/{_BURN_IN_SCRIPT}",
        "args": [argument],
    }
    stands = {"type": condition, "reason": well[0], "message": well[1]}
    return custom_plugin("burn-in-monitor", _BURN_IN_TIMEOUT, stands, rule)
