"""The labels by which EKS says where nodes stand in the network of AWS.

- the labels: https://docs.aws.amazon.com/eks/latest/userguide/ml-workload-topology.html
- the machines that have them:
  https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-topology-prerequisites.html
"""

from charts_py.platform.hardware import NodeHardware

TOPOLOGY_LABELS = tuple(f"topology.k8s.aws/network-node-layer-{layer}" for layer in (1, 2, 3, 4))
"""The outermost first."""

_THREE_LAYERS = ("g6e", "g7e", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6e-gb200")
_FOUR_LAYERS = ("p6-b200", "p6-b300")
_WITHOUT = ("p5.4xlarge",)
"""A machine of a listed family that is not listed itself."""


def topology_levels(hardware: NodeHardware) -> tuple[str, ...]:
    """Return the labels of a node by its instance type; none where AWS names no place."""
    name = hardware.machine.name if hardware.machine else ""
    family = name.partition(".")[0]
    if name in _WITHOUT or family not in _THREE_LAYERS + _FOUR_LAYERS:
        return ()
    return TOPOLOGY_LABELS[: 4 if family in _FOUR_LAYERS else 3]
