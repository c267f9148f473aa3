"""The driver that the GPU operator installs."""

from charts_py.spec.driver import Driver, KernelModule
from gpus.driver_support import DriverSupport, KernelModuleKind

CHART_VERSION = "595.91.07"
"""The driver that the pinned chart installs where the cluster file names none."""


def branch_of(driver: Driver) -> int:
    """Return the branch of the operator's driver, the first number of its version."""
    return int((driver.version or CHART_VERSION).partition(".")[0])


def kernel_module_of(driver: Driver, support: DriverSupport) -> KernelModuleKind:
    """Return the kind of kernel module that a GPU gets with the operator's driver.

    `auto` leaves the choice to the driver's installer, on each node.
    """
    if driver.kernel_module is KernelModule.AUTO:
        return support.recommended(branch_of(driver))
    return KernelModuleKind(driver.kernel_module.value)
