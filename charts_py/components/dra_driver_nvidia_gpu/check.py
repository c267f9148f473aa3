"""Which pools Dynamic Resource Allocation (DRA) can allocate."""

from collections.abc import Iterator

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.feature_problem import feature_problem
from gpus.allocator import Allocator, allocator_problems

MIN_DRIVER = 565
"""The oldest branch of GPU drivers that the DRA driver works with
(https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu, site/content/docs/prerequisites.md)."""

_WITHOUT = f'allocator "{Allocator.DEVICE_PLUGIN}"'


def check_allocators(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each reason why DRA cannot allocate the GPUs of a pool."""
    pools = [pool for pool in draft.pools if _is_by_dra(draft, pool)]
    for pool in pools:
        yield from _of_pool(draft, pool)
    if pools:
        yield from _driver_version(draft, pools[0])
        yield from _second_release(draft, pools[0])


def _is_by_dra(draft: Draft, pool: DraftPool) -> bool:
    return pool.spec.allocator is Allocator.DRA and draft.is_read((*pool.path, "allocator"))


def _of_pool(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    path = (*pool.path, "allocator")
    yield from feature_problem(draft, path, Feature.EXTENDED_RESOURCES_BY_DRA)
    obstacle = draft.provider.needs_device_plugin
    if obstacle is not None:
        yield Problem(path, f"DRA cannot allocate its GPUs: {obstacle}", _WITHOUT)
    elif draft.provider.makes_nodes:
        yield from _size(draft, pool)
    yield from _gpus(draft, pool, path)
    if draft.cluster.addons.node_readiness:
        what = "node readiness waits for what device plugins advertise"
        yield Problem(path, what, f"{_WITHOUT}, or addons.nodeReadiness false")


def _size(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
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


def _gpus(draft: Draft, pool: DraftPool, path: FieldPath) -> Iterator[Problem]:
    if pool.hardware is None or not draft.is_whole((*pool.path, "sharing")):
        return
    for what in allocator_problems(pool.spec.allocator, pool.sharing, pool.hardware.model):
        yield Problem(path, what, _WITHOUT)


def _driver_version(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    version, path = draft.cluster.driver.version, ("driver", "version")
    if version is None or not draft.is_read(path) or not draft.has_driver_owner:
        return
    is_too_old = int(version.partition(".")[0]) < MIN_DRIVER
    if is_too_old and draft.driver_owner is DriverOwner.OPERATOR:
        what = f"{version} is too old for DRA, which allocates the GPUs of pool {pool.name}"
        yield Problem(path, what, f"{MIN_DRIVER} or later")


def _second_release(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where the same chart is installed for NVLink domains.

    Its objects `compute-domain-daemon-role` and `resourceslices-policy-dra-driver-nvidia-gpu` live
    in no namespace, and have these names whatever a release of it is for.
    """
    joined = [p.name for p in draft.pools if p.hardware and p.hardware.model.nvlink_domain]
    if joined and draft.cluster.addons.compute_domains:
        what = f"the DRA driver is installed already, for the NVLink domains of {joined[0]}"
        allowed = f"{_WITHOUT}, or addons.computeDomains false"
        yield Problem((*pool.path, "allocator"), what, allowed)
