"""The monitors of a detector, and the conditions that they set on nodes.

They count GPUs, read the verdict of the burn-in, and the errors of NVIDIA's driver from the
kernel's log.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.provider_facts import DEVICE_PLUGIN_FOLDER
from gpus.model import NVIDIA
from gpus.platform_names import LABEL_PREFIX
from gpus.sharing import Sharing
from gpus.xid import Xid, XidClass, xids_of

# Each condition is True while something is wrong.
GPU_NOT_READY = f"{LABEL_PREFIX}/GpuNotReady"
"""The node lacks GPUs that its pool promises."""
GPU_HARDWARE_FAULT = f"{LABEL_PREFIX}/GpuHardwareFault"
"""Since the node booted, its kernel has logged an error that a GPU has to be looked at for."""
GPU_DRIVER_FAULT = f"{LABEL_PREFIX}/GpuDriverFault"
"""Since the node booted, its kernel has logged an error that a GPU has to be reset for."""
NV_SWITCH_FAULT = f"{LABEL_PREFIX}/NvSwitchFault"
"""Since the node booted, its kernel has logged a fatal error of a switch of NVLink in the machine.
It sets no node aside: a GPU that falls off the bus, or is reset, makes some, too."""
GPU_BURN_IN_NOT_PASSED = f"{LABEL_PREFIX}/GpuBurnInNotPassed"
"""The node's GPUs have not passed their burn-in, or not yet."""
GPU_BURN_IN_FAILED = f"{LABEL_PREFIX}/GpuBurnInFailed"
"""The node's GPUs have failed their burn-in."""
FOLDER = "/custom-config"
"""The chart mounts `custom_monitor_definitions` here."""
BURN_IN_FOLDER = "/var/lib/gpuplane/burn-in"
"""It is on the node's disk, so that a reboot starts no new test: pods that it starts again use the
GPUs at once, beside any test."""
MOUNTED_BURN_IN_FOLDER = "/burn-in"
"""The scripts find it here."""
_CHECK_GPUS = "check_gpus.sh"
_CHECK_GPUS_TIMEOUT = "30s"
"""More than the script waits for the kubelet to post what it has found."""
_CHECK_BURN_IN = "check_burn_in.sh"
_CONDITIONS: Mapping[XidClass, str] = {
    XidClass.HARDWARE: GPU_HARDWARE_FAULT,
    XidClass.DRIVER: GPU_DRIVER_FAULT,
}
"""The conditions of classes whose errors stay until the node boots again."""
_WELL: tuple[Mapping[str, str], ...] = (
    {
        "type": GPU_HARDWARE_FAULT,
        "reason": "NoGpuHardwareFault",
        "message": "the kernel has logged no error of the GPUs' hardware",
    },
    {
        "type": GPU_DRIVER_FAULT,
        "reason": "NoGpuDriverFault",
        "message": "the kernel has logged no error that a GPU is reset for",
    },
    {
        "type": NV_SWITCH_FAULT,
        "reason": "NoNvSwitchFault",
        "message": "the kernel has logged no fatal error of an NVSwitch",
    },
)
_EVER = "87600h"
"""Ten years; the detector never looks further back than the boot (`GetStartTime` in pkg/util)."""
_JUST_NOW = "1m"
"""About as long as a detector takes to start again."""
_OTHER_LINES: Mapping[int, str] = {79: "NVRM: [^X].*fallen off the bus"}
"""Lines that say the same where the driver writes no XID, such as `NVRM: GPU 0000:18:00.0: GPU has
fallen off the bus.` (`RegexNVRMFallenOffBusSingleLine` in https://github.com/leptonai/gpud,
components/accelerator/nvidia/xid/kmsg.go). A line with an XID has the name of a program."""


class MonitorKind(StrEnum):
    """A reader of monitors' files, as the chart's `settings` call it."""

    LOG = "log_monitors"
    """Matches lines of a log."""
    CUSTOM_PLUGIN = "custom_plugin_monitors"
    """Runs scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """A file of the detector's configuration, with what it needs of the node."""

    kind: MonitorKind
    file: str
    content: str
    """JSON."""
    scripts: Mapping[str, str] = field(default_factory=dict)
    """Scripts by the name of their file."""
    volumes: tuple[Mapping[str, Any], ...] = ()
    mounts: tuple[Mapping[str, Any], ...] = ()
    is_privileged: bool = False
    """Whether it opens a device of the node, which containers without privileges cannot."""


