"""Kernel modules that come with the driver."""

from collections.abc import Iterator

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


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
