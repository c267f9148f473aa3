"""GPUs, drivers and device plugins that fit together, and prices of what there is."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import Driver, DriverOwner, DriverUpgrade, KernelModule
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.unknown_hardware import instance_type_name_problems
from gpus.allocator import Allocator
from gpus.instance_type import Interconnect
from gpus.model import GAUDI
from gpus.nearest import nearest
from gpus.purchase import LIST_CURRENCY


def check_hardware(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong with described hardware, and why that of a pool is unknown."""
    yield from draft.described_problems
    for pool in draft.pools:
        yield from pool.hardware_problems
        yield from _check_network(draft, pool)
        name, hardware = pool.spec.instance_type, pool.hardware
        # A pool that states its hardware names an instance type that no table has.
        if name is not None and hardware is not None and hardware.machine is None:
            path = (*pool.path, "instanceType")
            yield from instance_type_name_problems(path, draft.provider.name, name, draft.catalog)


def _check_network(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    machine = pool.hardware.machine if pool.hardware else None
    networks = [one for one in draft.provider.interconnects if one is not Interconnect.ETHERNET]
    if machine and machine.rdma not in (None, *networks):
        path = ("hardware", "instanceTypes", machine.provider.value, machine.name, "interconnect")
        yield Problem(path, f'{machine.provider} has no "{machine.rdma}"', ", ".join(networks))


def check_vgpu(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of virtual GPUs that the operator would give a driver.

    Its driver is for physical GPUs; that of a virtual machine with a vGPU is in no public image:
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/install-gpu-operator-vgpu.html
    """
    if draft.driver_owner is not DriverOwner.OPERATOR or not draft.has_driver_owner:
        return
    owners = [owner for owner in draft.provider.driver_owners if owner is not draft.driver_owner]
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vgpu:
            model = pool.hardware.model.name
            yield Problem(
                ("driver", "owner"),
                f"the GPU operator has no driver for {model}, the vGPU of pool {pool.name}",
                ", ".join(owners),
            )


def check_device_plugin(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each Gaudi pool, unless the cluster brings its own manifests."""
    is_read = draft.is_whole(("extensions", "manifests"))
    if draft.cluster.extensions.manifests is not None or not is_read:
        return
    for pool in draft.pools:
        if pool.hardware is not None and pool.hardware.model.vendor == GAUDI:
            field = "gpu" if pool.spec.gpu is not None else "instanceType"
            what = f"gpuplane installs no device plugin for {pool.hardware.model.name}"
            allowed = "add Habana's device plugin with extensions.manifests"
            yield Problem((*pool.path, field), what, allowed)


def check_numa(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose GPUs the topology manager knows nothing of.

    The kubelet prepares what the scheduler gave out after it has admitted the pod
    (https://github.com/kubernetes/website/issues/56232).
    """
    for pool in draft.pools:
        if pool.spec.numa is not None and pool.spec.allocator is Allocator.DRA:
            what = f'kubelets align no GPUs that the scheduler gives out by "{Allocator.DRA}"'
            allowed = f'only with allocator "{Allocator.DEVICE_PLUGIN}"'
            yield Problem((*pool.path, "numa"), what, allowed)


def check_driver(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a wrong owner, and for each setting that the owner chooses itself."""
    driver, owners = draft.cluster.driver, draft.provider.driver_owners
    if driver.owner is not None and driver.owner not in owners:
        reason = draft.provider.only_driver_owner
        what = f'"{driver.owner}" cannot own the driver on {draft.cluster.provider}'
        what += f": {reason}" if reason else ""
        yield Problem(("driver", "owner"), what, ", ".join(owners))
    elif draft.has_driver_owner and draft.driver_owner is not DriverOwner.OPERATOR:
        yield from _check_choices(driver, draft.driver_owner)


def _check_choices(driver: Driver, owner: DriverOwner) -> Iterator[Problem]:
    chosen = (
        ("version", driver.version is not None, "which chooses it"),
        ("kernelModule", driver.kernel_module is not KernelModule.AUTO, "which chooses it"),
        ("upgrade", driver.upgrade != DriverUpgrade(), "so that another one comes with new nodes"),
    )
    for field, is_chosen, why in chosen:
        if is_chosen:
            yield Problem(
                ("driver", field),
                f"the driver's owner is {owner}, {why}",
                f'only with owner "{DriverOwner.OPERATOR}"',
            )


def check_cost(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each price that nothing goes by."""
    cost, is_read = draft.cluster.cost, draft.is_read(("cost", "currency"))
    if cost.usd_rate is not None and cost.currency == LIST_CURRENCY and is_read:
        what = f"without effect: amounts are in {LIST_CURRENCY} already"
        allowed = "another cost.currency, or usdRate: null in a cluster that has the fleet's rate"
        yield Problem(("cost", "usdRate"), what, allowed)
    yield from _check_instance_types(draft)
    for pool in draft.pools:
        yield from _check_owned(draft, pool)


def _check_instance_types(draft: Draft) -> Iterator[Problem]:
    known = {name for types in draft.catalog.instance_types.values() for name in types}
    known |= {pool.spec.instance_type for pool in draft.pools if pool.spec.instance_type}
    for name in draft.cluster.cost.prices:
        if name not in known:
            allowed = "an instance type that a pool has, or that `gpuplane hardware` lists"
            what = f'unknown instance type "{name}"'
            yield Problem(("cost", "prices", name), what, allowed, nearest(name, known))


def _check_owned(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    owned, path = pool.spec.owned, (*pool.path, "owned")
    if owned is None:
        return
    is_powered = draft.cluster.cost.electricity or not draft.is_read(("cost", "electricity"))
    if draft.provider.makes_nodes:
        what = f"machines of {draft.provider.name} are rented by the hour"
        yield Problem(path, what, "price, or cost.prices")
    elif pool.spec.price is not None:
        yield Problem(path, "price states what a node costs already", "one of the two")
    elif owned.kilowatts and not is_powered:
        what = "what a kilowatt-hour costs is not stated"
        yield Problem((*path, "kilowatts"), what, "state cost.electricity, or leave kilowatts out")
