from typing import Any

import pytest

from policies.asked_place import asked_place
from policies.gpu_names import GpuNames
from policies.pod import Pod

SMALL = {"name": "a", "resources": {"limits": {"cpu": 1}}}
LARGE = {
    "name": "b",
    "resources": {
        "limits": {"cpu": 8, "nvidia.com/gpu": 2},
        "requests": {"cpu": 4, "nvidia.com/gpu": 2},
    },
}


@pytest.mark.parametrize(
    ("spec", "resource", "place"),
    [
        ({"containers": [SMALL, LARGE]}, "cpu", "/spec/containers/1/resources/requests/cpu"),
        ({"containers": [SMALL]}, "cpu", "/spec/containers/0/resources/limits/cpu"),
        (
            {"containers": [SMALL, LARGE]},
            "nvidia.com/gpu",
            "/spec/containers/1/resources/limits/nvidia.com~1gpu",
        ),
        (
            {"containers": [LARGE], "resources": {"requests": {"cpu": 9}}},
            "cpu",
            "/spec/resources/requests/cpu",
        ),
        ({"initContainers": [LARGE]}, "cpu", "/spec/initContainers/0/resources/requests/cpu"),
        ({}, "cpu", "/spec/containers"),
    ],
)
def test_it_is_where_most_is_asked_for(spec: Any, resource: str, place: str) -> None:
    assert asked_place(Pod({"spec": spec}, GpuNames(()).is_gpu), resource) == place
