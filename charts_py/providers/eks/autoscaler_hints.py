"""What the cluster autoscaler must know of a managed node group that has no node yet.

It plans with what EC2 says of the instance type, with 110 pods and without a disk, unless tags of
the group say otherwise: so a pool whose GPUs are shared under another name, or cut by MIG, would
never grow from 0, nor any pool for pods that ask for `ephemeral-storage`, as the defaults of a
namespace with a quota on it make all do. It reads the tags of the group (with the permission
`eks:DescribeNodegroup`) and of its Auto Scaling group.
https://github.com/kubernetes/autoscaler (cluster-autoscaler/cloudprovider/aws/README.md and
`buildNodeFromTemplate` in its aws_manager.go)
"""

from charts_py.platform.fabric import EFA_RESOURCE
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.providers.cluster_autoscaler import corrected_resources, stays_until_empty
from charts_py.providers.eks.node_disks import disk_for_pods_gib
from gpus.interconnect import Interconnect
from gpus.sharing import SharingKind

_PREFIX = "k8s.io/cluster-autoscaler/node-template"
_ONLY_EMPTY = {
    "ignoredaemonsetsutilization": "true",
    "scaledowngpuutilizationthreshold": "0",
    "scaledownutilizationthreshold": "0",
}
"""Options of a group whose nodes go when nothing is left on them but daemons."""
_GPU_LABEL = "k8s.amazonaws.com/accelerator"


def autoscaler_tags(pool: PlatformPool, platform: Platform) -> dict[str, str]:
    """Return the tags with a node's taints, what is not known of its resources, and when it goes.

    eksctl itself tags the labels, and the taints without the effects that they need to be read
    (`GenerateClusterAutoscalerTags` in https://github.com/eksctl-io/eksctl
    pkg/cfn/builder/nodegroup.go, v0.230.0).
    """
    taints = {
        f"{_PREFIX}/taint/{taint.key}": f"{taint.value}:{taint.effect}" for taint in pool.own_taints
    }
    amounts = _resources(pool, platform)
    resources = {f"{_PREFIX}/resources/{name}": amount for name, amount in amounts.items()}
    options = {f"{_PREFIX}/autoscaling-options/{name}": v for name, v in _options(pool).items()}
    return dict(sorted((taints | resources | options).items()))


def autoscaler_labels(pool: PlatformPool) -> dict[str, str]:
    """Return the label by which the autoscaler waits for the GPUs of a new node.

    Until they are advertised it counts the node as unready, rather than adding a second one. Nodes
    that never advertise them by that name would stay unready with it (`NodeHasGpuAllocatable` in
    https://github.com/kubernetes/autoscaler cluster-autoscaler/utils/gpu/gpu.go).
    """
    is_shared = pool.facts.sharing.kind is not SharingKind.NONE
    is_advertised = bool(pool.facts.advertised) and not is_shared
    return {_GPU_LABEL: pool.hardware.model.family} if is_advertised else {}


def _options(pool: PlatformPool) -> dict[str, str]:
    """Return what makes a node stay until it is empty; of CPUs, daemons would count as pods."""
    return _ONLY_EMPTY if stays_until_empty(pool) else {}


def _resources(pool: PlatformPool, platform: Platform) -> dict[str, str]:
    resources = corrected_resources(pool) | {
        "ephemeral-storage": f"{disk_for_pods_gib(pool, platform)}Gi",
        "pods": str(pool.max_pods),
    }
    if pool.hardware.interconnect is Interconnect.EFA:
        resources[EFA_RESOURCE] = str(pool.hardware.interconnect_interfaces)
    return resources
