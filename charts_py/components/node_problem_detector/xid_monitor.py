"""The monitors that read the errors (XID) of NVIDIA's driver from the kernel's log.

They need no tool of the driver, and so see GPUs that no tool reaches any more. What sets a
condition is read since the node booted, as far back as the kernel keeps its log, so that a detector
that starts again comes to the same; what is only an event is reported once.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from charts_py.components.node_problem_detector.monitors import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
    Monitor,
    MonitorKind,
)
from gpus.xid import Xid, XidClass, xids_of

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
)
_EVER = "87600h"
"""Ten years; the detector never looks further back than the boot (`GetStartTime` in pkg/util)."""
_JUST_NOW = "1m"
"""About as long as a detector takes to start again."""
_OTHER_LINES: Mapping[int, str] = {79: "NVRM: .*fallen off the bus"}
"""Lines that say the same where the driver writes no XID, such as `NVRM: GPU 0000:18:00.0: GPU has
fallen off the bus.` (`RegexNVRMFallenOffBusSingleLine` in https://github.com/leptonai/gpud,
components/accelerator/nvidia/xid/kmsg.go)."""


@cache
def xid_monitors() -> tuple[Monitor, Monitor]:
    """Return the monitor that sets conditions, and the one that only reports events."""
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


def _event_rules() -> Iterator[dict[str, str]]:
    for xid_class in XidClass:
        for xid in xids_of(xid_class):
            if xid_class not in _CONDITIONS:
                yield {"type": "temporary", **_match(xid, "Warning")}
            elif xid.is_graded:
                yield {"type": "temporary", **_match(xid, "Warning", " Nonfatal ")}


def _match(xid: Xid, kind: str, grade: str = "") -> dict[str, str]:
    """Return which lines report an error, by a pattern of RE2 that matches to their end.

    The reasons are those of https://github.com/aws/eks-node-monitoring-agent (pkg/reasons at
    v1.7.0). Lines: https://docs.nvidia.com/deploy/xid-errors/working-with-xid-errors.html
    """
    line = rf"NVRM: Xid \([^)]*\)[^:]*: {xid.code}\b" + (f".*{grade}" if grade else "")
    other = _OTHER_LINES.get(xid.code)
    return {
        "reason": f"NvidiaXID{xid.code}{kind}",
        "pattern": (f"({line}|{other})" if other else line) + ".*",
        "patternGeneratedMessageSuffix": xid.meaning,
    }
