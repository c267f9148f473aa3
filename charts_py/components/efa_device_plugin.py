"""The device plugin that offers the EFA interfaces of EC2 instances as `vpc.amazonaws.com/efa`.

https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html
"""

from collections.abc import Iterator
from typing import Any

from charts_py.components.component import Component, HelmRelease
from charts_py.objects.document import EmittedKind
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import Platform, PlatformPool, taints_of
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.interconnect import Interconnect
from gpus.pool_facts import LABEL_PREFIX

REPOSITORY = "https://aws.github.io/eks-charts"
CHART = "aws-efa-k8s-device-plugin"
VERSION = "v0.5.30"

KINDS = (EmittedKind("apps", "DaemonSet", namespaced=True),)
"""Every kind that the chart renders."""


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the plugin where a pool on EKS talks over EFA, unless the cluster goes without."""
    pools = [pool for pool in platform.pools if pool.hardware.interconnect is Interconnect.EFA]
    if not pools or not platform.cluster.addons.efa_device_plugin:
        return
    yield Component(
        name="efa-device-plugin",
        wave=Wave.OPERATORS,
        # Where the daemons of EKS itself run, with the node's network and as root.
        namespace=KUBE_SYSTEM_NAMESPACE,
        helm=HelmRelease(REPOSITORY, CHART, VERSION, _values(pools), KINDS),
    )


def _values(pools: list[PlatformPool]) -> dict[str, Any]:
    """Return values that put the plugin on the nodes of the pools, and on no other.

    The chart requires one of the instance types that it lists; Karpenter sets the same label.
    """
    return {
        "nodeSelector": {f"{LABEL_PREFIX}/interconnect": Interconnect.EFA.value},
        "supportedInstanceLabels": {
            "values": sorted({pool.instance_type for pool in pools}),
        },
        "tolerations": tolerations_of(taints_of(pools)),
    }
