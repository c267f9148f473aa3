"""NVIDIA's DRA driver for NVLink domains that span machines, such as the racks of GB200 NVL72.

A team creates a ComputeDomain, and its pods claim a channel of it beside their GPUs: the driver
then lets them share GPU memory over NVLink, and with no other pods. GPUs themselves stay with the
device plugin. The label `nvidia.com/gpu.clique`, which GPU feature discovery sets, says which
machines NVLink joins.
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/dra-cds.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.components.compute_domains.check import check_domain_driver
from charts_py.components.definition import Definition
from charts_py.components.dra_driver_nvidia_gpu.chart import (
    dra_driver_chart,
    driver_folder,
    stopped_with_driver,
)
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.fabric import has_channels
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform, PlatformPool


def _pools(platform: Platform) -> tuple[PlatformPool, ...]:
    return tuple(pool for pool in platform.pools if has_channels(platform, pool))


def _values(platform: Platform) -> dict[str, Any]:
    pools = _pools(platform)
    names = [pool.name for pool in pools]
    term = {"matchExpressions": [{"key": POOL, "operator": "In", "values": names}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return {
        "nvidiaDriverRoot": driver_folder(platform),
        "resourceApiVersion": "resource.k8s.io/v1",
        # Beside a device plugin, GPUs would be given away twice.
        "resources": {"gpus": {"enabled": False}},
        **pull_secrets(platform.cluster.pull_secret_names),
        "kubeletPlugin": {
            "affinity": {"nodeAffinity": required},
            **_selected(platform),
            "tolerations": tolerations_of(platform.daemon_taints(pools)),
        },
    }


def _selected(platform: Platform) -> dict[str, Any]:
    selector = stopped_with_driver(platform)
    return {"nodeSelector": selector} if selector else {}


COMPUTE_DOMAINS = Definition(
    name="compute-domains",
    description=__doc__,
    appears="where NVLink joins the machines of a pool, from Kubernetes 1.34",
    is_wanted=lambda platform: bool(_pools(platform)),
    fields=(
        "addons.computeDomains",
        "driver.owner",
        "imagePullSecrets",
        "registries",
        "charts",
        "pools.NAME.gpu",
        "pools.NAME.instanceType",
    ),
    # The operator brings the kinds, and the driver that this one uses.
    depends_on=("gpu-operator",),
    wave=Wave.NODES,
    namespace=NAMESPACE,
    charts=(dra_driver_chart(EmittedKind("apps", "Deployment", namespaced=True)),),
    values=_values,
    checks=(check_domain_driver,),
    contribution=Contribution(
        access=(Access("resource.nvidia.com", ("computedomains",), Use.RUN),),
    ),
)
