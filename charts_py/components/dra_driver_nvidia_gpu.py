"""NVIDIA's driver for Dynamic Resource Allocation (DRA), as an Argo CD Helm release.

It runs on the nodes of pools whose allocator is `dra`, and publishes their GPUs as ResourceSlices.
Its DeviceClass `gpu.nvidia.com` stands for `nvidia.com/gpu`, so that pods which ask for that run on
these nodes unchanged: the scheduler makes the resource claim. The GPU operator still brings driver,
toolkit and metrics; its device plugin and this driver are never on one node, since each wants
another value of the same node label.
https://github.com/kubernetes/enhancements/tree/master/keps/sig-scheduling/5004-dra-extended-resource
"""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft, DraftPool, feature_problem
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.allocator import Allocator, allocator_labels, allocator_problems
from policies.settings import PodSecurity

_OPERATOR_DRIVER_FOLDER = "/run/nvidia/driver"
"""Where the GPU operator puts the driver (values of its chart, `hostPaths.driverInstallDir`)."""
_HOST_DRIVER_FOLDER = "/"
_GPU_CLIENT_LABEL = "nvidia.com/gpu.deploy.client"
"""Node label that the GPU operator sets to `true` on every node with GPUs (`gpuStateLabels` in
https://github.com/NVIDIA/gpu-operator, controllers/state_manager.go at v26.7.0)."""
MIN_DRIVER = 565
"""The oldest branch of GPU drivers that the DRA driver works with
(https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu, site/content/docs/prerequisites.md)."""
_WITHOUT = f'allocator "{Allocator.DEVICE_PLUGIN}"'
NAMESPACE = "dra-driver-nvidia-gpu"


def driver_folder(platform: Platform) -> str:
    if platform.driver_owner is DriverOwner.OPERATOR:
        return _OPERATOR_DRIVER_FOLDER
    return platform.provider.host(platform.driver_owner).driver_folder or _HOST_DRIVER_FOLDER


def stopped_with_driver(platform: Platform) -> dict[str, str]:
    """Return the node selector by which a plugin starts anew with another GPU driver.

    It reads the driver only when it starts. Whoever replaces the driver changes the label's value
    meanwhile, and waits for the daemons that select by it. A label that Node Feature Discovery sets
    would not do: it sets the value back within a minute, before the old driver is gone.
    https://github.com/NVIDIA/k8s-driver-manager (cmd/driver-manager/main.go at v0.12.0)
    """
    return {_GPU_CLIENT_LABEL: "true"} if platform.driver_owner is DriverOwner.OPERATOR else {}


def check_allocators(draft: Draft) -> Iterator[Problem]:
    pools = [pool for pool in draft.pools if _is_by_dra(draft, pool)]
    for pool in pools:
        yield from _check_pool(draft, pool)
    if pools:
        yield from _check_driver_version(draft, pools[0])
        yield from _check_second_release(draft, pools[0])


def _is_by_dra(draft: Draft, pool: DraftPool) -> bool:
    return pool.spec.allocator is Allocator.DRA and draft.is_read((*pool.path, "allocator"))


def _check_pool(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    path = (*pool.path, "allocator")
    yield from feature_problem(draft, path, Feature.EXTENDED_RESOURCES_BY_DRA)
    obstacle = draft.provider.needs_device_plugin
    if obstacle is not None:
        yield Problem(path, f"DRA cannot allocate its GPUs: {obstacle}", _WITHOUT)
    elif draft.provider.makes_nodes:
        yield from _check_size(draft, pool)
    yield from _check_gpus(draft, pool, path)
    if draft.cluster.addons.node_readiness:
        what = "node readiness waits for what device plugins advertise"
        yield Problem(path, what, f"{_WITHOUT}, or addons.nodeReadiness false")


def _check_size(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where something starts nodes as pods need them.

    A new node is ready to Karpenter once it advertises what the pods ask for that it was started
    for, and to the cluster autoscaler once it advertises `nvidia.com/gpu`.
    https://docs.aws.amazon.com/eks/latest/userguide/device-management-nvidia-dra-device-plugin.html;
    `RequestedResourcesRegistered` in https://github.com/kubernetes-sigs/karpenter
    (pkg/controllers/nodeclaim/lifecycle/initialization.go)
    """
    nodes, path = pool.spec.nodes, (*pool.path, "nodes")
    if draft.is_whole(path) and (nodes.min != nodes.max or nodes.warm > 0):
        what = "with DRA its nodes advertise no nvidia.com/gpu, for which an autoscaler waits"
        yield Problem(path, what, "min and max alike, and no warm nodes")


def _check_gpus(draft: Draft, pool: DraftPool, path: FieldPath) -> Iterator[Problem]:
    if pool.hardware is None or not draft.is_whole((*pool.path, "sharing")):
        return
    for what in allocator_problems(pool.spec.allocator, pool.sharing, pool.hardware.model):
        yield Problem(path, what, _WITHOUT)


def _check_driver_version(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    version, path = draft.cluster.driver.version, ("driver", "version")
    if version is None or not draft.is_read(path) or not draft.has_driver_owner:
        return
    is_too_old = int(version.partition(".")[0]) < MIN_DRIVER
    if is_too_old and draft.driver_owner is DriverOwner.OPERATOR:
        what = f"{version} is too old for DRA, which allocates the GPUs of pool {pool.name}"
        yield Problem(path, what, f"{MIN_DRIVER} or later")


def _check_second_release(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where the same chart is installed for NVLink domains.

    Its objects `compute-domain-daemon-role` and `resourceslices-policy-dra-driver-nvidia-gpu` live
    in no namespace, and have these names whatever a release of it is for.
    """
    joined = [p.name for p in draft.pools if p.hardware and p.hardware.model.nvlink_domain]
    if joined and draft.cluster.addons.compute_domains:
        what = f"the DRA driver is installed already, for the NVLink domains of {joined[0]}"
        allowed = f"{_WITHOUT}, or addons.computeDomains false"
        yield Problem((*pool.path, "allocator"), what, allowed)


def dra_driver_values(platform: Platform) -> dict[str, Any]:
    """Return values that put the driver on the nodes of the pools that it serves.

    With the stable API the chart's DeviceClass of whole GPUs stands for `nvidia.com/gpu`.
    """
    pools = platform.pools_by(Allocator.DRA)
    selector = {**dict(allocator_labels(Allocator.DRA)), **stopped_with_driver(platform)}
    return {
        "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": False}},
        # The chart asks for it where a device plugin may be on the same nodes. Ours is not: the
        # selector below and the one of the device plugin exclude each other.
        "gpuResourcesEnabledOverride": True,
        # Otherwise it depends on the cluster that Argo CD renders for.
        "resourceApiVersion": "resource.k8s.io/v1",
        "nvidiaDriverRoot": driver_folder(platform),
        **pull_secrets(platform.cluster.pull_secret_names),
        "kubeletPlugin": {
            "nodeSelector": dict(sorted(selector.items())),
            "tolerations": tolerations_of(platform.daemon_taints(pools)),
        },
    }


DRA_DRIVER_NVIDIA_GPU = Definition(
    name="dra-driver-nvidia-gpu",
    description=__doc__,
    appears="where DRA allocates the GPUs of a pool",
    is_wanted=lambda platform: bool(platform.pools_by(Allocator.DRA)),
    fields=("pools.NAME.allocator", "driver.owner"),
    wave=Wave.OPERATORS,
    # It mounts the host's folders, and makes device nodes.
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.PRIVILEGED, goes_last=True),
    charts=(known_chart("dra-driver-nvidia-gpu"),),
    values=dra_driver_values,
    checks=(check_allocators,),
)
