"""Who may own the driver, and who may then choose it."""

from collections.abc import Iterator

from charts_py.cluster_file.driver import Driver, DriverOwner, KernelModule
from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_driver(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a wrong owner, and for each setting that the owner chooses itself."""
    driver, owners = draft.cluster.driver, draft.provider.driver_owners
    if driver.owner is not None and driver.owner not in owners:
        reason = draft.provider.only_driver_owner
        what = f'"{driver.owner}" cannot own the driver on {draft.cluster.provider}'
        what += f": {reason}" if reason else ""
        yield Problem(("driver", "owner"), what, ", ".join(owners))
    elif draft.has_driver_owner and draft.driver_owner is not DriverOwner.OPERATOR:
        yield from _choices(driver, draft.driver_owner)


def _choices(driver: Driver, owner: DriverOwner) -> Iterator[Problem]:
    chosen = {
        "version": driver.version is not None,
        "kernelModule": driver.kernel_module is not KernelModule.AUTO,
    }
    for field in (field for field, is_chosen in chosen.items() if is_chosen):
        yield Problem(
            ("driver", field),
            f"the driver's owner is {owner}, which chooses it",
            f'only with owner "{DriverOwner.OPERATOR}"',
        )
