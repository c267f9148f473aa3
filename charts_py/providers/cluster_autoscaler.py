"""Hints for cluster-autoscaler on pools without nodes, and on nodes that are hardly used.

Of a node that does not exist it supposes that it offers the GPUs of its instance type as
`nvidia.com/gpu`, and nothing else of a device plugin. Tags of the group of machines correct that.
https://github.com/kubernetes/autoscaler (cluster-autoscaler 1.36.1: `buildNodeFromTemplate` in
cloudprovider/aws/aws_manager.go and cloudprovider/azure/azure_template.go)
"""

from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import PlatformPool
from gpus.catalog import load_catalog
from gpus.model import NVIDIA


def corrected_resources(pool: PlatformPool) -> dict[str, str]:
    """Return the GPU resources that a node offers in another amount than is supposed."""
    supposed = load_catalog().vendors[NVIDIA].resource
    offered = {resource.name: resource.per_node for resource in pool.facts.resources}
    if offered == {supposed: pool.facts.gpus_per_node}:
        return {}
    amounts = {supposed: 0} | offered
    return {name: str(amount) for name, amount in sorted(amounts.items())}


def stays_until_empty(pool: PlatformPool) -> bool:
    """Return whether its nodes stay until nothing is left on them but daemons: all but inference.

    By default a node is drained that runs pods on half of its GPUs or less, or of its CPUs and
    memory where neither a label nor the node's status names GPUs.
    https://github.com/kubernetes/autoscaler (cluster-autoscaler 1.36.1:
    core/scaledown/eligibility/eligibility.go and simulator/utilization/info.go)
    """
    return pool.spec.purpose is not Purpose.INFERENCE
