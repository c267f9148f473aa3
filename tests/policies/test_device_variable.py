from __future__ import annotations

from typing import Any

import pytest

from policies.device_variable import NAMES, DeviceVariable, any_named, variable_named, variables_at
from policies.gpu_names import GpuNames
from policies.pod import Pod

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
