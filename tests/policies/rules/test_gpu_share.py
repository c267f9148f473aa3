from typing import Any

import pytest

from policies.document import Document
from policies.rules.gpu_share import RULE
from tests.policies.conftest import found, gpu_pod, message


def _asks(gpus: int, **requests: Any) -> Document:
    return {"resources": {"limits": {"nvidia.com/gpu": gpus}, "requests": requests}}


@pytest.mark.parametrize(
    ("container", "said", "most"),
    [
        (
            _asks(1, cpu=96),
            "cpu than the share of its 1 GPU, which strands 1",
            "48 of cpu, or for 2 GPUs",
        ),
        (
            _asks(2, memory="2Ti"),
            "memory than the share of its 2 GPUs, which strands 2",
            "1Ti of memory, or for 4 GPUs",
        ),
    ],
)
def test_what_strands_gpus_on_every_pool_is_warned_about(
    container: Any, said: str, most: str
) -> None:
    assert message(found(RULE, gpu_pod(container))) == (
        f"/spec/containers/0/resources/requests/{said.split()[0]} "
        f"The pod asks for more {said} more on its node. Ask for at most {most}."
    )


@pytest.mark.parametrize(
    ("resource", "stranded", "most"),
    [("nvidia.com/gpu.shared", 7, 12), ("nvidia.com/mig-1g.10gb", 27, 3)],
)
def test_no_further_shares_or_mig_instances_are_advised_of_which_a_process_uses_one(
    resource: str, stranded: int, most: int
) -> None:
    container = {"resources": {"limits": {resource: 1}, "requests": {"cpu": 96, "memory": 1}}}
    assert message(found(RULE, gpu_pod(container))) == (
        "/spec/containers/0/resources/requests/cpu "
        "The pod asks for more cpu than the share of its 1 GPU, which strands "
        f"{stranded} more on its node. Ask for at most {most} of cpu."
    )


def test_what_fits_on_no_node_strands_nothing() -> None:
    assert found(RULE, gpu_pod(_asks(1, cpu=400))) == []


@pytest.mark.parametrize(
    "container", [_asks(1), _asks(1, cpu=48, memory="512Gi"), _asks(8, cpu=192), _asks(1, cpu="x")]
)
def test_the_share_of_its_gpus_passes(container: Any) -> None:
    assert found(RULE, gpu_pod(container)) == []
