"""The device plugin that offers the EFA interfaces of EC2 instances as `vpc.amazonaws.com/efa`.

https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS
from gpus.instance_type import Interconnect
from gpus.platform_names import INTERCONNECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from charts_py.cluster_file.cluster import Cluster
    from charts_py.platform.platform import Platform, PlatformPool

_ACCOUNT = "602401143452"
"""Of every region that has none of its own."""
_ACCOUNTS: Mapping[str, str] = {
    "af-south-1": "877085696533",
    "ap-east-1": "800184023465",
    "ap-east-2": "533267051163",
    "ap-south-2": "900889452093",
    "ap-southeast-3": "296578399912",
    "ap-southeast-4": "491585149902",
    "ap-southeast-5": "151610086707",
    "ap-southeast-6": "333609536671",
    "ap-southeast-7": "121268973566",
    "ca-west-1": "761377655185",
    "cn-north-1": "918309763551",
    "cn-northwest-1": "961992271922",
    "eu-central-2": "900612956339",
    "eu-south-1": "590381155156",
    "eu-south-2": "455263428931",
    "il-central-1": "066635153087",
    "me-central-1": "759879836304",
    "me-south-1": "558608220178",
    "mx-central-1": "730335286997",
    "us-gov-east-1": "151742754352",
    "us-gov-west-1": "013241004608",
}
"""By region."""
_IMAGE = "eks/aws-efa-k8s-device-plugin"


def registry(region: str) -> str:
    """Return the registry in a region of AWS' public, GovCloud and China partitions.

    https://docs.aws.amazon.com/eks/latest/userguide/add-ons-images.html, and `EKSResourceAccountID`
    in https://github.com/eksctl-io/eksctl (pkg/apis/eksctl.io/v1alpha5/types.go, v0.230.0)
    """
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"{_ACCOUNTS.get(region, _ACCOUNT)}.dkr.ecr.{region}.{suffix}"


def _pools(platform: Platform) -> tuple[PlatformPool, ...]:
    return tuple(p for p in platform.pools if p.hardware.interconnect is Interconnect.EFA)


def _values(platform: Platform) -> dict[str, Any]:
    """Return values that put the plugin on the nodes of the pools, and on no other.

    The chart requires one of the instance types that it lists; Karpenter sets the same label.
    """
    pools = _pools(platform)
    return {
        # The chart's own is that of us-west-2, which GovCloud and China do not reach.
        "image": {"repository": f"{registry(platform.cluster.region)}/{_IMAGE}"},
        "nodeSelector": {INTERCONNECT: Interconnect.EFA.value},
        "supportedInstanceLabels": {"values": sorted({pool.instance_type for pool in pools})},
        "tolerations": tolerations_of(platform.daemon_taints(pools)),
        **pull_secrets(platform.cluster.pull_secret_names),
    }


def _registries(cluster: Cluster) -> tuple[str, ...]:
    has_efa = Interconnect.EFA in PROVIDERS[cluster.provider].interconnects
    return (registry(cluster.region),) if has_efa else ()


EFA_DEVICE_PLUGIN = Definition(
    name="efa-device-plugin",
    description=__doc__,
    appears="where a pool talks over EFA",
    is_wanted=lambda platform: platform.cluster.addons.efa_device_plugin and bool(_pools(platform)),
    fields=("addons.efaDevicePlugin", "pools.NAME.interconnect", "region"),
    wave=Wave.OPERATORS,
    # Where the daemons of EKS itself run, with the node's network and as root.
    namespace=KUBE_SYSTEM_NAMESPACE,
    charts=(known_chart("aws-efa-k8s-device-plugin"),),
    values=_values,
    registries=_registries,
)
