"""Pods get GPU devices from the device plugin, not from the node's file system."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from policies.document import members, shown
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


_DEVICES = ("/dev/nvidia", "/dev/dri", "/dev/kfd", "/dev/accel")
"""Prefixes of the device files of NVIDIA, of AMD and Intel, of AMD, and of Gaudi."""
_FOLDERS = ("/", "/dev")


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse volumes that mount the node's GPU devices, or a folder above them."""
    for volume in pod.volumes:
        if type(volume) is dict and "hostPath" in volume:
            return _refusals(pod)
    return ()


def _refusals(pod: Pod) -> Iterator[Finding]:
    for index, raw in enumerate(pod.volumes):
        volume = members(raw)
        if "hostPath" not in volume:
            continue
        path = members(volume.get("hostPath")).get("path")
        if type(path) is str and _holds_devices(path):
            name = shown(volume.get("name"))
            yield RULE.finding(
                path=f"/spec/volumes/{index}/hostPath/path",
                culprit=f"volume {name}",
                message=f"The volume {name} mounts {shown(path)} of the node, which "
                "exposes its GPUs.",
                remedy=f"Remove spec.volumes[{index}] and ask for a GPU resource.",
            )


def _holds_devices(path: str) -> bool:
    normal = "/" + posixpath.normpath(path).lstrip("/")
    return normal in _FOLDERS or normal.startswith(_DEVICES)


RULE: Rule = Rule(
    RuleName.DEVICE_HOST_PATH,
    summary="No volume mounts the node's GPU devices.",
    severity=Severity.REFUSE,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
