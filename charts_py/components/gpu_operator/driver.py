"""The driver that the GPU operator installs."""

from charts_py.cluster_file.driver import Driver, KernelModule
from gpus.driver_support import DriverSupport, KernelModuleKind, version_key

CHART_VERSION = "595.91.07"
"""The driver that the pinned chart installs where the cluster file names none."""


def version_of(driver: Driver) -> str:
    """Return the version of the operator's driver."""
    return driver.version or CHART_VERSION


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
