from typing import Any

import pytest

from policies.gpu_names import (
    NAMES,
    DeviceVariable,
    GpuNames,
    any_named,
    is_of_nvidia,
    variable_named,
    variables_at,
)
from policies.pod import Pod

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


BY_CLASS = "deviceclass.resource.kubernetes.io/"
OF_NVIDIA = DeviceVariable("NVIDIA_VISIBLE_DEVICES", ("void", "none", ""))
OF_AMD = DeviceVariable("AMD_VISIBLE_DEVICES", ("none", "void", ""))
OF_GAUDI = DeviceVariable("HABANA_VISIBLE_DEVICES", ("none",))


@pytest.mark.parametrize(
    ("limits", "claims", "read"),
    [
        ({"nvidia.com/gpu": 1}, [], (OF_NVIDIA,)),
        ({"nvidia.com/mig-1g.10gb": 1}, [], (OF_NVIDIA,)),
        ({f"{BY_CLASS}gpu.nvidia.com": 1}, [], (OF_NVIDIA,)),
        ({"amd.com/gpu": 1}, [], (OF_AMD,)),
        ({f"{BY_CLASS}gpu.amd.com": 1}, [], (OF_AMD,)),
        ({"habana.ai/gaudi": 1}, [], (OF_GAUDI,)),
        ({"habana.ai/gaudi": 0}, [], ()),
        ({"gpu.intel.com/xe": 1}, [], ()),
        ({}, [{"name": "claim"}], (OF_NVIDIA,)),
        ({"nvidia.com/gpu": 1}, [{"name": "channel"}], (OF_NVIDIA,)),
        ({"cpu": 1}, [], ()),
    ],
)
def test_what_a_pod_asks_for_says_which_variables_are_read(
    limits: Any, claims: Any, read: Any
) -> None:
    spec = {"containers": [{"resources": {"limits": limits}}], "resourceClaims": claims}
    assert variables_at(Pod({"spec": spec}, GpuNames([]).is_gpu)) == read


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("NVIDIA_VISIBLE_DEVICES", OF_NVIDIA),
        ("HABANA_VISIBLE_DEVICES_OF_MINE", OF_GAUDI),
        ("CUDA_VISIBLE_DEVICES", None),
        ("ROCR_VISIBLE_DEVICES", None),
        ("HABANA_VISIBLE_MODULES", None),
        (1, None),
        ({}, None),
    ],
)
def test_a_variable_is_known_by_how_its_name_begins(
    name: Any, variable: DeviceVariable | None
) -> None:
    assert variable_named(name) == variable
    assert any_named(["A", name]) is (variable is not None)


def test_every_runtime_s_variable_is_known() -> None:
    assert NAMES == ("NVIDIA_VISIBLE_DEVICES", "AMD_VISIBLE_DEVICES", "HABANA_VISIBLE_DEVICES")
