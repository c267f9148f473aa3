"""What NVIDIA's DRA driver brings and publishes, in its place.

https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu (cmd/gpu-kubelet-plugin at v0.4.1)
"""

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.manifest import manifest

DRIVER = "gpu.nvidia.com"
_IS_GPU = f"device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == 'gpu'"
GPU_DEVICE_CLASS = manifest(
    "resource.k8s.io/v1 DeviceClass",
    DRIVER,
    spec={
        "selectors": [{"cel": {"expression": _IS_GPU}}],
        "extendedResourceName": "nvidia.com/gpu",
    },
)
"""As the driver's chart renders it."""


def resource_slice(platform: Platform, pool_name: str, node: Document) -> Document:
    """Return the ResourceSlice of a pool's node: each of its GPUs as a device."""
    pool, name = platform.pool(pool_name), node["metadata"]["name"]
    memory = f"{pool.hardware.model.memory_mib}Mi"
    gpu = {"attributes": {"type": {"string": "gpu"}}, "capacity": {"memory": {"value": memory}}}
    spec = {
        "driver": DRIVER,
        "nodeName": name,
        "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": f"gpu-{n}", **gpu} for n in range(pool.facts.gpus_per_node)],
    }
    return manifest("resource.k8s.io/v1 ResourceSlice", f"{name}-{DRIVER}", spec=spec)
