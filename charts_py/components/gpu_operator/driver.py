"""The driver that the operator installs, and whether it drives the GPUs of all pools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import Driver, DriverOwner, KernelModule
from charts_py.components.chart import known_chart
from charts_py.platform.draft import Draft
from gpus.model import DriverSupport, KernelModuleKind, version_key


@dataclass(frozen=True, slots=True)
class _Driven:
    """A pool whose GPUs need NVIDIA's driver."""

    pool: str
    gpu: str
    support: DriverSupport

    def __str__(self) -> str:
        return f"{self.gpu} of pool {self.pool}"


@cache
def chart_driver() -> str:
    images = known_chart("gpu-operator").images
    return next(image.tag for image in images if image.section == "driver")


def version_of(driver: Driver) -> str:
    """Return the version of the operator's driver; the chart has one where the file names none."""
    return driver.version or chart_driver()


def branch_of(driver: Driver) -> int:
    """Return the branch of the operator's driver, the first number of its version."""
    return version_key(version_of(driver))[0]


def kernel_module_of(driver: Driver, support: DriverSupport) -> KernelModuleKind:
    """Return the kind of kernel module that a GPU gets with the operator's driver.

    `auto` leaves the choice to the driver's installer, on each node.
    """
    if driver.kernel_module is KernelModule.AUTO:
        return support.recommended(branch_of(driver))
    return KernelModuleKind(driver.kernel_module.value)


def check_driver_of_gpus(draft: Draft) -> Iterator[Problem]:
    driver, pools = draft.cluster.driver, _driven(draft)
    for pool in pools:
        if not pool.support.has(version_of(driver)):
            yield _version_problem(driver, pool, pools)
        elif not _has_module(driver, pool):
            yield _kernel_module_problem(driver, pool, pools)


def check_storage_module(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kernel module is not the one of GPUDirect Storage.

    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-rdma.html
    """
    if not draft.cluster.addons.gpudirect_storage:
        return
    for pool in _driven(draft):
        if kernel_module_of(draft.cluster.driver, pool.support) is KernelModuleKind.PROPRIETARY:
            what = f"{pool} gets the proprietary kernel module, which has no GPUDirect Storage"
            yield Problem(("addons", "gpudirectStorage"), what, "only with open kernel modules")


def _driven(draft: Draft) -> Sequence[_Driven]:
    """Return the pools with a driver of the operator, as far as they and it could be read."""
    is_known = draft.has_driver_owner and draft.is_whole(("driver",))
    if not is_known or draft.driver_owner is not DriverOwner.OPERATOR:
        return ()
    models = [(pool.name, pool.hardware.model) for pool in draft.pools if pool.hardware is not None]
    return [_Driven(pool, model.name, model.driver) for pool, model in models if model.driver]


def _has_module(driver: Driver, pool: _Driven) -> bool:
    kind = kernel_module_of(driver, pool.support)
    return pool.support.has_module(kind, branch_of(driver))


def _version_problem(driver: Driver, pool: _Driven, pools: Sequence[_Driven]) -> Problem:
    whose = "driver" if driver.version else "the chart's driver"
    what = f"{whose} {version_of(driver)} does not support {pool}, which needs {pool.support}"
    return Problem(("driver", "version"), what, _common_versions(pools))


def _common_versions(pools: Sequence[_Driven]) -> str:
    lasts = [last for pool in pools if (last := pool.support.last_branch) is not None]
    latest = max((pool.support for pool in pools), key=lambda support: version_key(support.first))
    last = min(lasts, default=None)
    if last is not None and latest.first_branch > last:
        return "nothing that supports all pools; they need clusters of their own"
    return str(replace(latest, last_branch=last))


def _kernel_module_problem(driver: Driver, pool: _Driven, pools: Sequence[_Driven]) -> Problem:
    kind = kernel_module_of(driver, pool.support)
    is_auto = driver.kernel_module is KernelModule.AUTO
    chosen = f"auto of driver {branch_of(driver)} is" if is_auto else "this is"
    lacks = kind in pool.support.kernel_modules
    why = f"driver {branch_of(driver)} does not have" if lacks else f"does not support {pool}"
    what = f"{chosen} the {kind} kernel module, which {why}"
    return Problem(("driver", "kernelModule"), what, _common_kernel_modules(driver, pools))


def _common_kernel_modules(driver: Driver, pools: Sequence[_Driven]) -> str:
    works = (choice for choice in KernelModule if _works(driver, choice, pools))
    return ", ".join(works) or "nothing that supports all pools; a later driver.version"


def _works(driver: Driver, choice: KernelModule, pools: Sequence[_Driven]) -> bool:
    chosen = driver.model_copy(update={"kernel_module": choice})
    return all(_has_module(chosen, pool) for pool in pools)


def check_kernel_modules(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each kernel module that gpuplane cannot load here."""
    addons = draft.cluster.addons
    modules = {"gdrcopy": addons.gdrcopy, "gpudirectStorage": addons.gpudirect_storage}
    if draft.driver_owner is DriverOwner.OPERATOR or not draft.has_driver_owner:
        return
    for field in (field for field, wanted in modules.items() if wanted):
        yield Problem(
            ("addons", field),
            f"the driver's owner is {draft.driver_owner}, and the module comes with the driver",
            f'only with driver.owner "{DriverOwner.OPERATOR}"',
        )
