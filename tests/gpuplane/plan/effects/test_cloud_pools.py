"""How clouds replace and remove the nodes of the pools that they manage."""

from typing import Any

import pytest

from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from tests.gpuplane.plan.single_change import document, placed


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ({"count": 6, "maxCount": 20}, {"count": 4, "maxCount": 20}, 2),
        ({"nodeCount": 6, "location": "a-b1-c"}, {"nodeCount": 4, "location": "a-b1-c"}, 2),
        ({"nodeCount": 6, "nodeLocations": [1, 2]}, {"nodeCount": 4, "nodeLocations": [1, 2]}, 4),
        ({"nodeCount": 6, "nodeLocations": [1, 2]}, {"nodeCount": 6, "nodeLocations": [1]}, 6),
        ({"nodeCount": 6, "location": "a-b1"}, {"nodeCount": 4, "location": "a-b1"}, None),
    ],
)
def test_as_many_nodes_go_as_a_pool_is_to_have_fewer(
    before: dict[str, Any], after: dict[str, Any], gone: int | None
) -> None:
    is_aks = "count" in before
    kind = (
        "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool"
        if is_aks
        else "container.cnrm.cloud.google.com/v1beta1 ContainerNodePool"
    )
    labels = {"gpuplane.io/pool": "t4"}
    place = {"spec.nodeLabels": labels} if is_aks else {"spec.nodeConfig.labels": labels}
    sides = (
        placed(document(kind, place | {f"spec.{name}": value for name, value in side.items()}))
        for side in (before, after)
    )
    (planned,) = planned_objects(*sides)
    assert planned.rollouts == (Rollout(Mechanism.SCALE_IN, "t4", nodes=gone),)
