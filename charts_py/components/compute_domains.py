"""NVIDIA's DRA driver for NVLink domains that span machines, such as the racks of GB200 NVL72.

A team creates a ComputeDomain, and its pods claim a channel of it beside their GPUs: the driver
then lets them share GPU memory over NVLink, and with no other pods. GPUs themselves stay with the
device plugin. The label `nvidia.com/gpu.clique`, which GPU feature discovery sets, says which
machines NVLink joins.
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/dra-cds.html
"""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.dra_driver_nvidia_gpu import driver_folder, stopped_with_driver
from charts_py.components.gpu_sharing import NAMESPACE
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import Access, Contribution, Use
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.fabric import has_channels
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.model import version_key
from gpus.platform_names import POOL

MIN_DRIVER = "570.158.01"
"""The oldest driver with which the plugin starts (`IMEXDaemonsWithDNSNamesMinDriverVersion` in
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu, cmd/compute-domain-kubelet-plugin/main.go
at v0.4.1)."""


def check_domain_driver(draft: Draft) -> Iterator[Problem]:
    cluster = draft.cluster
    version, path = cluster.driver.version, ("driver", "version")
    is_known = draft.is_whole(("driver",)) and draft.has_driver_owner
    if version is None or not is_known or draft.driver_owner is not DriverOwner.OPERATOR:
        return
    names = [pool.name for pool in draft.pools if _is_joined(pool)]
    if names and _is_wanted(draft) and version_key(version) < version_key(MIN_DRIVER):
        what = f"{version} is too old for the NVLink domains of pool {names[0]}"
        yield Problem(path, what, f"{MIN_DRIVER} or later, or addons.computeDomains false")


def _is_joined(pool: DraftPool) -> bool:
    return pool.hardware is not None and pool.hardware.model.nvlink_domain is not None


def _is_wanted(draft: Draft) -> bool:
    is_read = draft.is_read(("addons", "computeDomains")) and draft.is_read(("kubernetes",))
    has_claims = has(draft.cluster.kubernetes, Feature.RESOURCE_CLAIMS)
    return is_read and draft.cluster.addons.compute_domains and has_claims


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
    fields=("addons.computeDomains", "driver.owner", "pools.NAME.gpu", "pools.NAME.instanceType"),
    # The operator brings the kinds, and the driver that this one uses.
    depends_on=("gpu-operator",),
    wave=Wave.NODES,
    namespace=NAMESPACE,
    charts=(known_chart("dra-driver-nvidia-gpu"),),
    values=_values,
    checks=(check_domain_driver,),
    contribution=Contribution(
        access=(Access("resource.nvidia.com", ("computedomains",), Use.RUN),)
    ),
)