def device_monitor(pool: PlatformPool) -> Monitor:
    """Return the monitor that asks whether nodes offer the GPUs that device plugins advertise.

    The detector's image has neither an API client nor the labels of its node, so that each pool has
    a release of its own, and a script reads what the kubelet keeps of device plugins: their healthy
    devices by resource, in a file of its own format (https://github.com/kubernetes/kubernetes,
    pkg/kubelet/cm/devicemanager/checkpoint at v1.36). Another format would leave nodes tainted.
    """
    ready = {
        "type": GPU_NOT_READY,
        "reason": "GpusAdvertised",
        "message": "device plugins advertise every GPU resource of the pool",
    }
    expected = [f"{each.name}={each.per_node}" for each in pool.facts.resources]
    rule = _rule(GPU_NOT_READY, "GpusMissing", _CHECK_GPUS, expected)
    rule["timeout"] = _CHECK_GPUS_TIMEOUT
    host_path = {"path": DEVICE_PLUGIN_FOLDER, "type": "Directory"}
    return Monitor(
        kind=MonitorKind.CUSTOM_PLUGIN,
        file="gpu-monitor.json",
        content=_custom_plugin("gpu-monitor", _CHECK_GPUS_TIMEOUT, ready, rule),
        scripts=_script(_CHECK_GPUS),
        volumes=({"name": "device-plugins", "hostPath": host_path},),
        mounts=({"name": "device-plugins", "mountPath": "/device-plugins", "readOnly": True},),
    )


def burn_in_monitors() -> tuple[Monitor, Monitor]:
    """Return the monitor of nodes that wait for their burn-in, and that of those that failed it.

    Each has one condition: a monitor of two would send both with the answer of the first rule, and
    so report one as False before anything has checked it.
    """
    host_path = {"path": BURN_IN_FOLDER, "type": "DirectoryOrCreate"}
    # Of a condition that is False the detector says this, and nothing of the verdict.
    passed = {
        "type": GPU_BURN_IN_NOT_PASSED,
        "reason": "GpuBurnInPassed",
        "message": "the GPUs have passed, or were in use and untested: see the verdict",
    }
    not_failed = {
        "type": GPU_BURN_IN_FAILED,
        "reason": "NoGpuBurnInFailure",
        "message": "no burn-in of the node's GPUs has failed",
    }
    return (
        Monitor(
            kind=MonitorKind.CUSTOM_PLUGIN,
            file="burn-in-not-passed.json",
            content=_asks_for_verdict(passed, "GpuBurnInNotPassed", "passed"),
            scripts=_script(_CHECK_BURN_IN),
            volumes=({"name": "burn-in", "hostPath": host_path},),
            mounts=({"name": "burn-in", "mountPath": MOUNTED_BURN_IN_FOLDER, "readOnly": True},),
        ),
        Monitor(
            kind=MonitorKind.CUSTOM_PLUGIN,
            file="burn-in-failed.json",
            content=_asks_for_verdict(not_failed, "GpuBurnInFailed", "not-failed"),
        ),
    )


def burnt_in(platform: Platform, pools: Iterable[PlatformPool]) -> tuple[PlatformPool, ...]:
    """Return those of the pools whose new nodes are tested; none where no burn-in is asked for."""
    if platform.cluster.addons.burn_in is None:
        return ()
    return tuple(pool for pool in pools if is_testable(pool.vendor, pool.facts.sharing))


def is_testable(vendor: str, sharing: Sharing) -> bool:
    """Return whether DCGM's diagnostics can test the GPUs of a pool.

    They refuse more than one GPU in MIG mode (`BuildCommonGpusList` in
    https://github.com/NVIDIA/DCGM, nvvs/src/NvidiaValidationSuite.cpp at v4.6.0), and the device
    plugin sets the compute mode of GPUs for MPS such that its daemon alone may use them
    (https://github.com/NVIDIA/k8s-device-plugin, cmd/mps-control-daemon/mps at v0.20.0).
    """
    return vendor == NVIDIA and not sharing.mig and sharing.mps == 1


def _asks_for_verdict(well: Mapping[str, str], reason: str, argument: str) -> str:
    rule = _rule(well["type"], reason, _CHECK_BURN_IN, [argument])
    return _custom_plugin("burn-in-monitor", "5s", well, rule)


