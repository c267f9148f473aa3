"""Which resources are GPUs of NVIDIA: by the name of the resource, or of its device class."""

from __future__ import annotations

from gpus.allocator import DEVICE_CLASS_PREFIX

DOMAIN = "nvidia.com/"
CLASSES = ".nvidia.com"


def is_of_nvidia(resource: str) -> bool:
    """Whether a GPU resource is NVIDIA's."""
    if resource.startswith(DOMAIN):
        return True
    return resource.startswith(DEVICE_CLASS_PREFIX) and resource.endswith(CLASSES)
