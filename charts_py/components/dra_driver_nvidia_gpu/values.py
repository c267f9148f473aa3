"""Values of the chart dra-driver-nvidia-gpu: what the cluster file decides of it, and no more.

https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu
"""

from typing import Any

from charts_py.components.dra_driver_nvidia_gpu.chart import driver_folder, stopped_with_driver
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import Platform
from gpus.allocator import Allocator, allocator_labels


def dra_driver_values(platform: Platform) -> dict[str, Any]:
    """Return values that put the driver on the nodes of the pools that it serves.

    With the stable API the chart's DeviceClass of whole GPUs stands for `nvidia.com/gpu`.
    """
    pools = platform.pools_by(Allocator.DRA)
    selector = {**dict(allocator_labels(Allocator.DRA)), **stopped_with_driver(platform)}
    return {
        "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": False}},
        # The chart asks for it where a device plugin may be on the same nodes. Ours is not: the
        # selector below and the one of the device plugin exclude each other.
        "gpuResourcesEnabledOverride": True,
        # Otherwise it depends on the cluster that Argo CD renders for.
        "resourceApiVersion": "resource.k8s.io/v1",
        "nvidiaDriverRoot": driver_folder(platform),
        **pull_secrets(platform.cluster.pull_secret_names),
        "kubeletPlugin": {
            "nodeSelector": dict(sorted(selector.items())),
            "tolerations": tolerations_of(platform.daemon_taints(pools)),
        },
    }