def _rule(condition: str, reason: str, script: str, arguments: list[str]) -> dict[str, Any]:
    return {
        "type": "permanent",
        "condition": condition,
        "reason": reason,
        "path": f"{FOLDER}/{script}",
        "args": arguments,
    }


def _script(name: str) -> dict[str, str]:
    return {name: (files(__package__) / name).read_text(encoding="utf-8")}


def _custom_plugin(
    source: str, timeout: str, well: Mapping[str, str], rule: Mapping[str, Any]
) -> str:
    """Return a configuration as JSON; `well` is the condition while nothing is wrong.

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
        "conditions": [well],
        "rules": [rule],
    }
    return json.dumps(document, indent=2) + "\n"


@cache
def xid_monitors() -> tuple[Monitor, Monitor]:
    """Return the monitor that sets conditions by errors (XID), and the one that reports events.

    They need no tool of the driver, and so see GPUs that no tool reaches any more. What sets a
    condition is read since the node booted, as far back as the kernel keeps its log, so that a
    detector that starts again comes to the same; what is only an event is reported once.
    """
    return (
        _monitor("xid-faults", _EVER, _WELL, _fault_rules()),
        _monitor("xid-events", _JUST_NOW, (), _event_rules()),
    )


def _monitor(
    source: str,
    lookback: str,
    conditions: Iterable[Mapping[str, str]],
    rules: Iterable[Mapping[str, str]],
) -> Monitor:
    """Return a monitor of the kernel's log.

    https://github.com/kubernetes/node-problem-detector/tree/v1.35.1/pkg/systemlogmonitor
    """
    document: dict[str, Any] = {
        "plugin": "kmsg",
        "logPath": "/dev/kmsg",
        "lookback": lookback,
        "bufferSize": 1,  # Every error is one line.
        "source": source,
        "conditions": list(conditions),
        "rules": list(rules),
    }
    content = json.dumps(document, indent=2) + "\n"
    return Monitor(kind=MonitorKind.LOG, file=f"{source}.json", content=content, is_privileged=True)


def _fault_rules() -> Iterator[dict[str, str]]:
    for xid_class, condition in _CONDITIONS.items():
        for xid in xids_of(xid_class):
            grade = " Fatal " if xid.is_graded else ""
            yield {"type": "permanent", "condition": condition, **_match(xid, "Error", grade)}
    yield {"type": "permanent", "condition": NV_SWITCH_FAULT, **_match_switch("Error", "Fatal")}


def _event_rules() -> Iterator[dict[str, str]]:
    for xid_class in XidClass:
        for xid in xids_of(xid_class):
            if xid_class not in _CONDITIONS:
                yield {"type": "temporary", **_match(xid, "Warning")}
            elif xid.is_graded:
                yield {"type": "temporary", **_match(xid, "Warning", " Nonfatal ")}
    yield {"type": "temporary", **_match_switch("Warning", "Non-fatal")}


def reason_of(xid: Xid, kind: str = "Error") -> str:
    """Return the reason of the condition that an error sets, or of its event."""
    return f"NvidiaXID{xid.code}{kind}"


def _match(xid: Xid, kind: str, grade: str = "") -> dict[str, str]:
    """Return which lines report an error, by a pattern of RE2 that matches to their end.

    The reasons are those of https://github.com/aws/eks-node-monitoring-agent (pkg/reasons at
    v1.7.0). Lines: https://docs.nvidia.com/deploy/xid-errors/working-with-xid-errors.html
    """
    line = rf"NVRM: Xid \([^)]*\)[^:]*: {xid.code}\b" + (f".*{grade}" if grade else "")
    other = _OTHER_LINES.get(xid.code)
    return {
        "reason": reason_of(xid, kind),
        "pattern": (f"({line}|{other})" if other else line) + ".*",
        "patternGeneratedMessageSuffix": xid.meaning,
    }


def _match_switch(kind: str, grade: str) -> dict[str, str]:
    """Return which lines report an error (SXid) of an NVSwitch, by the grade that they name.

    Lines: appendix D of
    https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/index.html, and
    https://github.com/leptonai/gpud, components/accelerator/nvidia/sxid.
    """
    return {
        "reason": f"NvidiaNVSwitch{kind}",
        "pattern": rf"^nvidia-nvswitch\d+: SXid \([^)]*\): \d+, {grade}, .*",
        "patternGeneratedMessageSuffix": f"{grade.lower()} error of an NVSwitch",
    }
