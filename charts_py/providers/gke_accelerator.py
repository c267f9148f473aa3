"""What GKE calls GPUs, and how it cuts and shares them."""

from collections.abc import Mapping

from charts_py.platform.platform import PlatformPool
from charts_py.render_error import RenderError
from gpus.nearest import nearest

ACCELERATORS: Mapping[str, str] = {
    "A100-SXM-40": "nvidia-tesla-a100",
    "A100-SXM-80": "nvidia-a100-80gb",
    "B200": "nvidia-b200",
    "GB200": "nvidia-gb200",
    "H100-SXM": "nvidia-h100-80gb",
    "H200-SXM": "nvidia-h200-141gb",
    "L4": "nvidia-l4",
    "RTX-PRO-6000": "nvidia-rtx-pro-6000",
    "T4": "nvidia-tesla-t4",
    "V100-SXM-16": "nvidia-tesla-v100",
}
"""Compute Engine's name of each GPU model (https://cloud.google.com/compute/docs/gpus)."""

# https://cloud.google.com/compute/docs/accelerator-optimized-machines#a3-mega-vms
_BY_MACHINE: Mapping[str, str] = {"a3-megagpu-8g": "nvidia-h100-mega-80gb"}


def accelerator_of(pool: PlatformPool) -> str:
    """Return the accelerator type; raise RenderError for a GPU that GKE does not have."""
    model = pool.hardware.model.name
    name = _BY_MACHINE.get(pool.spec.instance_type or "", ACCELERATORS.get(model))
    if name is None:
        close = "".join(f"; nearest: {other}" for other in nearest(model, ACCELERATORS)[:1])
        raise RenderError(
            f"pool {pool.name}: GKE has no {model}; allowed: {', '.join(ACCELERATORS)}{close}"
        )
    return name


def partition_size(pool: PlatformPool) -> str | None:
    """Return the MIG profile that GKE cuts every GPU into; None without MIG.

    https://cloud.google.com/kubernetes-engine/docs/how-to/gpus-multi
    """
    return pool.facts.sharing.mig[0][0] if pool.facts.sharing.mig else None


def sharing_strategy(pool: PlatformPool) -> str | None:
    """Return how several pods share a GPU or a partition; None where they do not.

    https://cloud.google.com/kubernetes-engine/docs/how-to/timesharing-gpus
    """
    sharing = pool.facts.sharing
    if sharing.replicas == 1:
        return None
    return "MPS" if sharing.mps > 1 else "TIME_SHARING"
