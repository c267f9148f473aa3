"""The device plugin that offers the EFA interfaces of EC2 instances as `vpc.amazonaws.com/efa`.

https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.object_table import daemons_on
from charts_py.metrics.table import load_table
from charts_py.objects.pods import tolerations_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS
from gpus.instance_type import Interconnect
from gpus.platform_names import INTERCONNECT

_CHART = known_chart("aws-efa-k8s-device-plugin")
_IMAGE = "eks/aws-efa-k8s-device-plugin"


def registry(region: str) -> str:
    """Return the registry in a region of AWS' public, GovCloud and China partitions."""
    known = _accounts()
    account = known["accounts"].get(region, known["default"])
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"{account}.dkr.ecr.{region}.{suffix}"


@cache
def _accounts() -> Any:
    return load_table(files(__package__) / "efa_device_plugin.yaml")


def efa_pools(platform: Platform) -> tuple[PlatformPool, ...]:
    return tuple(p for p in platform.pools if p.hardware.interconnect is Interconnect.EFA)


def _values(platform: Platform) -> Mapping[str, Any]:
    """Return values that put the plugin on the nodes of the pools, and on no other."""
    pools = efa_pools(platform)
    return _CHART.stated_values(
        platform,
        repository=f"{registry(platform.cluster.region)}/{_IMAGE}",
        selector={INTERCONNECT: Interconnect.EFA.value},
        instance_types=sorted({pool.instance_type for pool in pools}),
        tolerations=tolerations_of(platform.daemon_taints(pools)),
    )


def _registries(cluster: Cluster) -> tuple[str, ...]:
    has_efa = Interconnect.EFA in PROVIDERS[cluster.provider].interconnects
    return (registry(cluster.region),) if has_efa else ()


EFA_DEVICE_PLUGIN = Definition(
    name="efa-device-plugin",
    description=__doc__,
    appears="where a pool talks over EFA",
    is_wanted=lambda platform: (
        platform.cluster.addons.efa_device_plugin and bool(efa_pools(platform))
    ),
    fields=("addons.efaDevicePlugin", "pools.NAME.interconnect", "region"),
    wave=Wave.OPERATORS,
    # Where the daemons of EKS itself run, with the node's network and as root.
    namespace=KUBE_SYSTEM_NAMESPACE,
    charts=(_CHART,),
    values=_values,
    contributes=lambda platform: daemons_on(
        efa_pools(platform), _CHART.values["resources"]["requests"]
    ),
    registries=_registries,
)
