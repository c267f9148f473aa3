from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.device_host_path import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


@pytest.mark.parametrize(
    "path",
    ["/dev/nvidia0", "/dev/nvidia-uvm", "//dev/./nvidia0", "/dev", "/dev/", "/", "/dev/dri/card0"],
)
def test_a_volume_of_devices_is_refused(found: Found, gpu_pod: MakePod, path: str) -> None:
    volumes = [{"name": "data"}, {"name": "gpus", "hostPath": {"path": path}}]
    assert _messages(found(RULE, gpu_pod(volumes=volumes))) == [
        (
            f"/spec/volumes/1/hostPath/path The volume gpus mounts {path} of the node, which "
            "exposes its GPUs. Remove spec.volumes[1] and ask for a GPU resource."
        )
    ]


@pytest.mark.parametrize("path", ["/data", "/dev/shm", "/dev/infiniband", 1, None])  # noqa: S108
def test_other_volumes_pass(found: Found, gpu_pod: MakePod, path: Any) -> None:
    assert found(RULE, gpu_pod(volumes=[{"name": "a", "hostPath": {"path": path}}])) == []
