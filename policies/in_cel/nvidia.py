"""Which resources are GPUs of NVIDIA: `policies.nvidia_resource` in CEL."""

from gpus.allocator import DEVICE_CLASS_PREFIX
from policies.in_cel.literal import text
from policies.nvidia_resource import CLASSES, DOMAIN

IS_OF_NVIDIA = (
    f"(resource.startsWith({text(DOMAIN)}) || (resource.startsWith({text(DEVICE_CLASS_PREFIX)})"
    f" && resource.endsWith({text(CLASSES)})))"
)
"""Whether a `resource`, which is a GPU, is NVIDIA's."""
