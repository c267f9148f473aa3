"""What NVIDIA's DRA driver brings and publishes, in its place.

https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu (cmd/gpu-kubelet-plugin at v0.4.1)
"""

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

DRIVER = "gpu.nvidia.com"
GPU_DEVICE_CLASS: Document = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "DeviceClass",
    "metadata": {"name": "gpu.nvidia.com"},
    "spec": {
        "selectors": [
            {
                "cel": {
                    "expression": "device.driver == 'gpu.nvidia.com' && "
                    "device.attributes['gpu.nvidia.com'].type == 'gpu'"
                }
            }
        ],
        "extendedResourceName": "nvidia.com/gpu",
    },
}
"""As the driver's chart renders it."""


def resource_slice(platform: Platform, pool_name: str, node: Document) -> Document:
    """Return the ResourceSlice of a pool's node: each of its GPUs as a device."""
    pool, name = platform.pool(pool_name), node["metadata"]["name"]
    memory = f"{pool.hardware.model.memory_mib}Mi"
    devices = [_gpu(number, memory) for number in range(pool.facts.gpus_per_node)]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{name}-{DRIVER}"},
        "spec": {
            "driver": DRIVER,
            "nodeName": name,
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
            "devices": devices,
        },
    }


def _gpu(number: int, memory: str) -> Document:
    return {
        "name": f"gpu-{number}",
        "attributes": {"type": {"string": "gpu"}},
        "capacity": {"memory": {"value": memory}},
    }
