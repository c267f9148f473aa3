"""What Karpenter's NodePools state."""

from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.stated_pools import karpenter_pools
from gpus.purchase import Purchase
from tests.gpuplane.adoption.conftest import Reading


def test_a_pool_is_what_its_node_pool_and_its_class_state(exported: Reading) -> None:
    requirement = "karpenter.k8s.aws/instance-gpu-count Gt 4"
    assert list(karpenter_pools(exported("block"))) == [
        NodeGroup(
            name="block",
            origins=("NodePool block", "EC2NodeClass p5"),
            instance_types=("p5.48xlarge",),
            purchases=(Purchase.CAPACITY_BLOCK,),
            reservations=("cr-0123456789abcdef0",),
            limits={"nvidia.com/gpu": "40"},
            max_pods=50,
            notes=(
                f"not carried over: requirement {requirement} of NodePool block",
                (
                    "not carried over: reservations that EC2NodeClass p5 selects by tags or owner; "
                    "name one"
                ),
            ),
        )
    ]


def test_limits_in_gpus_bound_the_nodes_that_they_are_enough_for(exported: Reading) -> None:
    lines = cluster_file(exported("block")).splitlines()
    at = lines.index("    nodes: {max: 5}")
    assert lines[at - 1] == "    # max is the nodes that 40 of nvidia.com/gpu are enough for"


def test_a_class_of_auto_mode_is_told(exported: Reading) -> None:
    (group,) = karpenter_pools(exported("auto-mode"))
    assert group.notes == (
        "NodePool auto takes its nodes from eks.amazonaws.com, which gpuplane does not write",
    )
