from typing import Any

import pytest

from policies.document import Document
from policies.rules.gpu_share import RULE
from tests.policies.conftest import found, gpu_pod, message


def _asks(gpus: int, **requests: Any) -> Document:
    return {"resources": {"limits": {"nvidia.com/gpu": gpus}, "requests": requests}}


@pytest.mark.parametrize(
    ("container", "said"),
    [
        (_asks(1, cpu=96), "cpu than the share of its 1 GPU, which strands 1"),
        (_asks(2, memory="2Ti"), "memory than the share of its 2 GPUs, which strands 2"),
    ],
)
def test_what_strands_gpus_on_every_pool_is_warned_about(container: Any, said: str) -> None:
    resource = said.partition(" ")[0]
    assert message(found(RULE, gpu_pod(container))) == (
        f"/spec/containers The pod asks for more {said} more on its node. Ask for less "
        f"{resource}, or for those GPUs as well."
    )


@pytest.mark.parametrize(
    "container", [_asks(1), _asks(1, cpu=48, memory="512Gi"), _asks(8, cpu=192), _asks(1, cpu="x")]
)
def test_the_share_of_its_gpus_passes(container: Any) -> None:
    assert found(RULE, gpu_pod(container)) == []
