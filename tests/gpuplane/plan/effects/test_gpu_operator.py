"""Which pools lose their GPUs with what installs drivers and device plugins."""

import pytest

from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism
from tests.gpuplane.plan.single_change import document, only, placed


@pytest.mark.parametrize(
    ("kind", "pool"),
    [("nvidia.com/v1 ClusterPolicy", "h100"), ("amd.com/v1 DeviceConfig", "mi300x")],
)
def test_the_pools_of_a_vendor_lose_their_gpus_with_its_operands(kind: str, pool: str) -> None:
    pools = tuple(
        document(
            "karpenter.sh/v1 NodePool",
            {
                "spec.template.metadata.labels": {
                    "gpuplane.io/pool": name,
                    "gpuplane.io/gpu-model": name,
                }
            },
            name,
        )
        for name in ("h100", "mi300x")
    )
    planned = planned_objects(placed(document(kind, {"spec": {}}), *pools), placed(*pools))
    found = only(planned, kind.split()[1]).rollouts
    assert [(each.mechanism, each.pool) for each in found] == [(Mechanism.OPERAND_REMOVAL, pool)]
