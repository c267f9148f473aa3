"""Which resources are GPUs of NVIDIA: by the name of the resource, or of its device class."""

from __future__ import annotations

from gpus.allocator import DEVICE_CLASS_PREFIX

_DOMAIN = "nvidia.com/"
_CLASSES = ".nvidia.com"


def is_of_nvidia(resource: str) -> bool:
    """Whether a GPU resource is NVIDIA's."""
    if resource.startswith(_DOMAIN):
        return True
    return resource.startswith(DEVICE_CLASS_PREFIX) and resource.endswith(_CLASSES)
