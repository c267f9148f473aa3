"""What GKE calls GPUs, and how it cuts and shares them."""

from collections.abc import Mapping

from charts_py.platform.platform import PlatformPool
from charts_py.providers.gke.accelerator_types import ACCELERATORS

# https://cloud.google.com/compute/docs/accelerator-optimized-machines#a3-mega-vms
_BY_MACHINE: Mapping[str, str] = {"a3-megagpu-8g": "nvidia-h100-mega-80gb"}


def accelerator_of(pool: PlatformPool) -> str:
    """Return the accelerator type; GPUs that GKE does not have were refused in the file."""
    by_machine = _BY_MACHINE.get(pool.spec.instance_type or "")
    return by_machine or ACCELERATORS[pool.hardware.model.name]


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
