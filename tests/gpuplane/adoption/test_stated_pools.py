"""What Karpenter's NodePools state."""

from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.stated_pools import karpenter_pools
from gpus.purchase import Purchase
from tests.gpuplane.adoption.conftest import Reading

BLOCK = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: block}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: p5}
      requirements:
        - {key: node.kubernetes.io/instance-type, operator: In, values: [p5.48xlarge]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [reserved]}
        - key: karpenter.k8s.aws/capacity-reservation-type
          operator: In
          values: [capacity-block]
        - {key: karpenter.k8s.aws/instance-gpu-count, operator: Gt, values: ["4"]}
  limits: {nvidia.com/gpu: 40}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: p5}
spec:
  kubelet: {maxPods: 50}
  capacityReservationSelectorTerms:
    - id: cr-0123456789abcdef0
    - tags: {team: research}
"""
AUTO_MODE = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: auto}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
"""


def test_a_pool_is_what_its_node_pool_and_its_class_state(inventory_of: Reading) -> None:
    requirement = "karpenter.k8s.aws/instance-gpu-count Gt 4"
    assert list(karpenter_pools(inventory_of(BLOCK))) == [
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


def test_limits_in_gpus_bound_the_nodes_that_they_are_enough_for(inventory_of: Reading) -> None:
    lines = cluster_file(inventory_of(BLOCK)).splitlines()
    at = lines.index("    nodes: {max: 5}")
    assert lines[at - 1] == "    # max is the nodes that 40 of nvidia.com/gpu are enough for"


def test_a_class_of_auto_mode_is_told(inventory_of: Reading) -> None:
    (group,) = karpenter_pools(inventory_of(AUTO_MODE))
    assert group.notes == (
        "NodePool auto takes its nodes from eks.amazonaws.com, which gpuplane does not write",
    )
