from typing import Any

import pytest

from policies.rules.device_host_path import RULE
from tests.policies.conftest import found, gpu_pod, message


@pytest.mark.parametrize(
    "path",
    [
        "/dev/nvidia0",
        "/dev/nvidia-uvm",
        "//dev/./nvidia0",
        "dev/nvidia0",
        "/tmp/../dev/kfd",  # noqa: S108
        "/dev",
        "/dev/",
        "/",
        "/dev/dri/card0",
        "/dev/accel/accel0",
        "/dev/hl0",
        "/dev/vfio/12",
        "/dev/char",
        "/dev/char/195:0",
        "/dev/nvidia-caps-imex-channels/channel0",
        "/proc",
        "/proc/",
        "/proc/1/root/dev",
        "/proc/self/root/dev",
        "/proc/1",
        "/proc/42/cwd",
        "/proc/thread-self/root",
        "/proc/1/task/1/root/dev/nvidia0",
        "/proc/1/fd/7",
        "/run/nvidia/driver/dev",
        "/run/nvidia/driver",
        "/run/nvidia",
        "/run",
        "/run/nvidia/mps",
        "/var/run/nvidia/driver/dev/nvidia0",
        "/var/run/nvidia",
        "/var/run",
        "/var//run/nvidia/",
    ],
)
def test_a_volume_of_devices_is_refused(path: str) -> None:
    volumes = [{"name": "data"}, {"name": "gpus", "hostPath": {"path": path}}]
    assert message(found(RULE, gpu_pod(volumes=volumes))) == (
        f"/spec/volumes/1/hostPath/path The volume gpus mounts {path} of the node, which "
        "exposes its GPUs. Remove spec.volumes[1] and ask for a GPU resource."
    )


@pytest.mark.parametrize(
    "path",
    [
        "/data",
        "/dev/shm",  # noqa: S108
        "/dev/infiniband",
        "/dev/hugepages",
        "/dev/nvme0n1",
        "/dev/fuse",
        "/proc/sys",
        "/proc/meminfo",
        "/proc/driver/nvidia",
        "/proc/1000x",
        "/sys",
        "/var",
        "/run/udev",
        "/run/nvidia-persistenced/socket",
        "/var/run/docker.sock",
        "/var/running",
        "/procedures",
        "/home/dev/nvidia0",
        1,
        None,
    ],
)
def test_other_volumes_pass(path: Any) -> None:
    assert found(RULE, gpu_pod(volumes=[{"name": "a", "hostPath": {"path": path}}])) == []
