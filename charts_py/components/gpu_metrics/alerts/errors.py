"""Alerts on the errors (XID) of NVIDIA's driver, by whose matter they are.

An error is a label of what the exporter counts over the last five minutes, so that no rate of it
says anything: each alert fires while the count is there, and on hardware an hour longer.
"""

from collections.abc import Iterable

from charts_py.components.gpu_metrics.alerts.error_pods import errors_with_pods
from charts_py.components.gpu_metrics.alerts.of_gpus import GPU
from charts_py.metrics.dcgm import XIDS
from charts_py.platform.alert import Alert, Severity
from gpus.xid import Xid, XidClass, load_xids, xids_of

_CATALOGUE = "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html"
_NONE = ("", "0")
"""What the label is where there was no error."""


def xid_alerts() -> tuple[Alert, ...]:
    """Return an alert for each class of errors that asks for something, and one for all others.

    Errors of hardware that may not be fatal have one of their own.
    """
    return (_hardware(), _link(), _driver(), _application(), _unknown())


def _hardware() -> Alert:
    return Alert(
        name="GpuplaneGpuHardwareError",
        expression=_seen(_hardware_xids(graded=False), within="1h"),
        lasting="0m",
        severity=Severity.CRITICAL,
        summary=f"{GPU} has had error {{{{ $labels.xid }}}} (XID), which is of its hardware: what"
        " ran on it has failed, and what comes next will.",
        remedy="Drain the node; power the machine off and on where the GPU is gone, else reset the"
        " GPU. If it comes back, run NVIDIA's field diagnostic, and have the GPU replaced.",
        source=_source("looked at, unplugged or replaced", XidClass.HARDWARE)
        + " It fires for an hour, since the exporter forgets an error after five minutes, and a GPU"
        " that it does not see any more at once.",
    )


def _link() -> Alert:
    return Alert(
        name="GpuplaneGpuLinkError",
        expression=_seen(_hardware_xids(graded=True)),
        lasting="0m",
        severity=Severity.WARNING,
        summary=f"{GPU} has had error {{{{ $labels.xid }}}} (XID), which is of its NVLink, and may"
        " be fatal or not.",
        remedy="Its line in the kernel's log says `Fatal` or `Nonfatal` (`dmesg | grep Xid`). After"
        " a fatal one drain the node and reset its GPUs; if it comes back, have the GPU or its"
        " board replaced.",
        source="The exporter does not tell fatal errors from others, and the detector of"
        " `addons.gpuHealth` does: its alert is critical.",
    )


def _driver() -> Alert:
    return Alert(
        name="GpuplaneGpuDriverError",
        expression=_seen(xids_of(XidClass.DRIVER)),
        lasting="0m",
        severity=Severity.WARNING,
        summary=f"{GPU} has had error {{{{ $labels.xid }}}} (XID), which is of its driver or"
        " firmware: it hangs until it is reset.",
        remedy="Drain the node and reset the GPU, or else reboot. If it comes back, upgrade the"
        " driver, or have the GPU looked at.",
        source=_source("reset", XidClass.DRIVER),
    )


def _application() -> Alert:
    """Return the alert that belongs to the team whose pod it is."""
    return Alert(
        name="GpuplaneGpuApplicationError",
        expression=errors_with_pods(_xids(xids_of(XidClass.APPLICATION))),
        lasting="0m",
        severity=Severity.INFO,
        summary=f"A program on {GPU} has met error {{{{ $labels.xid }}}} (XID), most likely by a"
        " fault of its own{{ if $labels.pod }}: pod {{ $labels.namespace }}/{{ $labels.pod }} held"
        " the GPU, or a part of it{{ end }}.",
        remedy="Read the logs of the pod; `compute-sanitizer` finds accesses beyond its memory. The"
        " GPU is well unless several programs fail on it. Where no pod is named, several share the"
        " GPU, DRA allocates it, or the program is one of the node. Where MIG partitions the GPU,"
        " the pods of all its instances are named: the exporter counts an error on each.",
        source=_source("started again, and not its GPU", XidClass.APPLICATION)
        + " The pod is the one that held the GPU before the error was counted, since the program"
        " has most often ended by then.",
    )


def _unknown() -> Alert:
    known = "|".join([*_NONE, *(str(xid.code) for xid in load_xids())])
    return Alert(
        name="GpuplaneGpuUnknownError",
        expression=f'max by (node, UUID, xid) ({XIDS.name}{{xid!~"{known}"}}) > 0',
        lasting="0m",
        severity=Severity.INFO,
        summary=f"{GPU} has had error {{{{ $labels.xid }}}} (XID), which gpuplane does not know.",
        remedy=f"Look it up in {_CATALOGUE}.",
        source="Every error that is in no class of `gpus/tables/xids.toml`.",
    )


def _hardware_xids(*, graded: bool) -> list[Xid]:
    return [xid for xid in xids_of(XidClass.HARDWARE) if xid.is_graded is graded]


def _seen(xids: Iterable[Xid], within: str | None = None) -> str:
    """Return the errors that are counted, or were within a window."""
    counted = f"{XIDS.name}{{{_xids(xids)}}}"
    counts = f"max_over_time({counted}[{within}])" if within else counted
    return f"max by (node, UUID, xid) ({counts}) > 0"


def _xids(xids: Iterable[Xid]) -> str:
    """Return the selector of errors."""
    return f'xid=~"{"|".join(str(xid.code) for xid in xids)}"'


def _source(done: str, xid_class: XidClass) -> str:
    return (
        f"Errors after which something has to be {done}: class `{xid_class}` of"
        f" `gpus/tables/xids.toml`, after {_CATALOGUE}."
    )
