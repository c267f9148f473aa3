from __future__ import annotations

import pytest

from policies.nvidia_resource import is_of_nvidia


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
