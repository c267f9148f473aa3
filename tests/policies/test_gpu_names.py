from __future__ import annotations

import pytest

from policies.gpu_names import GpuNames, is_of_nvidia

OFFERED = "example.com/slice"
"""A name that no vendor gives, by which a pool offers its GPUs."""


@pytest.mark.parametrize(
    ("resource", "is_gpu"),
    [
        ("nvidia.com/gpu", True),
        ("nvidia.com/gpu.shared", True),
        ("nvidia.com/mig-1g.5gb", True),
        ("amd.com/gpu", True),
        ("deviceclass.resource.kubernetes.io/gpu.nvidia.com", True),
        (OFFERED, True),
        (f"{OFFERED}.shared", False),
        ("deviceclass.resource.kubernetes.io/dranet", False),
        ("nvidia.com/hostdev", False),
        ("nvidia.com/gup", False),
        ("vpc.amazonaws.com/efa", False),
        ("cpu", False),
    ],
)
def test_a_gpu_is_told_by_its_name_offered_or_not(resource: str, is_gpu: bool) -> None:
    assert GpuNames((OFFERED,)).is_gpu(resource) is is_gpu


@pytest.mark.parametrize(
    ("resource", "is_so"),
    [
        ("nvidia.com/gpu", True),
        ("nvidia.com/mig-1g.10gb", True),
        ("deviceclass.resource.kubernetes.io/gpu.nvidia.com", True),
        ("amd.com/gpu", False),
        ("deviceclass.resource.kubernetes.io/gpu.amd.com", False),
        ("example.com/gpu.nvidia.com", False),
    ],
)
def test_a_resource_is_nvidia_s_by_its_domain_or_its_device_class(
    resource: str, is_so: bool
) -> None:
    assert is_of_nvidia(resource) is is_so
