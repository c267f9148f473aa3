"""What GKE calls GPUs, and how it cuts and shares them."""

from charts_py.platform.platform import PlatformPool
from gpus.catalog import load_catalog
from gpus.provider import Provider


def accelerator_of(pool: PlatformPool) -> str:
    """Return the accelerator type; GPUs that GKE does not have were refused in the file."""
    machine = pool.hardware.machine
    if machine is not None and machine.accelerator is not None:
        return machine.accelerator
    return load_catalog().accelerators(Provider.GKE)[pool.hardware.model.name].type


def partition_size(pool: PlatformPool) -> str | None:
    """Return the MIG profile that GKE partitions every GPU into; None without MIG.

    https://cloud.google.com/kubernetes-engine/docs/how-to/gpus-multi
    """
    return pool.facts.sharing.mig[0][0] if pool.facts.sharing.mig else None


def sharing_strategy(pool: PlatformPool) -> str | None:
    """Return how several pods share a GPU or a partition; None where they do not.

    https://cloud.google.com/kubernetes-engine/docs/how-to/timesharing-gpus
    """
    return "TIME_SHARING" if pool.facts.sharing.time_slicing > 1 else None
