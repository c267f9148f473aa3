"""The GPUs and network interfaces that nodes of a pool offer, and nodes that differ in them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from gpuplane.adoption.node_group import NodeGroup, node_names
from gpuplane.adoption.nodes import FoundNode
from policies.gpu_names import GpuNames

RDMA = re.compile(r"rdma|/(hca|ib|roce)|mlnx|infiniband")
"""In resources of device plugins for RDMA, such as `rdma/hca_shared_devices_a` and, on OCI,
`nvidia.com/rdma-vf` (https://github.com/oracle-quickstart/oci-hpc-oke)."""
NETWORK = re.compile(rf"{RDMA.pattern}|^(vpc\.amazonaws\.com|networking\.gke\.io\.networks)/")
"""In resources of a network that is carried over, or the provider's own."""
NAMES = GpuNames(())


def unlike_nodes(group: NodeGroup) -> Iterator[str]:
    """Yield a sentence for the nodes that differ from the first one, which the pool follows."""
    counted = [node for node in group.nodes if node.capacity]
    others: defaultdict[str, list[FoundNode]] = defaultdict(list)
    for node in counted[1:]:
        if shown := _difference(_devices(counted[0]), _devices(node)):
            others[shown].append(node)
    for shown, nodes in others.items():
        what = f"{node_names(nodes)} with {shown}; mend that, or make a pool of its own"
        yield f"not like {counted[0]}, by which the pool is told: {what}"


def _difference(expected: Mapping[str, str], offered: Mapping[str, str]) -> str:
    names = sorted({*expected, *offered})
    differing = (one for one in names if expected.get(one) != offered.get(one))
    return ", ".join(f"{name} {offered.get(name, 0)}" for name in differing)


def _devices(node: FoundNode) -> Mapping[str, str]:
    named = (name for name in node.capacity if NAMES.is_gpu(name) or NETWORK.search(name))
    return {name: node.capacity[name] for name in named if node.capacity[name] not in ("", "0")}
